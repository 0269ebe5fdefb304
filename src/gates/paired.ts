import { evidenceOf, winsWanting } from "../domain/paired.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import type { Gate } from "../ports/gate.ts";
import { questioned } from "./questioned.ts";
import { gate } from "./verdict.ts";

/** Chance of taking wording for better that is not. */
const ALPHA = 0.05;

/**
 * Whether new wording is better than the old where answers are a model's: on the same questions, each
 * asked once of both, since a model asked twice at the same temperature says the same. Few questions
 * decide nothing, and then a person is asked.
 */
export function pairedGate(ports: ExaminePorts & { readonly now: () => number }): Gate {
  return gate("acceptance", ports.now, async (_candidate, { patched, diagnosis }, signal) => {
    const before = diagnosis.judged;
    const cases = before.map((one) => one.case);
    const { judged } = await questioned({ skill: patched, cases }, ports, signal);
    const passes = (at: number): boolean => judged[at]?.passed === true;
    const wins = before.filter(({ passed }, at) => !passed && passes(at)).length;
    const losses = before.filter(({ passed }, at) => passed && !passes(at)).length;
    const pairs = { wins, losses };
    const evidence = evidenceOf(pairs);
    const score = judged.filter(({ passed }) => passed).length / Math.max(1, judged.length);
    const counts = `${wins} of ${cases.length} cases won, ${losses} lost, e-value ${evidence.toFixed(1)}`;
    if (losses >= wins) return { status: "fail", reason: `no better: ${counts}`, score };
    if (evidence >= 1 / ALPHA) return { status: "pass", reason: counts, score };
    const wanting = winsWanting(pairs, ALPHA);
    const reason = `${counts}: ${wanting} more won would decide (${1 / ALPHA} is wanted)`;
    return { status: "needs-data", reason, score };
  });
}
