import type { Edit, Proposal } from "../../domain/candidate.ts";
import type { Program } from "../../domain/skill.ts";
import type { ExaminePorts } from "../../examine/examine.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { Proposer, ProposalNews, ProposalRequest } from "../../ports/proposer.ts";
import { OPERATORS, isOperatorName } from "./operator-table.ts";
import { ranked } from "./rank.ts";
import { type Hope, Sieve } from "./sieve.ts";
import { Trial } from "./trial.ts";

export type SearchPorts = Omit<ExaminePorts, "unrecorded"> & {
  readonly editor: Editor;
  /** Programs on trial at a time. */
  readonly parallel?: number;
  /** Milliseconds of some steady clock. */
  readonly now?: () => number;
};

/** Mutations asked of the editor at a time: few at first, since most repairs are near the top. */
const FIRST_BATCH = 128;
const BATCH = 512;

/** How far past its first find the search goes on, as a share of what it looked at, and at least. */
const FURTHER = 0.3;
const LEAST_FURTHER = 60;

/**
 * Enumerates single edits at suspicious places, runs each on the visible cases, and proposes those
 * that pass them all, the most promising first. Its first finds come out together, a little after
 * the first one; whoever wants more is served until three times as many programs were tried.
 */
export function createSearchProposer(ports: SearchPorts): Proposer {
  return { name: "search", propose: (request, signal) => search(request, ports, signal) };
}

async function* search(
  request: ProposalRequest,
  ports: SearchPorts,
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  const { now = () => performance.now(), parallel = 2 } = ports;
  const endsAt = now() + request.budgetMs;
  const trial = new Trial(request, ports);
  const sieve = new Sieve(request, ports);
  let found: Mutation[] = [];
  let looked = 0;
  let round = 0;
  let stopAt = Infinity;
  for await (const mutations of batches(request, ports.editor, signal)) {
    const hopes = await inTime(sieve, mutations, endsAt - now(), signal);
    let at = 0;
    while (at < mutations.length && looked < stopAt && now() < endsAt) {
      const some = mutations.slice(at, at + Math.min(parallel, stopAt - looked));
      const verdicts = await Promise.all(
        some.map(({ program }, one) => tried(trial, program, hopes[at + one] ?? "none", signal)),
      );
      at += some.length;
      looked += some.length;
      found.push(...some.filter((_, position) => verdicts[position]));
      if (found.length > 0 && stopAt === Infinity) stopAt = looked + furtherThan(looked);
    }
    yield { kind: "tried", programs: at };
    const isOver = now() >= endsAt;
    if (looked < stopAt && !isOver) continue;
    yield* proposalsOf(found, request);
    round += 1;
    if (isOver || round === 2) return;
    found = [];
    stopAt = looked * 3;
  }
  yield* proposalsOf(found, request);
}

// oxlint-disable-next-line max-params
async function tried(
  trial: Trial,
  program: Program,
  hope: Hope,
  signal: AbortSignal,
): Promise<boolean> {
  if (hope === "none") return false;
  return hope === "likely" ? trial.confirms(program, signal) : trial.passes(program, signal);
}

/** What a sieve says of mutations; no hope once the time is over. */
async function inTime(
  sieve: Sieve,
  mutations: readonly Mutation[],
  leftMs: number,
  signal: AbortSignal,
): Promise<readonly Hope[]> {
  const late = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)));
  try {
    return await sieve.sift(mutations, AbortSignal.any([signal, late]));
  } catch (thrown) {
    if (!late.aborted || signal.aborted) throw thrown;
    return [];
  }
}

function furtherThan(looked: number): number {
  return Math.max(LEAST_FURTHER, Math.ceil(looked * FURTHER));
}

async function* batches(
  { skill, diagnosis }: ProposalRequest,
  editor: Editor,
  signal: AbortSignal,
): AsyncGenerator<readonly Mutation[]> {
  const source = { text: skill.source, language: skill.language, entry: skill.signature.name };
  const { suspicions } = diagnosis;
  for (let offset = 0, limit = FIRST_BATCH; ; offset += limit, limit = BATCH) {
    const mutations = await editor.enumerate(source, { suspicions, offset, limit }, signal);
    if (mutations.length > 0) yield mutations;
    if (mutations.length < limit) return;
  }
}

function* proposalsOf(
  found: readonly Mutation[],
  { skill, seed }: ProposalRequest,
): Generator<ProposalNews> {
  for (const { edits, operator } of ranked(found)) {
    const origin = { proposer: "search", operator, seed, parent: null } as const;
    const reason = reasonOf(skill.source, edits, operator);
    const proposal: Proposal = { edits, origin, reason };
    yield { kind: "proposal", proposal };
  }
}

/** `changes a comparison on line 3: "<" becomes "<="`. */
function reasonOf(source: string, edits: readonly Edit[], operator: string): string {
  const says = isOperatorName(operator) ? OPERATORS[operator].says : "the code";
  const [first, ...rest] = edits.filter((edit) => edit.op === "splice");
  if (first === undefined) return `changes ${says}`;
  const last = rest.at(-1) ?? first;
  const line = source.slice(0, first.start).split("\n").length;
  const before = clip(source.slice(first.start, last.end));
  let after = first.text;
  let at = first.end;
  for (const splice of rest) {
    after += source.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  const change =
    before === ""
      ? `adds ${JSON.stringify(clip(after))}`
      : `${JSON.stringify(before)} becomes ${JSON.stringify(clip(after))}`;
  return `changes ${says} on line ${line}: ${change}`;
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}
