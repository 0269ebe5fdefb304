import type { ScheduleSettings } from "../../config-schedule.ts";
import { HoneError, messageOf } from "../../domain/errors.ts";
import type { Operations } from "../../ports/operations.ts";
import { workOfSlot } from "./scheduled-work.ts";
import { slotMemoryOf, type SlotMemory } from "./slot-memory.ts";
import { slotsOf } from "./slots.ts";
import { keepTime, machineClock, type Clock, type Timed } from "./time-keeper.ts";
import type { Workspace } from "../workspace.ts";

type Doing = {
  readonly workspace: Workspace;
  readonly operations: Operations;
  readonly clock: Clock;
};

/**
 * Starts the schedules of the configuration. A slot is claimed in the ledger before its work begins,
 * so that it is done once, whatever restarts or the clock do. Throws `bad-config` for an entry that
 * cannot be kept.
 */
export function startSchedules(
  workspace: Workspace,
  operations: Operations,
  clock: Clock = machineClock,
): Disposable {
  const doing = { workspace, operations, clock };
  return keepTime(
    workspace.config.schedules.map((entry) => timedOf(entry, doing)),
    clock,
  );
}

/** Work under way, by workspace and schedule: schedules that are started anew still wait for it. */
const AT_WORK = new WeakMap<object, Map<string, Set<symbol>>>();

function locksOf(name: string, { house: { store } }: Workspace): Set<symbol> {
  const all = AT_WORK.get(store) ?? new Map<string, Set<symbol>>();
  AT_WORK.set(store, all);
  const own = all.get(name) ?? new Set();
  all.set(name, own);
  return own;
}

function timedOf(entry: ScheduleSettings, doing: Doing): Timed {
  const { workspace, clock } = doing;
  const slots = slotsOf(entry, clock.now());
  const memory = slotMemoryOf(entry, workspace.house.store);
  const atWork = locksOf(entry.name, workspace);
  const half = atWork.size > 0 ? null : memory.begun();
  // Tasks bear the slot's name, so what was handed in before the end of the process is not again.
  if (half !== null && entry.submit !== undefined) begin(entry, half, { memory, atWork }, doing);
  return {
    slots,
    since: memory.since(clock.now()),
    onDue: (slot) => due(entry, slot, { memory, atWork }, doing),
    onMissed(slot) {
      memory.passed(slot);
      tell(
        "schedule.missed",
        { name: entry.name, at: slot },
        doing,
        "hone was down, asleep or busy",
      );
    },
  };
}

type Turn = { readonly memory: SlotMemory; readonly atWork: Set<symbol> };

/** False where the ledger cannot take the slot: it is tried again. */
function due(entry: ScheduleSettings, slot: number, turn: Turn, doing: Doing): boolean {
  try {
    if (!turn.memory.claim(slot)) return true;
  } catch (error) {
    if (!(error instanceof HoneError)) throw error;
    tell("schedule.failed", { name: entry.name, at: slot }, doing, messageOf(error));
    return !error.retryable;
  }
  if (entry.overlap === "skip" && turn.atWork.size > 0) {
    tell(
      "schedule.skipped",
      { name: entry.name, at: slot },
      doing,
      "the slot before it is still at work",
    );
  } else begin(entry, slot, turn, doing);
  return true;
}

/** Begins the work of a slot. It holds up the next one until it ends, or its time is over. */
function begin(
  entry: ScheduleSettings,
  slot: number,
  { memory, atWork }: Turn,
  doing: Doing,
): void {
  const lock = Symbol(entry.name);
  atWork.add(lock);
  const expiry = doing.clock.wake(entry.timeoutMs, () => {
    if (atWork.delete(lock))
      tell("schedule.timed-out", { name: entry.name, at: slot }, doing, "it is still at work");
  });
  void workOfSlot(entry, new Date(slot).toISOString(), doing)
    .then(() => memory.ended(slot))
    .catch((error: unknown) => {
      if (!(error instanceof HoneError)) throw error;
      if (!doing.workspace.signal.aborted) {
        tell("schedule.failed", { name: entry.name, at: slot }, doing, messageOf(error));
      }
    })
    .finally(() => {
      expiry[Symbol.dispose]();
      atWork.delete(lock);
    });
}

function tell(kind: string, slot: Named, { workspace }: Doing, reason: string): void {
  const detail = { schedule: slot.name, slot: new Date(slot.at).toISOString(), reason };
  workspace.house.tell(kind, null, detail);
}

type Named = { readonly name: string; readonly at: number };
