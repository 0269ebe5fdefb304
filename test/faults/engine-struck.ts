import assert from "node:assert/strict";
import { socketOf } from "../../src/adapters/docker/socket.ts";
import { sha256 } from "../../src/daemon/sha256.ts";
import { containersOf, engine } from "../support/containers.ts";
import { type EngineProxy, engineProxy, type Fate } from "../support/engine-proxy.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { improvementHolds } from "./improvement.ts";
import type { Person } from "./person.ts";
import { aSiteFolder, atTheEnd, Site, SKILLS } from "./site.ts";

/** Strikes at the engine or at the containers of a workspace; disposed, it is as it was. */
export type Strike = (
  proxy: EngineProxy,
  workspace: TestWorkspace,
) => Promise<Disposable> | Disposable;

/** While it is so, calls meet their fates; `calls` are those before. */
export function fated(
  proxy: EngineProxy,
  fateOf: (call: string, calls: readonly string[]) => Fate,
): Disposable {
  const calls: string[] = [];
  proxy.fate = (call) => {
    const fate = fateOf(call, calls);
    calls.push(call);
    return fate;
  };
  return { [Symbol.dispose]: () => void (proxy.fate = () => "passes") };
}

export function failing(step: string, fate: Fate, times = Infinity): (call: string) => Fate {
  let left = times;
  return (call) => {
    if (call !== step || left <= 0) return "passes";
    left -= 1;
    return fate;
  };
}

/** Kills every container of a workspace that runs, until it is disposed. */
export function killing(workspace: TestWorkspace): Disposable {
  const over = new AbortController();
  const kill = async (): Promise<void> => {
    while (!over.signal.aborted) {
      for (const id of await containersOf(sha256(workspace.dir))) {
        const killed = engine.call("kill", 10_000, (docker) => docker.getContainer(id).kill());
        await killed.catch(() => undefined);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  void kill();
  return { [Symbol.dispose]: () => over.abort() };
}

/** No verdict and no release come of it; the next improvement is as it should be. */
export async function unverified(strike: Strike, by: { isNamed?: boolean } = {}): Promise<void> {
  const settled = await struck(strike, by);
  if (settled instanceof Error) return;
  assert.equal(settled.result, "infra-error", settled.reason);
  assert.match(settled.reason, /^docker: /);
}

type Place = {
  readonly workspace: TestWorkspace;
  readonly person: Person;
  readonly proxy: EngineProxy;
  /** Digest of the image that hone makes. */
  readonly image: string;
};

let shared: Promise<Place> | null = null;
let used = 0;

/**
 * An improvement for which containers are required, while something is struck. What is released has
 * been in a container, and none is left.
 */
export async function struck(
  strike: Strike,
  { isNamed = false }: { isNamed?: boolean } = {},
): ReturnType<typeof improvementHolds> {
  shared ??= place();
  const { workspace, person, proxy, image } = await shared;
  const sandbox = { socket: proxy.socket, warm: 0, image: isNamed ? image : "" };
  await using hone = await workspace.open({ docker: "required", sandbox });
  const site = new Site(workspace, person, hone, used++);
  const settled = await improvementHolds(async (_, attempt) => {
    using _struck = await strike(proxy, workspace);
    return await attempt();
  }, Promise.resolve(site));
  assertInContainers(workspace);
  await hone[Symbol.asyncDispose]();
  assert.deepEqual(await containersOf(sha256(workspace.dir)), [], "containers that are left");
  return settled;
}

async function place(): Promise<Place> {
  const folder = await aSiteFolder(atTheEnd, { skills: SKILLS });
  const proxy = await engineProxy(await socketOf({ socket: "", env: process.env }));
  atTheEnd.after(async () => await proxy[Symbol.asyncDispose]());
  await using hone = await folder.workspace.open({ docker: "required" });
  const image = (await hone.house.containers?.image()) ?? "";
  return { ...folder, proxy, image };
}

/** The last release was verified behind both walls. */
function assertInContainers(workspace: TestWorkspace): void {
  const gates = workspace.git("log", "-1", "--format=%(trailers:key=Hone-Gates,valueonly)", "hone");
  assert.match(gates, /\bdocker=pass\b/);
}
