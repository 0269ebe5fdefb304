import { createCapabilityHosts } from "../../src/adapters/capabilities/capability-hosts.ts";
import { createIsolateSandbox } from "../../src/adapters/isolate/isolate-sandbox.ts";
import { createEditor } from "../../src/adapters/morph/process-editor.ts";
import type { Case } from "../../src/domain/case.ts";
import type { Json } from "../../src/domain/json.ts";
import { judge } from "../../src/domain/judge.ts";
import { DEFAULT_REWARD } from "../../src/domain/reward.ts";
import { DEFAULT_LIMITS, type Skill } from "../../src/domain/skill.ts";
import type { Trace } from "../../src/domain/trace.ts";
import { examine } from "../../src/examine/examine.ts";
import type { Mutation } from "../../src/ports/editor.ts";
import type { ProposalRequest } from "../../src/ports/proposer.ts";
import { Sieve } from "../../src/proposers/search/sieve.ts";
import { Trial } from "../../src/proposers/search/trial.ts";
import { SAMPLES, type Sample } from "./functions.ts";

/** Candidates of one function at most. */
const MOST = 512;

/** The slow way is shown every so many candidates: it would take minutes for all. */
const EVERY = 5;

export type Work = {
  readonly candidates: number;
  readonly passing: number;
  readonly peakMb: number;
};

const { signal } = new AbortController();

/** All samples, sifted once, with what is let through tried for itself. */
export function sifting(rounds: number): Promise<Work> {
  return working(rounds, async (...of) => await sifted(of, 0));
}

/** The same with second chances for what ran out of fuel, as much as a search of ten seconds gives. */
export function patient(rounds: number): Promise<Work> {
  return working(rounds, async (...of) => await sifted(of, 1_500));
}

/** Some candidates of all samples, each tried in a fresh isolate. */
export function freshIsolates(rounds: number): Promise<Work> {
  return working(rounds, async (ports, request, mutations) => {
    const trial = new Trial(request, ports);
    const some = mutations.filter((_, at) => at % EVERY === 0);
    let passing = 0;
    for (const { program } of some) if (await trial.passes(program, signal)) passing += 1;
    return { candidates: some.length, passing };
  });
}

/** All candidates of all samples, made and not tried: what the others do besides. */
export function making(rounds: number): Promise<Work> {
  return working(rounds, async (_, __, mutations) => ({
    candidates: mutations.length,
    passing: 0,
  }));
}

type Ports = ReturnType<typeof portsOf>;
type Does = (
  ports: Ports,
  request: ProposalRequest,
  mutations: readonly Mutation[],
) => Promise<Pick<Work, "candidates" | "passing">>;

async function sifted(
  [ports, request, mutations]: Parameters<Does>,
  patienceMs: number,
): ReturnType<Does> {
  const hopes = await new Sieve(request, ports).sift(mutations, signal, 10_000, patienceMs);
  const trial = new Trial(request, ports);
  let passing = 0;
  for (const [at, { program }] of mutations.entries()) {
    const hope = hopes[at];
    if (hope === "likely" && (await trial.confirms(program, signal))) passing += 1;
    if (hope === "unknown" && (await trial.passes(program, signal))) passing += 1;
  }
  return { candidates: mutations.length, passing };
}

async function working(rounds: number, does: Does): Promise<Work> {
  const ports = portsOf();
  await using sandbox = ports.sandbox;
  await using editor = ports.editor;
  void sandbox;
  // What starts with the first use is no part of the work.
  await requestOf(SAMPLES[0] as Sample, ports);
  let [candidates, passing] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    for (const sample of SAMPLES) {
      const request = await requestOf(sample, ports);
      const { source: text, language } = request.skill;
      const mutations = await editor.enumerate(
        { text, language, entry: sample.name },
        { suspicions: [], offset: 0, limit: MOST },
        signal,
      );
      const done = await does(ports, request, mutations);
      candidates += done.candidates;
      passing += done.passing;
    }
  }
  return { candidates, passing, peakMb: Math.round(process.resourceUsage().maxRSS / 1024) };
}

function portsOf() {
  const store = {
    kvGet: () => undefined,
    kvSet: () => undefined,
    kvDelete: () => undefined,
    kvList: () => [],
  };
  return {
    editor: createEditor(),
    sandbox: createIsolateSandbox({ warm: 1, most: 1 }),
    hosts: createCapabilityHosts({ store, now: Date.now }),
    judgeCase: async (_: Skill, { expectation }: Case, { outcome }: Trace) =>
      expectation.kind === "reward" ? { passed: false, reason: "" } : judge(outcome, expectation),
  };
}

/** The faulty version of a sample with its cases, all of them visible. */
async function requestOf(sample: Sample, ports: Ports): Promise<ProposalRequest> {
  const right = await skillOf(sample, sample.source, ports);
  const asked = sample.inputs.map((args, at): Case => {
    const expectation = { kind: "value", value: null } as const;
    return { name: `case ${at + 1}`, args, expectation, world: {} };
  });
  const examining = { ...ports, unrecorded: "closed" } as const;
  const answers = await examine({ skill: right, cases: asked }, examining, signal);
  const cases = answers.judged.map(({ case: of, outcome }) => {
    const value: Json = outcome.status === "returned" ? outcome.value : null;
    return { ...of, expectation: { kind: "value", value } as const };
  });
  const skill = await skillOf(sample, sample.source.replace(...sample.fault), ports);
  const { judged } = await examine({ skill, cases }, examining, signal);
  const failing = judged.find(({ passed }) => !passed);
  if (failing === undefined) throw new Error(`the fault of ${sample.name} breaks nothing`);
  const diagnosis = {
    incidentId: "bench",
    failureClass: "wrong-value",
    failing,
    judged,
    suspicions: [],
    tried: [],
    summary: "",
  } as const;
  return { skill, diagnosis, seed: 1, budgetMs: 600_000 };
}

async function skillOf({ name }: Sample, source: string, { editor }: Ports): Promise<Skill> {
  const inspection = await editor.inspect({ text: source, language: "js", entry: name }, signal);
  if (inspection.status === "unsound") throw new Error(JSON.stringify(inspection.problems));
  const { signature, inputSchema, outputSchema, program, digest } = inspection;
  const manifest = {
    kind: "function",
    capabilities: {},
    reward: DEFAULT_REWARD,
    limits: DEFAULT_LIMITS,
    review: "critical",
  } as const;
  const text = { language: "js", source, program, digest, files: {} } as const;
  const contract = { signature, inputSchema, outputSchema, cases: [], description: "" };
  return { name, version: "1", manifest, ...text, ...contract };
}
