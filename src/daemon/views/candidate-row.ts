import type { JsonObject } from "../../domain/json.ts";
import type { CandidateRecord } from "../../ports/store.ts";

/** A candidate as answers tell it: where it came from, what became of it, and why. */
export function candidateRow(record: CandidateRecord): JsonObject {
  const { candidate, verification } = record;
  return {
    candidate: candidate.id,
    proposer: candidate.origin.proposer,
    operator: candidate.origin.operator,
    model: candidate.origin.model?.name ?? null,
    temperature: candidate.origin.model?.temperature ?? null,
    state: record.state,
    reward: verification.reward,
    advantage: record.advantage,
    reason: verification.verdicts.at(-1)?.reason ?? "",
    change: candidate.reason,
    confidence: candidate.confidence ?? null,
    rivals: (candidate.rivals ?? []).map((rival) => ({ ...rival })),
  };
}
