import type { Edit } from "../../domain/candidate.ts";
import { canonical } from "../../domain/json.ts";
import { localise } from "../../domain/localise.ts";
import type { Program, Skill } from "../../domain/skill.ts";
import { spliceBetween } from "../../domain/splice-between.ts";
import type { Outcome } from "../../domain/trace.ts";
import { examine, type ExaminePorts } from "../../examine/examine.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { ProposalRequest } from "../../ports/proposer.ts";
import { closeness } from "./closeness.ts";

/** Single edits that are looked at as parents, and parents that get second edits. */
const LOOKED_AT = 240;
const PARENTS = 8;

/** Second edits of one parent, in batches that the parents take in turn. */
const BATCH = 48;
const MOST_OF_ONE = 480;

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
};

/**
 * Pairs of edits, guided by partial progress: parents are single edits after which some failing
 * case passes, or comes nearer to what is expected, and none that passed is lost. Second edits are
 * those of the parent's own source at the places that are suspicious there. Never by brute force:
 * an edit without progress has no children (as in genetic repair, but with one elitist generation;
 * Le Goues et al., GenProg, TSE 2012).
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

type Parent = { readonly mutation: Mutation; readonly gain: number; readonly key: string };

/** The single edits with the most progress, one of each behaviour. */
async function parentsOf(
  request: ProposalRequest,
  ports: PairPorts,
  signal: AbortSignal,
): Promise<readonly Parent[]> {
  const { skill, diagnosis } = request;
  const source = { text: skill.source, language: skill.language, entry: skill.signature.name };
  const { suspicions } = diagnosis;
  const search = { suspicions, offset: 0, limit: LOOKED_AT };
  const mutations = await ports.editor.enumerate(source, search, signal);
  const found: Parent[] = [];
  for (let at = 0; at < mutations.length && !ports.isOver(); at += ports.parallel) {
    const some = mutations.slice(at, at + ports.parallel);
    const judged = await Promise.all(
      some.map(async (mutation) => ({
        mutation,
        ...(await progressOf(mutation.program, request, ports, signal)),
      })),
    );
    found.push(...judged.filter(({ gain }) => gain >= LEAST_GAIN));
  }
  const best = found.toSorted((a, b) => b.gain - a.gain || b.mutation.prior - a.mutation.prior);
  const isFirst = ({ key }: Parent, at: number): boolean =>
    best.findIndex((other) => other.key === key) === at;
  return best.filter(isFirst).slice(0, PARENTS);
}

/** How much nearer a program brings the failing cases, in cases; below 0 where it loses one. */
async function progressOf(
  program: Program,
  { skill, diagnosis }: ProposalRequest,
  ports: PairPorts,
  signal: AbortSignal,
): Promise<Pick<Parent, "gain" | "key">> {
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

/** A parent's source, and where it is suspicious. */
type Line = {
  readonly parent: Parent;
  readonly source: Parameters<Editor["enumerate"]>[0];
  readonly suspicions: Parameters<Editor["enumerate"]>[1]["suspicions"];
};

async function lineOf(
  parent: Parent,
  { skill, diagnosis }: ProposalRequest,
  ports: PairPorts,
  signal: AbortSignal,
): Promise<Line | null> {
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
  return { parent, source, suspicions: ports.isLocalised ? localise(sites, coverages) : [] };
}

async function secondsOf(
  { source, suspicions }: Line,
  offset: number,
  { editor }: PairPorts,
  signal: AbortSignal,
): Promise<readonly Mutation[]> {
  return await editor.enumerate(source, { suspicions, offset, limit: BATCH }, signal);
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
