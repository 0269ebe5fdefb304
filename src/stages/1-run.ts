import { argumentsOf, type Skill } from "../domain/skill.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Environment, Trace } from "../domain/trace.ts";
import { grantsOf } from "../examine/examine.ts";
import type { CapabilityHosts, SkillCaller } from "../ports/capabilities.ts";
import type { Sandbox } from "../ports/sandbox.ts";

export type RunPorts = {
  readonly sandbox: Sandbox;
  readonly hosts: CapabilityHosts;
  readonly callSkill: SkillCaller;
};

/** Input → Trace. One execution on the live world, within what the skill's manifest grants. */
export async function run(
  {
    skill,
    input,
    environment,
  }: {
    readonly skill: Skill;
    readonly input: JsonObject;
    readonly environment: Environment;
  },
  { sandbox, hosts, callSkill }: RunPorts,
  signal: AbortSignal,
): Promise<Trace> {
  const { capabilities, limits } = skill.manifest;
  const host = hosts.live(capabilities, skill.name, callSkill);
  const call = {
    args: argumentsOf(skill.signature, input),
    grants: grantsOf(capabilities),
    environment,
    host,
  };
  const [result] = await sandbox.execute(
    { program: skill.program, calls: [call], limits, fresh: true },
    signal,
  );
  if (result === undefined) throw new Error("the sandbox owes one result per call");
  return result.trace;
}
