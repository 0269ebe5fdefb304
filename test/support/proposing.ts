import { createCapabilityHosts } from "../../src/adapters/capabilities/capability-hosts.ts";
import { createIsolateSandbox } from "../../src/adapters/isolate/isolate-sandbox.ts";
import { createEditor } from "../../src/adapters/morph/process-editor.ts";
import type { Proposal } from "../../src/domain/candidate.ts";
import type { Case, FetchRule } from "../../src/domain/case.ts";
import type { Diagnosis } from "../../src/domain/incident.ts";
import type { Json } from "../../src/domain/json.ts";
import { judge } from "../../src/domain/judge.ts";
import { DEFAULT_REWARD } from "../../src/domain/reward.ts";
import { DEFAULT_LIMITS, type Capabilities, type Skill } from "../../src/domain/skill.ts";
import { examine } from "../../src/examine/examine.ts";
import type { JudgeCase } from "../../src/ports/judge.ts";
import type { Proposer } from "../../src/ports/proposer.ts";
import { reflect } from "../../src/stages/3-reflect.ts";

/** The real editor, sandbox and hosts, for a proposer to work with. */
export class Bench implements AsyncDisposable {
  readonly editor = createEditor();
  readonly sandbox = createIsolateSandbox({ warm: 2, most: 2 });
  readonly hosts = createCapabilityHosts({
    store: {
      kvGet: () => undefined,
      kvSet: () => undefined,
      kvDelete: () => undefined,
      kvList: () => [],
    },
    now: Date.now,
  });
  readonly unrecorded = "closed";
  readonly judgeCase: JudgeCase = async (_, { expectation }, { outcome }) =>
    expectation.kind === "reward"
      ? { passed: false, reason: "not asked here" }
      : judge(outcome, expectation);

  /** A skill of this source with these visible cases. */
  async skill(source: string, cases: readonly Case[], capabilities: Capabilities): Promise<Skill> {
    const inspection = await this.editor.inspect(
      { text: source, language: "ts", entry: null },
      AbortSignal.timeout(30_000),
    );
    if (inspection.status === "unsound") throw new Error(JSON.stringify(inspection.problems));
    const { signature, inputSchema, outputSchema, program, digest } = inspection;
    return {
      name: "sample",
      version: "v1",
      description: "A sample.",
      manifest: {
        kind: "function",
        capabilities,
        reward: DEFAULT_REWARD,
        limits: DEFAULT_LIMITS,
        review: "critical",
      },
      language: "ts",
      source,
      digest,
      program,
      signature,
      inputSchema,
      outputSchema,
      cases,
      files: {},
    };
  }

  /** What reflection finds in a skill, of which some case fails. */
  async diagnose(skill: Skill): Promise<Diagnosis> {
    const signal = AbortSignal.timeout(60_000);
    const { judged } = await examine({ skill, cases: skill.cases }, this, signal);
    const failing = judged.find(({ passed }) => !passed);
    if (failing === undefined) throw new Error("no case fails");
    const asked = { incidentId: "i1", skill, failing: failing.case, tried: [] };
    const ports = { ...this.#ports(), minimise: async (): Promise<Case> => failing.case };
    const reflection = await reflect(asked, ports, signal);
    if (reflection.status !== "diagnosed") throw new Error(reflection.status);
    return reflection.diagnosis;
  }

  /** All proposals for a skill, each with the source it leaves, and the number of programs tried. */
  async proposalsOf(
    proposer: Proposer,
    skill: Skill,
    budgetMs = 20_000,
  ): Promise<{
    readonly proposals: readonly (Proposal & { text: string })[];
    readonly tried: number;
  }> {
    const signal = AbortSignal.timeout(60_000);
    const proposals: (Proposal & { text: string })[] = [];
    let tried = 0;
    const request = { skill, diagnosis: await this.diagnose(skill), seed: 1, budgetMs };
    for await (const news of proposer.propose(request, signal)) {
      if (news.kind === "tried") tried += news.programs;
      else
        proposals.push({ ...news.proposal, text: await this.#after(skill, news.proposal, signal) });
    }
    return { proposals, tried };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.editor[Symbol.asyncDispose](), this.sandbox[Symbol.asyncDispose]()]);
  }

  async #after(skill: Skill, { edits }: Proposal, signal: AbortSignal): Promise<string> {
    const source = { text: skill.source, language: skill.language, entry: null };
    const edited = await this.editor.apply(source, edits, signal);
    return edited.status === "edited" ? edited.text : `refused: ${edited.reason}`;
  }

  #ports(): Pick<Bench, "editor" | "sandbox" | "hosts" | "judgeCase" | "unrecorded"> {
    const { editor, sandbox, hosts, judgeCase, unrecorded } = this;
    return { editor, sandbox, hosts, judgeCase, unrecorded };
  }
}

/** A case that expects a value, in a world of recorded answers. */
export function aCase(
  name: string,
  args: readonly Json[],
  value: Json,
  fetch: readonly FetchRule[] = [],
): Case {
  return { name, args, expectation: { kind: "value", value }, world: { fetch } };
}
