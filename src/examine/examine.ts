import type { Case, FetchRule } from "../domain/case.ts";
import type { JudgedCase } from "../domain/incident.ts";
import type { Capabilities, CapabilityName, Program, Skill } from "../domain/skill.ts";
import { CAPABILITY_NAMES, isWords } from "../domain/skill.ts";
import { environmentOf } from "../domain/world.ts";
import type { CapabilityHosts, RecordingHost } from "../ports/capabilities.ts";
import type { JudgeCase } from "../ports/judge.ts";
import type { CallResult, Sandbox } from "../ports/sandbox.ts";

export type ExaminePorts = {
  readonly sandbox: Sandbox;
  readonly hosts: CapabilityHosts;
  readonly judgeCase: JudgeCase;
  /** What a request gets that no recording answers. */
  readonly unrecorded: "closed" | "reading";
};

export type Examination = {
  readonly judged: readonly JudgedCase[];
  /** What had to be asked of the live world, by the position of the case. */
  readonly recorded: readonly (readonly FetchRule[])[];
  /** Sites passed, by the position of the case, where the program is instrumented. */
  readonly hits: readonly (readonly number[])[];
};

/**
 * Puts the questions of some cases to a skill, or to another program in its place, and judges the
 * answers on the host. The guest never sees what is expected.
 */
export async function examine(
  input: {
    readonly skill: Skill;
    readonly cases: readonly Case[];
    readonly program?: Program;
    readonly fresh?: boolean;
    readonly witness?: boolean;
    /** A timeout counts after one run: for search, where it costs little. */
    readonly unconfirmed?: boolean;
  },
  ports: ExaminePorts,
  signal: AbortSignal,
): Promise<Examination> {
  const { skill, cases } = input;
  const asked = cases.map((of) => askedOf(of, skill, ports));
  const results = await ports.sandbox.execute(
    {
      program: input.program ?? skill.program,
      calls: asked.map(({ call }) => call),
      limits: skill.manifest.limits,
      fresh: input.fresh ?? true,
      witness: input.witness ?? false,
      unconfirmed: input.unconfirmed ?? false,
    },
    signal,
  );
  const judged: JudgedCase[] = [];
  for (const [at, of] of cases.entries()) {
    judged.push(await judgedOf(of, results[at], { skill, judgeCase: ports.judgeCase, signal }));
  }
  return {
    judged,
    recorded: asked.map(({ host }) => host.recorded),
    hits: results.map(({ hits }) => hits),
  };
}

/** The names of what a manifest grants. */
export function grantsOf(capabilities: Capabilities): CapabilityName[] {
  return CAPABILITY_NAMES.filter((name) => {
    const grant = capabilities[name];
    return grant !== undefined && grant !== false && !(Array.isArray(grant) && grant.length === 0);
  });
}

function askedOf(
  of: Case,
  skill: Skill,
  { hosts, unrecorded }: ExaminePorts,
): {
  readonly host: RecordingHost;
  readonly call: Parameters<Sandbox["execute"]>[0]["calls"][number];
} {
  const { capabilities } = skill.manifest;
  // Wording is judged by what the model says to it now.
  const host = hosts.table(of.world, capabilities, isWords(skill) ? "reading" : unrecorded);
  const call = {
    args: of.args,
    grants: grantsOf(capabilities),
    environment: environmentOf(of.world),
    host,
  };
  return { host, call };
}

async function judgedOf(
  of: Case,
  result: CallResult | undefined,
  by: { readonly skill: Skill; readonly judgeCase: JudgeCase; readonly signal: AbortSignal },
): Promise<JudgedCase> {
  if (result === undefined) throw new Error("the sandbox owes one result per call");
  const { trace } = result;
  const { passed, reason } = await by.judgeCase(by.skill, of, trace, by.signal);
  return { case: of, outcome: trace.outcome, trace, passed, reason };
}
