import type { ModelCall, ModelCallEnd } from "../domain/budget.ts";
import type { Run } from "../domain/task.ts";
import type { CandidateRecord, GroupRecord } from "./store.ts";

/** Told of what the ledger has just taken, in the same turn. Must not throw. */
export type LedgerListener = {
  readonly onRun: (run: Run) => void;
  readonly onGroup: (group: GroupRecord, candidates: readonly CandidateRecord[]) => void;
  readonly onModelCall: (call: ModelCall, end: ModelCallEnd) => void;
};
