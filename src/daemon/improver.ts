import { HoneError, messageOf } from "../domain/errors.ts";
import type { Incident } from "../domain/incident.ts";
import { follow } from "./follow.ts";
import { improveOne } from "./improving.ts";
import type { Workspace } from "./workspace.ts";

/** Looks for incidents whose pause is over this often. */
const LOOK_MS = 1_000;

/**
 * Works on open incidents, one at a time, oldest first, as their pauses allow. `wake` says that
 * there may be something to do.
 */
export function startImprover(
  workspace: Workspace,
): { readonly wake: () => void } & AsyncDisposable {
  const { house, signal } = workspace;
  let running: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    for (;;) {
      const next = signal.aborted ? undefined : nextIncident(workspace);
      if (next === undefined) return;
      await attemptOne(next, workspace);
    }
  };
  const wake = (): void => {
    if (signal.aborted || house.store.note("paused") === "yes") return;
    running ??= work()
      .catch(unlessOfTheWorld)
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(wake, LOOK_MS);
  return {
    wake,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}

/** A ledger that cannot be read is tried again at the next look. */
function unlessOfTheWorld(error: unknown): void {
  if (!(error instanceof HoneError)) throw error;
}

function nextIncident({ house }: Workspace): Incident | undefined {
  const now = house.now();
  return house.store
    .incidents({ states: ["open", "improving", "no-change"], limit: 200 })
    .toReversed()
    .find(({ retryAt }) => retryAt <= now);
}

async function attemptOne(incident: Incident, workspace: Workspace): Promise<void> {
  const { house, signal } = workspace;
  try {
    const settled = await improveOne({ incident, failing: null, isAsked: false }, workspace);
    if (settled.commit !== null) await follow(workspace);
  } catch (error) {
    if (signal.aborted) return;
    unlessOfTheWorld(error);
    house.tell("improve.failed", incident.skill, {
      incident: incident.id,
      reason: messageOf(error),
    });
  }
}
