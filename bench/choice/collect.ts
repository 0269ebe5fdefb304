/**
 * Puts faults into the corpus, searches for repairs from a few visible cases, and tells of every
 * plausible edit what it does on generated questions and whether it is right on cases kept back.
 * `node bench/choice/collect.ts OUT.jsonl [faults per function] [part/parts]`; `fit.ts` reads it.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { createCapabilityHosts } from "../../src/adapters/capabilities/capability-hosts.ts";
import { createIsolateSandbox } from "../../src/adapters/isolate/isolate-sandbox.ts";
import { createEditor } from "../../src/adapters/morph/process-editor.ts";
import type { Case } from "../../src/domain/case.ts";
import type { Diagnosis, JudgedCase } from "../../src/domain/incident.ts";
import { canonical } from "../../src/domain/json.ts";
import { judge } from "../../src/domain/judge.ts";
import { DEFAULT_REWARD } from "../../src/domain/reward.ts";
import { DEFAULT_LIMITS, type Program, type Skill } from "../../src/domain/skill.ts";
import { localise } from "../../src/domain/localise.ts";
import { examine } from "../../src/examine/examine.ts";
import type { Mutation } from "../../src/ports/editor.ts";
import type { ProposalRequest } from "../../src/ports/proposer.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { agreementOf } from "../../src/proposers/search/agree.ts";
import { evidenceOf } from "../../src/proposers/search/evidence.ts";
import { pairs } from "../../src/proposers/search/pairs.ts";
import { synthesised } from "../../src/proposers/search/synthesis/synthesis.ts";
import { ranked } from "../../src/proposers/search/rank.ts";
import { REMOTE_HOSTS } from "./corpus-remote.ts";
import { CORPUS } from "./corpus.ts";
import { drawOf, type Draw, type Sound } from "./draw.ts";
import { scriptSandbox } from "./script-sandbox.ts";

/** Edits looked at for each fault, and cases kept back. */
const LOOKED = 2_500;
const KEPT_BACK = 60;

/** Longest time for new expressions, and for pairs, in milliseconds. */
const MORE_MS = 1_500;

/** Where a search may stop that found its first plausible edit at a place of the list. */
const STOPS = [
  { name: "short", until: (first: number) => first + Math.max(200, first) },
  { name: "far", until: (first: number) => first + Math.max(1_000, 2 * first) },
  { name: "all", until: () => Infinity },
];

const [out = "choice.jsonl", perFunction = "8", part = "0/1"] = process.argv.slice(2);
const [own = 0, parts = 1] = part.split("/").map(Number);
const signal = new AbortController().signal;
const editor = createEditor();
const scripts = scriptSandbox();
const isolates = createIsolateSandbox({ warm: 1, most: 1 });
const sandbox: Sandbox = {
  ...scripts,
  execute: (execution, until) =>
    (execution.program.takesCtx ? isolates : scripts).execute(execution, until),
};
const hosts = createCapabilityHosts({
  store: {
    kvGet: () => undefined,
    kvSet: () => undefined,
    kvDelete: () => undefined,
    kvList: () => [],
  },
  now: Date.now,
});
const ports = {
  sandbox,
  hosts,
  unrecorded: "closed" as const,
  judgeCase: async (
    _: Skill,
    { expectation }: Case,
    { outcome }: { outcome: JudgedCase["outcome"] },
  ) =>
    expectation.kind === "reward" ? { passed: false, reason: "" } : judge(outcome, expectation),
};

/** All cases in one room, since no function here keeps anything. */
const HASTE = { fresh: false, unconfirmed: true };

let lastFaults: { text: string; faults: readonly Mutation[] } = { text: "", faults: [] };

writeFileSync(out, "");
for (const [index, sound] of CORPUS.entries()) {
  if (index % parts !== own) continue;
  const draw = drawOf(2_000 + index);
  for (let fault = 0; fault < Number(perFunction); fault += 1) {
    const row = await studied(sound, draw).catch((error: unknown) => {
      process.stderr.write(`${index}: ${String(error)}\n`);
      return null;
    });
    if (row !== null) appendFileSync(out, `${JSON.stringify({ function: index, ...row })}\n`);
  }
}
await editor[Symbol.asyncDispose]();
await isolates[Symbol.asyncDispose]();

/** One fault and what came of the search for its repair; null where the cases do not show it. */
async function studied(sound: Sound, draw: Draw): Promise<object | null> {
  const right = await programOf(sound.source);
  const faulty = await faultyOf(sound.source, draw);
  if (faulty === null) return null;
  const distinct = new Map<string, Asked>();
  for (let at = 0; at < 200 && distinct.size < KEPT_BACK + 6; at += 1) {
    const args = sound.args(draw);
    const world = sound.world?.(draw, args) ?? {};
    distinct.set(canonical([args, world.fetch ?? []]), { args, world });
  }
  const cases = await casesOf({ ...faulty, program: right }, [...distinct.values()]);
  const shown = draw.of([1, 2, 2, 3, 3, 4, 4, 5, 6]);
  const before = await passing(faulty.program, faulty, cases);
  const failing = cases.filter((_, at) => before[at] === false);
  if (failing.length === 0) return null;
  const others = cases.filter((of) => of !== failing[0]);
  const visible = [failing[0] as Case, ...others.slice(0, shown - 1)];
  const heldOut = others.slice(shown - 1);
  if (heldOut.length < 8) return null;
  const skill = { ...faulty, cases: visible };
  const diagnosis = await diagnosed(skill);
  const request = { skill, diagnosis, seed: 1, budgetMs: 1e6 };
  const found = await plausibleOf(request, heldOut);
  const failingShown = diagnosis.judged.filter(({ passed }) => !passed).length;
  const told = {
    shown,
    failing: failingShown,
    operator: faulty.description,
    stops: [] as Stop[],
  };
  const first = found[0]?.at;
  if (first === undefined) return told;
  for (const { name, until } of STOPS) {
    const some = found.filter(({ at }) => at <= until(first));
    const last = told.stops.at(-1);
    if (last?.plausible === some.length) {
      told.stops.push({ ...last, name });
      continue;
    }
    const asking = { ...ports, editor, parallel: 1, isOver: () => false };
    const { clusters, traits, promise } = await agreementOf(some, request, asking, signal);
    told.stops.push({
      name,
      plausible: some.length,
      evidence: evidenceOf(diagnosis.judged, { first, promise }),
      clusters: clusters.map((cluster, at) => {
        const [best] = ranked(cluster.members) as Found[];
        const members = cluster.members as readonly Found[];
        return {
          traits: traits[at],
          right: best?.right,
          first: ranked(some)[0] === best,
          size: members.length,
          mixed: new Set(members.map(({ right }) => right)).size > 1,
          edits: best?.edits,
          operator: best?.operator,
        };
      }),
    });
  }
  const seen = diagnosis.judged.map(({ case: { args, expectation }, outcome }) => ({
    args,
    expectation,
    outcome,
  }));
  return { ...told, source: skill.source, cases: seen };
}

type Stop = {
  readonly name: string;
  readonly plausible: number;
  readonly evidence: object;
  readonly clusters: readonly object[];
};

type Found = Mutation & { readonly at: number; readonly right: boolean };

/** Every edit that satisfies the visible cases, in the order of the search; pairs where no single does. */
async function plausibleOf(request: ProposalRequest, heldOut: readonly Case[]): Promise<Found[]> {
  const { skill, diagnosis } = request;
  const found: Found[] = [];
  let looked = 0;
  const weigh = async (mutations: readonly Mutation[]): Promise<void> => {
    for (const mutation of mutations) {
      looked += 1;
      if (!(await passesAll(mutation.program, skill, skill.cases))) continue;
      const isRight = await passesAll(mutation.program, skill, heldOut);
      found.push({ ...mutation, at: looked, right: isRight });
    }
  };
  for (let offset = 0; offset < LOOKED; offset += 500) {
    const source = { text: skill.source, language: "js" as const, entry: null };
    const search = { suspicions: diagnosis.suspicions, offset, limit: 500 };
    const mutations = await editor.enumerate(source, search, signal);
    await weigh(mutations);
    if (mutations.length < 500) break;
  }
  for (const source of [synthesised, pairs]) {
    const endsAt = performance.now() + MORE_MS;
    const isOver = (): boolean => found.length > 0 || performance.now() > endsAt;
    if (isOver()) break;
    const means = { ...ports, editor, parallel: 1, isOver, isLocalised: true };
    for await (const some of source(request, means, signal)) await weigh(some);
  }
  return found;
}

async function programOf(source: string): Promise<Program> {
  const inspected = await editor.inspect({ text: source, language: "js", entry: null }, signal);
  if (inspected.status === "unsound") throw new Error(JSON.stringify(inspected.problems));
  return inspected.program;
}

/** The source with one fault in it, or two. */
async function faultyOf(source: string, draw: Draw): Promise<Skill | null> {
  let text = source;
  let operator = "";
  for (let left = draw.below(3) === 0 ? 2 : 1; left > 0; left -= 1) {
    const of = { text, language: "js" as const, entry: null };
    const mutations = await faultsOf(of);
    if (mutations.length === 0) return null;
    const byOperator = [...Map.groupBy(mutations, (one) => one.operator).values()];
    const mutation = draw.of(draw.of(byOperator));
    const edited = await editor.apply(of, mutation.edits, signal);
    if (edited.status === "refused") return null;
    ({ text } = edited);
    operator += `${mutation.operator} `;
  }
  const inspected = await editor.inspect({ text, language: "js", entry: null }, signal);
  if (inspected.status === "unsound") return null;
  const { status: _, ...contract } = inspected;
  return {
    ...contract,
    name: "sample",
    version: "v1",
    description: operator,
    manifest: {
      kind: "function",
      capabilities: { fetch: REMOTE_HOSTS },
      reward: DEFAULT_REWARD,
      limits: { ...DEFAULT_LIMITS, timeoutMs: 100 },
      review: "critical",
    },
    language: "js",
    source: text,
    cases: [],
    files: {},
  };
}

type Source = Parameters<typeof editor.enumerate>[0];

/** The faults that can be put into a source: the search's own edits of it, kept for the last one. */
async function faultsOf(source: Source): Promise<readonly Mutation[]> {
  if (lastFaults.text !== source.text) {
    const search = { suspicions: [], offset: 0, limit: 4_000 };
    const faults = await editor.enumerate(source, search, signal);
    // A second fault is put into many sources, each of them once.
    if (!CORPUS.some((one) => one.source === source.text)) return faults;
    lastFaults = { text: source.text, faults };
  }
  return lastFaults.faults;
}

type Asked = Pick<Case, "args" | "world">;

/** What is right for some inputs; those on which a sound program breaks are none for it. */
async function casesOf(skill: Skill, inputs: readonly Asked[]): Promise<Case[]> {
  const expectation = { kind: "value", value: null } as const;
  const cases = inputs.map((of, at) => ({ ...of, name: `case ${at}`, expectation }));
  const { judged } = await examine({ skill, cases, ...HASTE }, ports, signal);
  return judged.flatMap(({ case: of, outcome }): Case[] => {
    if (outcome.status === "threw" && outcome.error.message !== "") {
      const { message } = outcome.error;
      return [{ ...of, expectation: { kind: "throws", message } }];
    }
    if (outcome.status !== "returned") return [];
    return [{ ...of, expectation: { kind: "value", value: outcome.value } }];
  });
}

async function passing(program: Program, skill: Skill, cases: readonly Case[]): Promise<boolean[]> {
  const { judged } = await examine({ skill, cases, program, ...HASTE }, ports, signal);
  return judged.map(({ passed }) => passed);
}

/** The same for all of them, the first ones by themselves: most programs fail one of the first. */
async function passesAll(program: Program, skill: Skill, cases: readonly Case[]): Promise<boolean> {
  for (const some of [cases.slice(0, 1), cases.slice(1, 2), cases.slice(2)]) {
    if (!(await passing(program, skill, some)).every(Boolean)) return false;
  }
  return true;
}

async function diagnosed(skill: Skill): Promise<Diagnosis> {
  const source = { text: skill.source, language: "js" as const, entry: null };
  const { program, sites } = await editor.instrument(source, signal);
  const { cases } = skill;
  const { judged } = await examine({ skill, cases }, ports, signal);
  const { hits } = await examine({ skill, cases, program, witness: true }, ports, signal);
  const coverages = judged.map(({ passed, outcome }, at) => ({
    passed,
    outcome,
    hits: hits[at] ?? [],
  }));
  const [failing] = judged;
  if (failing === undefined) throw new Error("no case");
  return {
    incidentId: "i",
    failureClass: "wrong-value",
    failing,
    judged,
    suspicions: localise(sites, coverages),
    tried: [],
    summary: "",
  };
}
