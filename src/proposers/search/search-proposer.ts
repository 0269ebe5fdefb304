import type { SearchPart } from "../../domain/search-part.ts";
import type { Program } from "../../domain/skill.ts";
import type { ExaminePorts } from "../../examine/examine.ts";
import type { Editor, Mutation } from "../../ports/editor.ts";
import type { Proposer, ProposalNews, ProposalRequest } from "../../ports/proposer.ts";
import { regexesFirst } from "./regexes/regexes-first.ts";
import { inTime, untilLate } from "./in-time.ts";
import { pairs, type PairPorts } from "./pairs.ts";
import { Reach } from "./reach.ts";
import { type Hope, Sieve } from "./sieve.ts";
import { parsedFirst, type Ordinary } from "./syntax/parsed-first.ts";
import { synthesised } from "./synthesis/synthesis.ts";
import { Trial } from "./trial.ts";
import { sentEventsOf } from "./sent-events.ts";
import { wantedErrorsOf } from "./wanted-errors.ts";
import { newProposals } from "./weigh.ts";

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

/** Time for asking plausible edits what they do: in milliseconds at most, and of the budget. */
const ASKING_MS = 2_000;
const ASKING_SHARE = 0.2;

/** Of the time that is left, for sifting what is at hand: what it lets through is to be tried. */
const SIFTING_SHARE = 0.6;

/** How much of the time that single edits leave goes to new expressions; the rest is for pairs. */
const SYNTHESIS_SHARE = 0.45;

/** Share of the time for what is made from the texts that reach regular expressions. */
const REGEXES_SHARE = 0.35;

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
      const proposed = new Set<Mutation>();
      const work = { request, proposed, askingMs: ASKING_MS, first: 1, ports: whole };
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
  const reach = new Reach(request.budgetMs, now);
  let round = 0;
  const askingMs = Math.min(ASKING_MS, request.budgetMs * ASKING_SHARE);
  const isOver = (): boolean => now() >= endsAt - (found.length === 0 ? 0 : askingMs);
  const halfAt = endsAt - request.budgetMs / 2;
  const isWanting = (): boolean => found.length === 0;
  const isFruitless = (): boolean => isWanting() && now() >= halfAt;
  const leftMs = (): number => endsAt - now();
  const means = { ...ports, isLocalised, isOver, isWanting, isFruitless, leftMs };
  const sources = (until: AbortSignal) => mutationsOf(request, means, until);
  const proposals = (): Promise<readonly ProposalNews[]> =>
    newProposals(found, { request, proposed, askingMs, first: reach.first, ports }, signal);
  for await (const mutations of untilLate(sources, leftMs(), signal)) {
    const sift = (until: AbortSignal) => sieve.sift(mutations, until, leftMs() * SIFTING_SHARE);
    const hopes = await inTime(sift, { leftMs: leftMs(), otherwise: [] }, signal);
    for (let at = 0; at < mutations.length;) {
      const from = at;
      while (at < mutations.length && reach.room > 0 && !isOver()) {
        const some = mutations.slice(at, at + Math.min(parallel, reach.room));
        const passed = await Promise.all(
          some.map(({ program }, one) => {
            const hope = hopes[at + one] ?? "none";
            const work = (until: AbortSignal) => tried(trial, program, hope, until);
            return inTime(work, { leftMs: leftMs(), otherwise: false }, signal);
          }),
        );
        at += some.length;
        found.push(...some.filter((_, position) => passed[position]));
        reach.note(some.length, found.length > 0);
      }
      yield { kind: "tried", programs: at - from };
      if (reach.room > 0 && !isOver()) continue;
      yield* await proposals();
      round += 1;
      if (isOver() || round === 2) return;
      reach.extend();
    }
  }
  yield* await proposals();
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
  const all = (asked: ProposalRequest) => singles(asked, means, signal);
  if (means.without.includes("regexes")) yield* all(request);
  else yield* regexesFirst(request, withShare(means, REGEXES_SHARE), all, signal);
  if (means.isWanting() && !means.without.includes("synthesis")) {
    yield* synthesised(request, withShare(means, SYNTHESIS_SHARE), signal);
  }
  if (means.isWanting() && !means.without.includes("pairs")) yield* pairs(request, means, signal);
}

/** The same means for a share of what is left of the time. */
function withShare(means: Means, share: number): Means {
  const keptMs = means.leftMs() * (1 - share);
  return { ...means, isOver: () => means.isOver() || means.leftMs() <= keptMs };
}

async function* singles(
  { skill, diagnosis }: ProposalRequest,
  { editor, isFruitless }: Means,
  signal: AbortSignal,
): AsyncGenerator<readonly Mutation[]> {
  const source = { text: skill.source, language: skill.language, entry: skill.signature.name };
  const { suspicions } = diagnosis;
  const wantedErrors = wantedErrorsOf(diagnosis);
  const events = sentEventsOf(skill, diagnosis);
  for (let offset = 0, limit = FIRST_BATCH; ; offset += limit, limit = BATCH) {
    const asked = { suspicions, wantedErrors, events, offset, limit };
    const mutations = await editor.enumerate(source, asked, signal);
    if (mutations.length > 0) yield mutations;
    if (mutations.length < limit || isFruitless()) return;
  }
}
