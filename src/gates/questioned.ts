import { HoneError } from "../domain/errors.ts";
import { describe } from "../domain/judge.ts";
import { isInfrastructureFault } from "../domain/trace.ts";
import { examine, type Examination } from "../examine/examine.ts";

/**
 * Puts questions to a candidate, as `examine` does, for a gate. Where nothing speaks against the
 * candidate but that the live world was out of reach, there is no verdict: a candidate that is
 * refused is not tried again. Throws `capability-failed`, which a gate's frame makes `infra-error`.
 */
export async function questioned(...args: Parameters<typeof examine>): Promise<Examination> {
  const examination = await examine(...args);
  const failing = examination.judged.filter(({ passed }) => !passed);
  const [unheard] = failing;
  const isUnheard = failing.every(({ trace }) => isInfrastructureFault(trace));
  if (unheard === undefined || !isUnheard) return examination;
  throw new HoneError(
    "capability-failed",
    `${unheard.case.name}: the world was out of reach: ${describe(unheard.outcome)}`,
    { hint: "hone tries again later.", retryable: true },
  );
}
