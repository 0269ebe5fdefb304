import { canonical } from "../domain/json.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import type { Gate } from "../ports/gate.ts";
import { questioned } from "./questioned.ts";
import { gate } from "./verdict.ts";

/**
 * The winner is measured again on fresh ground before it may be called better (the winner's curse):
 * all visible cases once more, in another order; strictly more pass than on the parent, none that
 * passed is lost, and every outcome is the one seen before.
 */
export function acceptanceGate(ports: ExaminePorts & { readonly now: () => number }): Gate {
  return gate("acceptance", ports.now, async (_candidate, { patched, diagnosis }, signal) => {
    const before = diagnosis.judged.toReversed();
    const cases = before.map((one) => one.case);
    const first = await questioned({ skill: patched, cases }, ports, signal);
    const second = await questioned({ skill: patched, cases }, ports, signal);
    const differs = first.judged.find(
      (one, at) => canonical(one.outcome) !== canonical(second.judged[at]?.outcome ?? null),
    );
    if (differs !== undefined) {
      return { status: "fail", reason: `${differs.case.name} does not repeat` };
    }
    const lost = second.judged.filter(({ passed }, at) => !passed && before[at]?.passed === true);
    const passedBefore = before.filter(({ passed }) => passed).length;
    const passedNow = second.judged.filter(({ passed }) => passed).length;
    const reason = `${passedBefore} of ${before.length} cases passed, now ${passedNow}`;
    const isStrict = lost.length === 0 && passedNow > passedBefore;
    return { status: isStrict ? "pass" : "fail", reason, score: passedNow / before.length };
  });
}
