import { removeContainer } from "./container.ts";
import type { Engine } from "./engine.ts";

/** Whose containers these are: a workspace, and this process of it. */
export type Owner = {
  /** Of the workspace, the same at every start. */
  readonly owner: string;
  /** Of this process. */
  readonly boot: string;
};

const OWNER = "hone.owner";
const BOOT = "hone.boot";
const DEADLINE = "hone.deadline";

const LIST_MS = 10_000;

/** The labels by which a container is found again. `deadline` is in milliseconds since the epoch. */
export function labelsOf({ owner, boot }: Owner, deadline: number): Record<string, string> {
  return { [OWNER]: owner, [BOOT]: boot, [DEADLINE]: String(deadline) };
}

/**
 * Removes what other processes of this workspace have left, what any hone has left past its
 * deadline, and what could not be removed before; at the end also all of this process. Throws
 * `sandbox-unavailable`.
 */
export async function sweep(
  engine: Engine,
  { owner, boot }: Owner,
  { now, isEnd }: { readonly now: number; readonly isEnd: boolean },
): Promise<void> {
  const filters = JSON.stringify({ label: [OWNER] });
  const found = await engine.call("list containers", LIST_MS, (docker, abortSignal) =>
    docker.listContainers({ all: true, filters, abortSignal }),
  );
  const orphans = found.filter(({ Id, Labels }) => {
    const isLeft = Labels[OWNER] === owner && (isEnd || Labels[BOOT] !== boot);
    return isLeft || Number(Labels[DEADLINE]) < now || engine.leftovers.has(Id);
  });
  await Promise.all(orphans.map(({ Id }) => removeContainer(engine, Id)));
}
