import { setTimeout as pause } from "node:timers/promises";
import type { IncidentState } from "../domain/incident.ts";
import type { ReleaseState } from "../domain/release.ts";
import type { Client } from "../serve/http/client.ts";
import { SKILL } from "./make-workspace.ts";

/** How things stand, as the daemon tells everyone. */
export type View = {
  readonly head: string;
  readonly problems: readonly string[];
  /** Newest first, rollbacks included. */
  readonly releases: readonly {
    readonly commit: string;
    readonly state: ReleaseState;
    readonly incident: string | null;
    readonly reverts: string | null;
    readonly releasedAt: number;
    readonly reason: string;
  }[];
  /** Newest first; the first is the active one. */
  readonly versions: readonly Version[];
  /** Newest first, those that are over included. */
  readonly incidents: readonly {
    readonly id: string;
    readonly version: string;
    readonly failureClass: string;
    readonly state: IncidentState;
    readonly openedAt: number;
    readonly note: string;
  }[];
};

export type Version = {
  readonly commit: string;
  readonly author: string;
  readonly subject: string;
  /** `0.50 -> 1.00`, where hone released it. */
  readonly reward: string | null;
  readonly runs: number;
  readonly meanReward: number | null;
};

/** What is waited for. */
export type Expected<T> = {
  /** Completes "expected that …". */
  readonly what: string;
  readonly withinMs: number;
  /** What was waited for, once it is there; null before. */
  readonly find: (view: View) => T | null;
};

/** What was expected and did not come. */
export class Unmet extends Error {
  constructor(what: string, seen: string) {
    super(`expected that ${what}; seen: ${seen}`);
    this.name = "Unmet";
  }
}

const LOOK_MS = 150;

/** Looks again and again until it is there. Throws `Unmet` when the time is up. */
export async function waitFor<T>(
  { what, withinMs, find }: Expected<T>,
  client: Client,
  signal: AbortSignal,
): Promise<T> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    signal.throwIfAborted();
    const view = await answered(look(client), signal);
    const found = view === null ? null : find(view);
    if (found !== null) return found;
    if (view === null) throw new Unmet(what, "the daemon does not answer");
    if (performance.now() >= endsAt) throw new Unmet(what, told(view));
    await pause(LOOK_MS);
  }
}

/** How long the daemon may take to say how things stand. */
const ANSWER_MS = 30_000;

/** What is answered, or null when it takes too long. Rejects at once when the signal is aborted. */
async function answered<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const late = pause(ANSWER_MS, null, { signal: until }).catch(() => {
    signal.throwIfAborted();
    return null;
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    over.abort();
  }
}

/** How things stand now. */
export async function look(client: Client): Promise<View> {
  const [status, log, incidents] = await Promise.all([
    client.status(),
    client.log({ skill: SKILL }),
    client.incidents({ skill: SKILL, all: true }),
  ]);
  return {
    ...(status as unknown as Pick<View, "head" | "problems" | "releases">),
    ...(log as unknown as Pick<View, "versions">),
    ...(incidents as unknown as Pick<View, "incidents">),
  };
}

function told({ versions: [active], releases, incidents, problems }: View): string {
  const parts = [
    active === undefined ? "" : `active is "${active.subject}" after ${active.runs} runs`,
    `${releases.length} releases`,
    ...incidents
      .slice(0, 3)
      .map(({ failureClass, state, note }) =>
        `incident ${failureClass} is ${state} ${note}`.trimEnd(),
      ),
    ...problems,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
