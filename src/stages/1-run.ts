import { argumentsOf, type Skill } from "../domain/skill.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Environment, Trace } from "../domain/trace.ts";
import { grantsOf } from "../examine/examine.ts";
import type { CapabilityHosts, SkillCaller } from "../ports/capabilities.ts";
import type { Library } from "../ports/library.ts";
import type { Sandbox } from "../ports/sandbox.ts";

export type RunPorts = {
  readonly sandbox: Sandbox;
  readonly hosts: CapabilityHosts;
  /** The version of a skill that this run has. */
  readonly versions: Library["active"];
  readonly now: () => number;
  readonly newSeed: () => number;
};

/** How deep a run is within others, and which of them waits for it. */
type Place = { readonly depth: number; readonly within?: symbol };

type Question = {
  readonly skill: Skill;
  readonly input: JsonObject;
  readonly environment: Environment;
};

/** Input → Trace. One execution on the live world, within what the skill's manifest grants. */
export async function run(
  question: Question,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<Trace> {
  return await runAt({ depth: 1 }, question, ports, signal);
}

async function runAt(
  { depth, ...within }: Place,
  { skill, input, environment }: Question,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<Trace> {
  const { capabilities, limits } = skill.manifest;
  const host = ports.hosts.live(capabilities, skill.name, callerOf(depth, ports));
  const call = {
    args: argumentsOf(skill.signature, input),
    grants: grantsOf(capabilities),
    environment,
    host,
  };
  const [result] = await ports.sandbox.execute(
    // One run answers whoever waits; a bad end is believed after the replay in `reflect`.
    { program: skill.program, calls: [call], limits, fresh: true, unconfirmed: true, ...within },
    signal,
  );
  if (result === undefined) throw new Error("the sandbox owes one result per call");
  return result.trace;
}

/** Skills may call skills this deep. */
const DEEPEST = 4;

/** The inner run is part of the outer trace: its value or its error is the answer to a request. */
function callerOf(depth: number, ports: RunPorts): SkillCaller {
  const within = Symbol("a run that waits");
  return async (name, input, signal) => {
    if (depth > DEEPEST) {
      throw new Error(`skills call each other more than ${DEEPEST} levels deep at ${name}`);
    }
    const skill = await ports.versions(name);
    const environment = { now: ports.now(), seed: ports.newSeed() };
    const place = { depth: depth + 1, within };
    const { outcome } = await runAt(place, { skill, input, environment }, ports, signal);
    if (outcome.status === "returned") return outcome.value;
    throw new Error("error" in outcome ? outcome.error.message : `${name}: ${outcome.status}`);
  };
}
