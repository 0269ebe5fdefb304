import type { ContainerRun } from "../domain/gate.ts";
import type { JudgedCase } from "../domain/incident.ts";
import { sameJson } from "../domain/json.ts";
import { describe } from "../domain/judge.ts";
import type { Outcome } from "../domain/trace.ts";
import type { ExaminePorts } from "../examine/examine.ts";
import type { Containers } from "../ports/containers.ts";
import type { Gate } from "../ports/gate.ts";
import { questioned } from "./questioned.ts";
import { type Finding, gate } from "./verdict.ts";

export type DockerPorts = ExaminePorts & {
  readonly now: () => number;
  readonly containers: Pick<Containers, "mode" | "sandbox" | "state" | "image">;
};

/**
 * All visible cases again, in a clean container and in isolates: both walls let the same through.
 * Where they differ, the program does not do what its cases say in a plain process of Node, or it
 * knows where it is. Without an engine there is no verdict where one is required; else the candidate
 * passes, and its release says that it was not in a container. There is none either where containers
 * are killed: nobody can tell who did it.
 */
export function dockerGate(ports: DockerPorts): Gate {
  const { containers } = ports;
  return gate("docker", ports.now, async (_candidate, { patched, diagnosis }, signal) => {
    const state = await containers.state();
    if (state.status === "unavailable") return withoutEngine(containers.mode, state.reason);
    const cases = diagnosis.judged.map((one) => one.case);
    const question = { skill: patched, cases };
    const here = await questioned(question, ports, signal);
    const there = await questioned(question, { ...ports, sandbox: containers.sandbox }, signal);
    const container = { engine: state.engine, image: await containers.image() };
    return { ...compared(here.judged, there.judged, container), recorded: there.recorded.flat() };
  });
}

function withoutEngine(mode: Containers["mode"], why: string): Finding {
  if (mode === "auto") {
    return { status: "pass", reason: `not in a container: ${why}`, container: null };
  }
  return { status: "infra-error", reason: `sandbox-unavailable: ${why}` };
}

function compared(
  here: readonly JudgedCase[],
  there: readonly JudgedCase[],
  container: ContainerRun,
): Finding {
  for (const [at, one] of here.entries()) {
    const other = there[at];
    if (other === undefined) throw new Error("the sandbox owes one result per call");
    if (one.passed === other.passed && sameOutcome(one.outcome, other.outcome)) continue;
    const reason = `${one.case.name}: ${describe(one.outcome)} in an isolate, ${describe(other.outcome)} in a container`;
    const status = wasKilled(other.outcome) ? "infra-error" : "fail";
    return { status, reason, container };
  }
  const reason = `${there.length} cases come out the same in a container (${container.engine})`;
  return { status: "pass", reason, container };
}

/** Ended from outside, twice: a child that its system kills is out of memory. */
function wasKilled(outcome: Outcome): boolean {
  return outcome.status === "crashed" && /\bby SIG(?:KILL|TERM)$/.test(outcome.reason);
}

function sameOutcome(a: Outcome, b: Outcome): boolean {
  if (a.status === "returned") return b.status === "returned" && sameJson(a.value, b.value);
  return a.status === b.status;
}
