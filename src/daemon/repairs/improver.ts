import { HoneError, messageOf } from "../../domain/errors.ts";
import { isPaused, type Incident } from "../../domain/incident.ts";
import { pinsIn } from "../../pins.ts";
import { follow } from "../follow.ts";
import { improveOne } from "./improving.ts";
import { pauseIn } from "../model/spending.ts";
import { unfinishedAt } from "./unfinished.ts";
import type { Workspace } from "../workspace.ts";

/** Looks for incidents whose pause is over this often. */
const LOOK_MS = 1_000;

/**
 * Works on open incidents, one at a time, as their pauses allow. `wake` says that
 * there may be something to do.
 */
export function startImprover(
  workspace: Workspace,
): { readonly wake: () => void } & AsyncDisposable {
  const { house, signal } = workspace;
  let running: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    for (;;) {
      if (signal.aborted || pauseIn(house.store) !== null) return;
      const next = nextIncident(workspace);
      // After a fault of the world the next look is soon enough.
      if (next === undefined || !(await attemptOne(next, workspace))) return;
    }
  };
  const wake = (): void => {
    if (signal.aborted) return;
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

/** The oldest, of a skill that is not pinned; but first those in which hone has never ended. */
function nextIncident({ house: { now, store } }: Workspace): Incident | undefined {
  const pins = pinsIn(store);
  const ready = store
    .incidents({ states: ["open", "improving", "no-change"], limit: 200 })
    .filter((incident) => !isPaused(incident, now()) && !Object.hasOwn(pins, incident.skill))
    .map((incident) => ({ incident, unfinished: unfinishedAt(incident.id, store) }));
  return ready.toReversed().toSorted((a, b) => a.unfinished - b.unfinished)[0]?.incident;
}

/** Whether the world allowed it. */
async function attemptOne(incident: Incident, workspace: Workspace): Promise<boolean> {
  const { house, signal } = workspace;
  try {
    const settled = await improveOne({ incident, failing: null, isAsked: false }, workspace);
    if (settled.commit !== null) await follow(workspace);
    return true;
  } catch (error) {
    if (signal.aborted || pauseIn(house.store) !== null) return false;
    unlessOfTheWorld(error);
    house.tell("improve.failed", incident.skill, {
      incident: incident.id,
      reason: messageOf(error),
    });
    return false;
  }
}
