import type { Edit, Proposal } from "../../domain/candidate.ts";
import type { Program } from "../../domain/skill.ts";
import type { ExaminePorts } from "../../examine/examine.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { Proposer, ProposalNews, ProposalRequest } from "../../ports/proposer.ts";
import { OPERATORS, isOperatorName } from "./operator-table.ts";
import { agreementOf } from "./agree.ts";
import { chosenOf, type Chosen } from "./choose.ts";
import { evidenceOf } from "./evidence.ts";
import { pairs, type PairPorts } from "./pairs.ts";
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

/**
 * How far past its first find the search goes on: as a multiple of what it looked at, and at least;
 * but no longer than this share of the budget. What else satisfies the cases tells how sure it is;
 * in bench/choice 3 in 100 right edits come more than 1,000 places behind the first plausible one.
 */
const FURTHER = 3;
const LEAST_FURTHER = 3_000;
const FURTHER_SHARE = 0.2;

/** Time for asking plausible edits what they do: in milliseconds at most, and of the budget. */
const ASKING_MS = 2_000;
const ASKING_SHARE = 0.2;

/**
 * Enumerates single edits at suspicious places, and pairs of them where these bear no fruit; runs
 * each on the visible cases, and proposes those that pass them all, the surest behaviour first. Its
 * first finds come out together, a while after the first one, since what they are held against
 * makes them sure; whoever wants more is served until three times as many programs were tried.
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
  const proposed = new Set<Mutation>();
  const found: Mutation[] = [];
  let looked = 0;
  let round = 0;
  let first = Infinity;
  let stopAt = Infinity;
  let stopsAt = Infinity;
  const isFurther = (): boolean => looked < stopAt && now() < stopsAt && !isOver();
  const askingMs = Math.min(ASKING_MS, request.budgetMs * ASKING_SHARE);
  const isOver = (): boolean => now() >= endsAt - (found.length === 0 ? 0 : askingMs);
  const halfAt = endsAt - request.budgetMs / 2;
  const isWanting = (): boolean => found.length === 0;
  const isFruitless = (): boolean => isWanting() && now() >= halfAt;
  const weighed = { ...ports, parallel, now };
  const means = { ...ports, parallel, isOver, isWanting, isFruitless };
  for await (const mutations of mutationsOf(request, means, signal)) {
    const hopes = await inTime(sieve, mutations, endsAt - now(), signal);
    for (let at = 0; at < mutations.length;) {
      const from = at;
      while (at < mutations.length && isFurther()) {
        const some = mutations.slice(at, at + Math.min(parallel, stopAt - looked));
        const passed = await Promise.all(
          some.map(({ program }, one) => tried(trial, program, hopes[at + one] ?? "none", signal)),
        );
        at += some.length;
        looked += some.length;
        found.push(...some.filter((_, position) => passed[position]));
        if (found.length > 0 && first === Infinity) {
          first = looked;
          stopAt = looked + Math.max(LEAST_FURTHER, Math.ceil(looked * FURTHER));
          stopsAt = now() + request.budgetMs * FURTHER_SHARE;
        }
      }
      yield { kind: "tried", programs: at - from };
      if (isFurther()) continue;
      yield* await newProposals(
        found,
        { request, proposed, askingMs, first, ports: weighed },
        signal,
      );
      round += 1;
      if (isOver() || round === 2) return;
      stopAt = looked * 3;
      stopsAt = Infinity;
    }
  }
  yield* await newProposals(found, { request, proposed, askingMs, first, ports: weighed }, signal);
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

type Means = PairPorts & {
  /** Whether nothing was found yet. */
  readonly isWanting: () => boolean;
  /** Whether nothing was found yet and half the time is over. */
  readonly isFruitless: () => boolean;
};

/** Single edits; where these bear no fruit, pairs of them. */
async function* mutationsOf(
  request: ProposalRequest,
  means: Means,
  signal: AbortSignal,
): AsyncGenerator<readonly Mutation[]> {
  yield* singles(request, means, signal);
  if (means.isWanting()) yield* pairs(request, means, signal);
}

async function* singles(
  { skill, diagnosis }: ProposalRequest,
  { editor, isFruitless }: Means,
  signal: AbortSignal,
): AsyncGenerator<readonly Mutation[]> {
  const source = { text: skill.source, language: skill.language, entry: skill.signature.name };
  const { suspicions } = diagnosis;
  for (let offset = 0, limit = FIRST_BATCH; ; offset += limit, limit = BATCH) {
    const mutations = await editor.enumerate(source, { suspicions, offset, limit }, signal);
    if (mutations.length > 0) yield mutations;
    if (mutations.length < limit || isFruitless()) return;
  }
}

type Work = {
  readonly request: ProposalRequest;
  readonly askingMs: number;
  /** Programs looked at until the first find. */
  readonly first: number;
  readonly ports: Required<SearchPorts>;
  /** What was proposed already. What is found later is held against it, and it is not proposed twice. */
  readonly proposed: Set<Mutation>;
};

async function newProposals(
  found: readonly Mutation[],
  { request, ports, proposed, askingMs, first }: Work,
  signal: AbortSignal,
): Promise<readonly ProposalNews[]> {
  if (found.every((one) => proposed.has(one))) return [];
  const { skill, diagnosis, seed } = request;
  const endsAt = ports.now() + askingMs;
  const asking = { ...ports, isOver: () => ports.now() >= endsAt };
  const agreement = await agreementOf(found, request, asking, signal);
  const evidence = evidenceOf(diagnosis.judged, { first, promise: agreement.promise });
  const says = ({ edits, operator }: Mutation): string => reasonOf(skill.source, edits, operator);
  const all = chosenOf(agreement, evidence, says);
  const chosen = all.filter(({ mutation }) => !proposed.has(mutation));
  for (const { mutation } of chosen) proposed.add(mutation);
  return chosen.map((one) => {
    const { mutation, confidence, rivals } = one;
    const origin = {
      proposer: "search",
      operator: mutation.operator,
      seed,
      parent: null,
    } as const;
    const reason = `${says(mutation)} ${sureness(one)}`;
    const proposal: Proposal = { edits: mutation.edits, origin, reason, confidence, rivals };
    return { kind: "proposal", proposal };
  });
}

/** `(confidence 0.83: 3 plausible alike, 1 do otherwise)`. */
function sureness({ confidence, alike, rivals }: Chosen): string {
  const others = rivals.length === 0 ? "none does otherwise" : `${rivals.length} do otherwise`;
  return `(confidence ${confidence.toFixed(2)}: ${alike} plausible alike, ${others})`;
}

/** `changes a comparison on line 3: "<" becomes "<="`. */
function reasonOf(source: string, edits: readonly Edit[], operator: string): string {
  const says = isOperatorName(operator) ? OPERATORS[operator].says : "two places";
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
