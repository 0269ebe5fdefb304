import type { Candidate } from "../domain/candidate.ts";
import type { Verdict, Verification } from "../domain/gate.ts";
import type { Gate, GateContext } from "../ports/gate.ts";

/**
 * Candidate → Verification. Cheapest gate first. A failure, or a gate that could not run, ends it;
 * a lack of data does not, but keeps the candidate from being released without a person.
 */
export async function verify(
  { candidate, ...context }: GateContext & { readonly candidate: Candidate },
  { gates }: { readonly gates: readonly Gate[] },
  signal: AbortSignal,
): Promise<Verification> {
  const verdicts: Verdict[] = [];
  for (const gate of gates) {
    const verdict = await gate.check(candidate, { ...context, earlier: [...verdicts] }, signal);
    verdicts.push(verdict);
    if (verdict.status === "fail" || verdict.status === "infra-error") break;
  }
  const reward = verdicts.findLast(({ score }) => score !== undefined)?.score ?? 0;
  return { candidateId: candidate.id, verdicts, reward };
}
