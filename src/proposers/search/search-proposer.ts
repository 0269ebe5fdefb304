import type { Edit, Proposal } from "../../domain/candidate.ts";
import type { SearchPart } from "../../domain/search-part.ts";
import type { Program } from "../../domain/skill.ts";
import type { ExaminePorts } from "../../examine/examine.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { Proposer, ProposalNews, ProposalRequest } from "../../ports/proposer.ts";
import { OPERATORS, isOperatorName } from "./operator-table.ts";
import { agreementOf, type Agreement } from "./agree.ts";
import { byRank } from "./by-rank.ts";
import { chosenOf, type Chosen } from "./choose.ts";
import { inTime, untilLate } from "./in-time.ts";
import { pairs, type PairPorts } from "./pairs.ts";
import { type Hope, Sieve } from "./sieve.ts";
import { parsedFirst, type Ordinary } from "./syntax/parsed-first.ts";
import { synthesised } from "./synthesis/synthesis.ts";
import { Trial } from "./trial.ts";

export type SearchPorts = Omit<ExaminePorts, "unrecorded"> & {
  readonly editor: Editor;
  /** Programs on trial at a time. */
  readonly parallel?: number;
  /** Milliseconds of some steady clock. */
  readonly now?: () => number;
  readonly without?: readonly SearchPart[];
};

/** Mutations asked of the editor at a time: few at first, since most repairs are near the top. */
const FIRST_BATCH = 128;
const BATCH = 512;

/** How far past its first find the search goes on, as a share of what it looked at, and at least. */
const FURTHER = 1;
const LEAST_FURTHER = 200;

/** Time for asking plausible edits what they do: in milliseconds at most, and of the budget. */
const ASKING_MS = 2_000;
const ASKING_SHARE = 0.2;

/** Of the time that is left, for sifting what is at hand: what it lets through is to be tried. */
const SIFTING_SHARE = 0.6;

/** How much of the time that single edits leave goes to new expressions; the rest is for pairs. */
const SYNTHESIS_SHARE = 0.45;

/** A round of questions that takes this many times as long as all of them may is given up. */
const PATIENCE = 1.25;

/**
 * Enumerates single edits at suspicious places; where these bear no fruit, makes new expressions
 * for them, and then pairs of edits. Runs each on the visible cases, and proposes those that pass
 * them all, the surest behaviour first. Its first finds come out together, a while after the first
 * one, since what they are held against makes them sure; whoever wants more is served until three
 * times as many programs were tried.
 */
export function createSearchProposer(ports: SearchPorts): Proposer {
  const { now = () => performance.now(), parallel = 2, without = [] } = ports;
  const whole = { ...ports, now, parallel, without };
  const ordinary: Ordinary = {
    search: (request, signal) => search(request, whole, signal),
    weighed: async (found, request, signal) => {
      const work = { request, proposed: new Set<Mutation>(), askingMs: ASKING_MS, ports: whole };
      return await newProposals(found, work, signal);
    },
  };
  const work = { ports: whole, ordinary };
  return { name: "search", propose: (request, signal) => parsedFirst(request, work, signal) };
}

async function* search(
  asked: ProposalRequest,
  ports: Required<SearchPorts>,
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  const { now, parallel, without } = ports;
  const isLocalised = !without.includes("localisation");
  const request = isLocalised ? asked : placesAlike(asked);
  const endsAt = now() + request.budgetMs;
  const trial = new Trial(request, ports);
  const sieve = new Sieve(request, ports);
  const proposed = new Set<Mutation>();
  const found: Mutation[] = [];
  let looked = 0;
  let round = 0;
  let stopAt = Infinity;
  const askingMs = Math.min(ASKING_MS, request.budgetMs * ASKING_SHARE);
  const isOver = (): boolean => now() >= endsAt - (found.length === 0 ? 0 : askingMs);
  const halfAt = endsAt - request.budgetMs / 2;
  const isWanting = (): boolean => found.length === 0;
  const isFruitless = (): boolean => isWanting() && now() >= halfAt;
  const work = { request, proposed, askingMs, ports };
  const leftMs = (): number => endsAt - now();
  const means = { ...ports, isLocalised, isOver, isWanting, isFruitless, leftMs };
  const sources = (until: AbortSignal) => mutationsOf(request, means, until);
  for await (const mutations of untilLate(sources, leftMs(), signal)) {
    const sift = (until: AbortSignal) => sieve.sift(mutations, until, leftMs() * SIFTING_SHARE);
    const hopes = await inTime(sift, { leftMs: leftMs(), otherwise: [] }, signal);
    for (let at = 0; at < mutations.length;) {
      const from = at;
      while (at < mutations.length && looked < stopAt && !isOver()) {
        const some = mutations.slice(at, at + Math.min(parallel, stopAt - looked));
        const passed = await Promise.all(
          some.map(({ program }, one) => {
            const hope = hopes[at + one] ?? "none";
            const work = (until: AbortSignal) => tried(trial, program, hope, until);
            return inTime(work, { leftMs: leftMs(), otherwise: false }, signal);
          }),
        );
        at += some.length;
        looked += some.length;
        found.push(...some.filter((_, position) => passed[position]));
        if (found.length > 0 && stopAt === Infinity) stopAt = looked + furtherThan(looked);
      }
      yield { kind: "tried", programs: at - from };
      if (looked < stopAt && !isOver()) continue;
      yield* await newProposals(found, work, signal);
      round += 1;
      if (isOver() || round === 2) return;
      stopAt = looked * 3;
    }
  }
  yield* await newProposals(found, work, signal);
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

function furtherThan(looked: number): number {
  return Math.max(LEAST_FURTHER, Math.ceil(looked * FURTHER));
}

/** What a diagnosis without suspicions says: any place is as likely as another. */
function placesAlike(request: ProposalRequest): ProposalRequest {
  return { ...request, diagnosis: { ...request.diagnosis, suspicions: [] } };
}

type Means = PairPorts & {
  readonly without: readonly SearchPart[];
  /** Whether nothing was found yet. */
  readonly isWanting: () => boolean;
  /** Whether nothing was found yet and half the time is over. */
  readonly isFruitless: () => boolean;
  /** Milliseconds of the budget that are left. */
  readonly leftMs: () => number;
};

/** Single edits; where these bear no fruit, new expressions, and then pairs of edits. */
async function* mutationsOf(
  request: ProposalRequest,
  means: Means,
  signal: AbortSignal,
): AsyncGenerator<readonly Mutation[]> {
  yield* singles(request, means, signal);
  if (means.isWanting() && !means.without.includes("synthesis")) {
    const keptMs = means.leftMs() * (1 - SYNTHESIS_SHARE);
    const isOver = (): boolean => means.isOver() || means.leftMs() <= keptMs;
    yield* synthesised(request, { ...means, isOver }, signal);
  }
  if (means.isWanting() && !means.without.includes("pairs")) yield* pairs(request, means, signal);
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
  readonly ports: Required<SearchPorts>;
  /** What was proposed already. What is found later is held against it, and it is not proposed twice. */
  readonly proposed: Set<Mutation>;
};

async function newProposals(
  found: readonly Mutation[],
  { request, ports, proposed, askingMs }: Work,
  signal: AbortSignal,
): Promise<readonly ProposalNews[]> {
  if (found.every((one) => proposed.has(one))) return [];
  const { skill, diagnosis, seed } = request;
  const says = ({ edits, operator }: Mutation): string => reasonOf(skill.source, edits, operator);
  const all = ports.without.includes("agreement")
    ? byRank(found)
    : chosenOf(
        await agreed(found, { request, ports, askingMs }, signal),
        diagnosis.judged.length,
        says,
      );
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

/** What plausible edits do on questions, as far as there is time to ask any. */
async function agreed(
  found: readonly Mutation[],
  { request, ports, askingMs }: Omit<Work, "proposed">,
  signal: AbortSignal,
): Promise<Agreement> {
  const endsAt = ports.now() + askingMs;
  const asking = { ...ports, isOver: () => ports.now() >= endsAt };
  const asked = (until: AbortSignal) => agreementOf(found, request, asking, until);
  const may = { leftMs: askingMs * PATIENCE, otherwise: null };
  const silent = { ...asking, isOver: () => true };
  return (await inTime(asked, may, signal)) ?? (await agreementOf(found, request, silent, signal));
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
