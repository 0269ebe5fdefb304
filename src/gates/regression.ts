import type { JudgedCase } from "../domain/incident.ts";
import { exchangesOf } from "../domain/trace.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import type { Gate, GateContext } from "../ports/gate.ts";
import { questioned } from "./questioned.ts";
import { gate, type Finding } from "./verdict.ts";

/**
 * Nothing that passed fails: all visible cases again, each in a fresh isolate. A case that fails is
 * put once more, alone, before it counts; one that then passes does not repeat, and decides nothing.
 */
export function regressionGate(ports: ExaminePorts & { readonly now: () => number }): Gate {
  return gate("regression", ports.now, async (_candidate, context, signal) => {
    const { judged: before } = context.diagnosis;
    const cases = before.map((one) => one.case);
    const { judged, recorded } = await questioned({ skill: context.patched, cases }, ports, signal);
    const score = judged.filter(({ passed }) => passed).length / Math.max(1, judged.length);
    const broken = judged.filter(({ passed }, at) => !passed && before[at]?.passed === true);
    const answer = await answerOf(broken, context, ports, signal);
    return { ...answer, score, recorded: recorded.flat() };
  });
}

async function answerOf(
  broken: readonly JudgedCase[],
  { patched }: GateContext,
  ports: ExaminePorts,
  signal: AbortSignal,
): Promise<Finding> {
  const outOfReach = broken.filter(isUnrecorded);
  for (const one of broken.filter((each) => !isUnrecorded(each))) {
    const { judged } = await questioned({ skill: patched, cases: [one.case] }, ports, signal);
    if (judged[0]?.passed === true) {
      return {
        status: "needs-data",
        reason: `${one.case.name} does not repeat: failed, then passed`,
      };
    }
    return { status: "fail", reason: `${one.case.name} passed before, now: ${one.reason}` };
  }
  return outOfReach.length === 0
    ? { status: "pass", reason: "" }
    : {
        status: "needs-data",
        reason: `${outOfReach.length} cases need answers that are not recorded and may not be asked for: ${outOfReach[0]?.case.name}`,
      };
}

/** The case failed for want of a recording, so it says nothing of the candidate. */
export function isUnrecorded({ trace }: JudgedCase): boolean {
  return exchangesOf(trace).some(
    ({ answer }) => answer?.status === "rejected" && answer.cause === "unrecorded",
  );
}
