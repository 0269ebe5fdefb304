import type { CandidateRecord, Store } from "../../ports/store.ts";

/** Candidates that wait for a person, of one skill or of all, at most; the surest first. */
export function waitingCandidates(
  store: Pick<Store, "candidates">,
  skill?: string,
): readonly CandidateRecord[] {
  return store
    .candidates({ state: "waiting", limit: MOST })
    .filter(({ candidate }) => skill === undefined || candidate.skill === skill)
    .toSorted((a, b) => sureness(b) - sureness(a));
}

const MOST = 50;

/** One that nobody weighed comes after all that were. */
function sureness({ candidate }: CandidateRecord): number {
  return candidate.confidence ?? 0;
}
