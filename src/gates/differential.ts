import type { Candidate } from "../domain/candidate.ts";
import type { Case } from "../domain/case.ts";
import { canonical, sameJson } from "../domain/json.ts";
import { describe } from "../domain/judge.ts";
import { argumentsOf, type Skill } from "../domain/skill.ts";
import type { Run } from "../domain/task.ts";
import type { Outcome } from "../domain/trace.ts";
import { worldOf } from "../domain/world.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import type { Gate, GateContext } from "../ports/gate.ts";
import type { Store } from "../ports/store.ts";
import { isUnrecorded } from "./regression.ts";
import { questioned } from "./questioned.ts";
import { gate, PASSED, type Finding } from "./verdict.ts";

export type DifferentialPorts = ExaminePorts & {
  readonly now: () => number;
  /** Recorded live runs of the parent that scored well; none of them is held out. */
  readonly passingRuns: (skill: Skill) => readonly Run[];
};

/**
 * Outside the failing region the candidate does what its parent did: it gives the recorded values
 * of live runs again. And it is a function: asked the visible questions again in one isolate, in
 * reverse, it answers as it did before.
 */
export function differentialGate(ports: DifferentialPorts): Gate {
  return gate("differential", ports.now, async ({ origin }, context, signal) => {
    const recorded = await againstRecordings({ ...context, origin }, ports, signal);
    return recorded.status === "pass" ? await againstItself(context, ports, signal) : recorded;
  });
}

/** Live runs that candidates are compared with, at most. */
const COMPARED = 30;

/** The newest recorded runs of a version that scored well. */
export function passingRunsIn(store: Pick<Store, "runs">): DifferentialPorts["passingRuns"] {
  return ({ name, version, manifest }) => {
    const minimumScore = manifest.reward.threshold;
    return store.runs({ skill: name, version, heldOut: false, minimumScore, limit: COMPARED });
  };
}

async function againstRecordings(
  { skill, patched, diagnosis, origin }: GateContext & Pick<Candidate, "origin">,
  ports: DifferentialPorts,
  signal: AbortSignal,
): Promise<Finding> {
  // What was answered to the failing question is what the repair is to change.
  const failing = canonical(diagnosis.failing.case.args);
  const cases = ports
    .passingRuns(skill)
    .flatMap((run) => caseOfRecording(run, skill))
    .filter(({ args }) => canonical(args) !== failing);
  if (cases.length === 0) return PASSED;
  const { judged, recorded } = await questioned({ skill: patched, cases }, ports, signal);
  // A recording says nothing of what its run never asked. To ask a vendor more, as for a further page,
  // is what following a drift may be about; no other repair gets past its parent's runs that way.
  const asksMore = (at: number): boolean =>
    origin.proposer === "drift" && (recorded[at] ?? []).length > 0;
  const different = judged.find((one, at) => !one.passed && !isUnrecorded(one) && !asksMore(at));
  return different === undefined
    ? PASSED
    : { status: "fail", reason: `${different.case.name}: ${different.reason}` };
}

/** A passing run as a case that asks for the same value. */
function caseOfRecording(run: Run, skill: Skill): Case[] {
  const { outcome } = run.trace;
  if (outcome.status !== "returned") return [];
  return [
    {
      name: `recorded run ${run.id}`,
      args: argumentsOf(skill.signature, run.input),
      expectation: { kind: "value", value: outcome.value },
      world: worldOf(run.trace),
    },
  ];
}

async function againstItself(
  { patched }: GateContext,
  ports: DifferentialPorts,
  signal: AbortSignal,
): Promise<Finding> {
  const cases = patched.cases.toReversed();
  const first = await questioned({ skill: patched, cases }, ports, signal);
  const again = await questioned({ skill: patched, cases, fresh: false }, ports, signal);
  const at = first.judged.findIndex(
    ({ outcome }, index) => !sameOutcome(outcome, again.judged[index]?.outcome),
  );
  const [one, other] = [first.judged[at], again.judged[at]];
  if (one === undefined || other === undefined) return PASSED;
  const reason = `repeated-call: ${one.case.name} is answered differently on a repeated call: ${describe(one.outcome)}, then ${describe(other.outcome)}`;
  return { status: "fail", reason };
}

function sameOutcome(a: Outcome, b: Outcome | undefined): boolean {
  if (a.status === "returned") return b?.status === "returned" && sameJson(a.value, b.value);
  return a.status === b?.status;
}
