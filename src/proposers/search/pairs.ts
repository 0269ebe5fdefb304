import type { Edit } from "../../domain/candidate.ts";
import { canonical } from "../../domain/json.ts";
import { localise } from "../../domain/localise.ts";
import type { SearchPart } from "../../domain/search-part.ts";
import type { Program, Skill } from "../../domain/skill.ts";
import { spliceBetween } from "../../domain/splice-between.ts";
import type { Outcome } from "../../domain/trace.ts";
import { examine, type ExaminePorts } from "../../examine/examine.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { ProposalRequest } from "../../ports/proposer.ts";
import { closeness } from "./closeness.ts";
import { progressTogether, type Progress } from "./progress.ts";
import { synthesised } from "./synthesis/synthesis.ts";
import { wantedErrorsOf } from "./wanted-errors.ts";

/** Single edits that are looked at as parents, and parents that get second edits. */
const LOOKED_AT = 960;
const PARENTS = 8;

/** Single edits that are looked at together, and the time for that, in milliseconds. */
const AT_ONCE = 240;
const TOGETHER_MS = 700;

/** Second edits of one parent, in batches that the parents take in turn. */
const BATCH = 48;
const MOST_OF_ONE = 480;

/** Second edits of each parent before new expressions are made for the best of them. */
const BEFORE_SYNTHESIS = 2 * BATCH;
const SYNTHESISED = 2;

/** Longest time of one case here, in milliseconds. */
const CASE_MS = 200;

/** Least gain that makes a parent, in cases. */
const LEAST_GAIN = 0.01;

export type PairPorts = Omit<ExaminePorts, "unrecorded"> & {
  readonly editor: Editor;
  readonly parallel: number;
  readonly isOver: () => boolean;
  /** Whether some places are more suspicious than others. */
  readonly isLocalised: boolean;
  readonly without?: readonly SearchPart[];
};

/**
 * Pairs of edits, guided by partial progress: parents are single edits after which some failing
 * case passes, or comes nearer to what is expected, and none that passed is lost. Second edits are
 * those of the parent's own source at the places that are suspicious there, and new expressions for
 * those of the best parents. Never by brute force: an edit without progress has no children (as in
 * genetic repair, but with one elitist generation; Le Goues et al., GenProg, TSE 2012).
 */
export async function* pairs(
  request: ProposalRequest,
  ports: PairPorts,
  signal: AbortSignal,
): AsyncGenerator<readonly Mutation[]> {
  const { skill } = request;
  const brief = { ...skill, manifest: { ...skill.manifest, limits: limitsOf(skill) } };
  const parents = await parentsOf({ ...request, skill: brief }, ports, signal);
  const lines: Line[] = [];
  for (const parent of parents) {
    if (ports.isOver()) return;
    const line = await lineOf(parent, { ...request, skill: brief }, ports, signal);
    if (line !== null) lines.push(line);
  }
  for (let offset = 0; offset < MOST_OF_ONE; offset += BATCH) {
    if (offset === BEFORE_SYNTHESIS && ports.without?.includes("synthesis") !== true) {
      for (const line of lines.slice(0, SYNTHESISED)) {
        for await (const seconds of synthesised(line.request, ports, signal)) {
          yield seconds.map((second) => paired(skill.source, line, second));
        }
      }
    }
    for (const line of lines) {
      if (ports.isOver()) return;
      const seconds = await secondsOf(line, offset, ports, signal);
      if (seconds.length > 0) yield seconds.map((second) => paired(skill.source, line, second));
    }
  }
}

function limitsOf({ manifest: { limits } }: Skill): Skill["manifest"]["limits"] {
  return { ...limits, timeoutMs: Math.min(limits.timeoutMs, CASE_MS) };
}

type Parent = Progress & { readonly mutation: Mutation };

/** The single edits with the most progress, one of each behaviour. */
async function parentsOf(
  request: ProposalRequest,
  ports: PairPorts,
  signal: AbortSignal,
): Promise<readonly Parent[]> {
  const { skill, diagnosis } = request;
  const source = { text: skill.source, language: skill.language, entry: skill.signature.name };
  const { suspicions } = diagnosis;
  const found: Parent[] = [];
  for (let offset = 0; offset < LOOKED_AT && !ports.isOver(); offset += AT_ONCE) {
    const wantedErrors = wantedErrorsOf(diagnosis);
    const search = { suspicions, wantedErrors, offset, limit: AT_ONCE };
    const mutations = await ports.editor.enumerate(source, search, signal);
    const asked = { request, budgetMs: TOGETHER_MS };
    const known = await progressTogether(mutations, asked, ports, signal);
    const judged =
      known?.flatMap((progress, at) =>
        progress === null ? [] : [{ mutation: mutations[at] as Mutation, ...progress }],
      ) ?? (await progressAlone(offset === 0 ? mutations : [], request, ports, signal));
    found.push(...judged.filter(({ gain }) => gain >= LEAST_GAIN));
    if (mutations.length < AT_ONCE) break;
  }
  const best = found.toSorted((a, b) => b.gain - a.gain || b.mutation.prior - a.mutation.prior);
  const isFirst = ({ key }: Parent, at: number): boolean =>
    best.findIndex((other) => other.key === key) === at;
  return best.filter(isFirst).slice(0, PARENTS);
}

/** The same for one program after the other, where they cannot be sifted. */
async function progressAlone(
  mutations: readonly Mutation[],
  request: ProposalRequest,
  ports: PairPorts,
  signal: AbortSignal,
): Promise<readonly Parent[]> {
  const found: Parent[] = [];
  for (let at = 0; at < mutations.length && !ports.isOver(); at += ports.parallel) {
    const some = mutations.slice(at, at + ports.parallel);
    const judged = some.map(async (mutation) => ({
      mutation,
      ...(await progressOf(mutation.program, request, ports, signal)),
    }));
    found.push(...(await Promise.all(judged)));
  }
  return found;
}

/** How much nearer a program brings the failing cases, in cases; below 0 where it loses one. */
async function progressOf(
  program: Program,
  { skill, diagnosis }: ProposalRequest,
  ports: PairPorts,
  signal: AbortSignal,
): Promise<Progress> {
  const cases = diagnosis.judged.map((one) => one.case);
  const asked = { skill, cases, program, unconfirmed: true };
  const { judged } = await examine(asked, { ...ports, unrecorded: "closed" }, signal);
  const isLost = judged.some(({ passed }, at) => !passed && diagnosis.judged[at]?.passed === true);
  const key = canonical(judged.map(({ outcome }) => outcomeKey(outcome)));
  if (isLost) return { gain: -1, key };
  const gains = judged.map((one, at) => {
    const before = diagnosis.judged[at];
    if (before === undefined || before.passed) return 0;
    return closeness(one.outcome, one.case) - closeness(before.outcome, before.case);
  });
  return { gain: gains.reduce((sum, gain) => sum + gain, 0), key };
}

function outcomeKey(outcome: Outcome): string {
  return outcome.status === "returned" ? canonical(outcome.value) : outcome.status;
}

/** A parent's source, where it is suspicious, and what is asked of it. */
type Line = {
  readonly parent: Parent;
  readonly request: ProposalRequest;
  readonly source: Parameters<Editor["enumerate"]>[0];
  readonly suspicions: Parameters<Editor["enumerate"]>[1]["suspicions"];
};

async function lineOf(
  parent: Parent,
  request: ProposalRequest,
  ports: PairPorts,
  signal: AbortSignal,
): Promise<Line | null> {
  const { skill, diagnosis } = request;
  const before = { text: skill.source, language: skill.language, entry: skill.signature.name };
  const edited = await ports.editor.apply(before, parent.mutation.edits, signal);
  if (edited.status === "refused") return null;
  const source = { ...before, text: edited.text };
  const { program, sites } = await ports.editor.instrument(source, signal);
  const cases = diagnosis.judged.map((one) => one.case);
  const asked = { skill, cases, program, witness: true, unconfirmed: true };
  const { judged, hits } = await examine(asked, { ...ports, unrecorded: "closed" }, signal);
  const coverages = judged.map(({ passed, outcome }, at) => ({
    passed,
    outcome,
    hits: hits[at] ?? [],
  }));
  const suspicions = ports.isLocalised ? localise(sites, coverages) : [];
  const failing = judged.find(({ passed }) => !passed) ?? diagnosis.failing;
  const edit = { ...skill, source: source.text, program: parent.mutation.program };
  const own = { ...request, skill: edit, diagnosis: { ...diagnosis, judged, failing, suspicions } };
  return { parent, request: own, source, suspicions };
}

async function secondsOf(
  { source, suspicions, request }: Line,
  offset: number,
  { editor }: PairPorts,
  signal: AbortSignal,
): Promise<readonly Mutation[]> {
  const wantedErrors = wantedErrorsOf(request.diagnosis);
  const search = { suspicions, wantedErrors, offset, limit: BATCH };
  return await editor.enumerate(source, search, signal);
}

/** Both edits as one of the first source. */
function paired(text: string, line: Line, second: Mutation): Mutation {
  const after = spliced(line.source.text, second.edits);
  const prior = line.parent.mutation.prior * second.prior;
  const edit = { op: "splice", ...spliceBetween(text, after) } as const;
  return { edits: [edit], operator: "pair", prior, program: second.program };
}

function spliced(text: string, edits: readonly Edit[]): string {
  let after = "";
  let at = 0;
  for (const edit of edits) {
    if (edit.op !== "splice") throw new Error("enumerated edits are splices");
    after += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return after + text.slice(at);
}
