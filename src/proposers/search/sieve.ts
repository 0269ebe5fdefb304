import type { Case } from "../../domain/case.ts";
import type { JudgedCase } from "../../domain/incident.ts";
import { sameJson } from "../../domain/json.ts";
import { judge } from "../../domain/judge.ts";
import type { Limits, Skill } from "../../domain/skill.ts";
import { isEndless, type Outcome } from "../../domain/trace.ts";
import { environmentOf } from "../../domain/world.ts";
import { grantsOf, type ExaminePorts } from "../../examine/examine.ts";
import type { Editor, Mutation, Variants } from "../../ports/editor.ts";
import type { ProposalRequest } from "../../ports/proposer.ts";
import type { Sandbox, Seat, Sifted } from "../../ports/sandbox.ts";
import { putWithPatience, type Asked } from "./second-chance.ts";
import { limitsOf } from "./trial.ts";

/**
 * Fuel for the program as it is: what it takes is the measure for its variants. A case that ends and
 * needs more gets as much as any may.
 */
const MEASURING_FUEL = 20_000;
const MOST_FUEL = 2_000_000;

/** A variant may take this many times what the program takes at most, and some more. */
const FUEL_TIMES = 20;
const FUEL_MORE = 2_000;

/** Where nothing tells what is usual. */
const FUEL_UNKNOWN = 4_000;

/** Least time of a variant: what no fuel ends, such as a text held against a pattern, ends by it. */
const LEAST_MS = 25;

/** Least time of a variant that gets a second chance. */
const PATIENT_MS = 250;

/** Of the time that is left, for second chances. */
const PATIENCE_SHARE = 0.15;

/** Units at a time behind the failing case: each crossing costs as much as some hundred of them. */
const UNITS = 1_024;

type Sifts = NonNullable<Sandbox["sift"]>;
type Sample = { readonly judged: JudgedCase; kills: number };
type Ports = Pick<ExaminePorts, "sandbox" | "hosts"> & {
  readonly editor: Pick<Editor, "variants">;
};

/**
 * What a sift says of a mutation: that it fails some case; that it passes them all, as far as a sift
 * can tell; or nothing.
 */
export type Hope = "none" | "likely" | "unknown";

/** What the sieve may be used for: cases that come out in it as they did outside, the failing one first. */
type Mesh = { readonly failing: Sample; readonly others: readonly Sample[]; readonly fuel: number };

/**
 * Tells apart, many at a time, which mutations cannot pass the visible cases. Those that may are to
 * be tried for themselves: nothing that a sift lets through is believed, and a case that does not
 * come out in the sift as it did outside is not used in it.
 */
export class Sieve {
  readonly #skill: Skill;
  readonly #request: ProposalRequest;
  readonly #ports: Ports;
  readonly #limits: Limits;
  #mesh: Mesh | null | undefined;
  #endsAt = Infinity;
  #patienceMs = 0;

  constructor(request: ProposalRequest, ports: Ports) {
    this.#skill = request.skill;
    this.#request = request;
    this.#ports = ports;
    const { judged } = request.diagnosis;
    this.#limits = limitsOf(request.skill.manifest.limits, judged, LEAST_MS);
  }

  /**
   * What is known of each mutation, by position; nothing where they cannot be sifted, or not in so
   * many milliseconds, of which `patienceMs` at most are for what runs out of fuel.
   */
  async sift(
    mutations: readonly Mutation[],
    signal: AbortSignal,
    leftMs = Infinity,
    patienceMs = leftMs * PATIENCE_SHARE,
  ): Promise<readonly Hope[]> {
    this.#endsAt = performance.now() + leftMs;
    this.#patienceMs = patienceMs;
    const { sandbox, editor } = this.#ports;
    const all = mutations.map((): Hope => "unknown");
    if (sandbox.sift === undefined || this.#mesh === null) return all;
    const { source: text, language, signature } = this.#skill;
    const source = { text, language, entry: signature.name };
    const made = await editor.variants(
      source,
      mutations.map(({ edits }) => edits),
      signal,
    );
    if (made === null) return all;
    const sift: Sifts = (sifting, until) => (sandbox.sift as Sifts)(sifting, until);
    this.#mesh ??= await this.#measure(made, sift, signal);
    return this.#mesh === null ? all : await this.#sifted(made, { mesh: this.#mesh, sift }, signal);
  }

  /** Puts the program as it is to the cases; null where the failing one is none that can be used. */
  async #measure(made: Variants, sift: Sifts, signal: AbortSignal): Promise<Mesh | null> {
    const { judged, failing } = this.#request.diagnosis;
    const cases = [failing, ...judged.filter(({ case: of }) => of.name !== failing.case.name)];
    const by = { sift, signal };
    const asked = { seats: [ORIGINAL], cases: cases.map((one) => one.case), fuel: MEASURING_FUEL };
    const brief = await this.#put(made, asked, by);
    const isShort = cases.some(
      (one, at) => isEndless(outcomeAt(brief, at)) && !isEndless(one.outcome),
    );
    const sifted = isShort ? await this.#put(made, { ...asked, fuel: MOST_FUEL }, by) : brief;
    const samples = cases.map((one, at) => {
      const outcome = outcomeAt(sifted, at);
      const isUsable = one.case.expectation.kind !== "reward" && isAlike(outcome, one.outcome);
      return isUsable ? { judged: one, kills: one.passed ? 0 : 1 } : null;
    });
    const [first, ...others] = samples;
    if (!first) return null;
    const most = mostUsed(sifted);
    const fuel = most === 0 ? FUEL_UNKNOWN : FUEL_TIMES * most + FUEL_MORE;
    return { failing: first, others: others.filter((sample) => sample !== null), fuel };
  }

  async #sifted(
    made: Variants,
    { mesh, sift }: { readonly mesh: Mesh; readonly sift: Sifts },
    signal: AbortSignal,
  ): Promise<readonly Hope[]> {
    const unknown = new Set<number>();
    let left = made.seats.flatMap((seat, at) => (seat === null ? [] : [{ seat, at }]));
    const order = [mesh.failing, ...mesh.others.toSorted((a, b) => b.kills - a.kills)];
    for (let from = 0; from < order.length && left.length > 0;) {
      const some = order.slice(from, from + casesFor(from, left.length));
      from += some.length;
      const cases = some.map(({ judged }) => judged.case);
      const seats = left.map(({ seat }) => seat);
      const asked = { seats, cases, fuel: mesh.fuel };
      const put = (one: Asked): Promise<Sifted> => this.#put(made, one, { sift, signal });
      const sifted = await putWithPatience(asked, {
        put,
        missesIn,
        patienceMs: this.#patienceMs,
      });
      const missed = some.map(({ judged }) => missesIn(sifted, judged.case));
      left = left.filter(({ at: position }, seat) => {
        if (some.some((_, at) => outcomeAt(sifted, at * seats.length + seat) === null)) {
          unknown.add(position);
        }
        const fails = some.filter((__, at) => missed[at]?.(at * seats.length + seat));
        for (const sample of fails) sample.kills += 1 / fails.length;
        return fails.length === 0;
      });
    }
    const kept = new Set(left.map(({ at }) => at));
    const isPartial = order.length < this.#request.diagnosis.judged.length;
    return made.seats.map((_, at) => {
      if (!kept.has(at)) return "none";
      return isPartial || unknown.has(at) ? "unknown" : "likely";
    });
  }

  #put(
    { program }: Variants,
    asked: Asked,
    { sift, signal }: { readonly sift: Sifts; readonly signal: AbortSignal },
  ): Promise<Sifted> {
    const { seats, cases, fuel, patienceMs } = asked;
    const { capabilities } = this.#skill.manifest;
    const grants = grantsOf(capabilities);
    const calls = cases.map(({ args, world }) => ({
      args,
      grants,
      environment: environmentOf(world),
      makeHost: () => this.#ports.hosts.table(world, capabilities, "closed"),
    }));
    const budgetMs = patienceMs ?? this.#endsAt - performance.now();
    const leastMs = patienceMs === undefined ? 0 : Math.min(PATIENT_MS, patienceMs);
    const timeoutMs = Math.ceil(Math.max(this.#limits.timeoutMs, leastMs));
    const limits = { ...this.#limits, timeoutMs };
    return sift({ program, seats, calls, limits, fuel, budgetMs }, signal);
  }
}

/** The most fuel that a unit took which ended by itself. */
function mostUsed({ outcomes, of, used }: Sifted): number {
  return used.reduce((most, now, unit) => {
    const outcome = outcomes[of[unit] ?? -1] ?? null;
    return isEndless(outcome) ? most : Math.max(most, now);
  }, 0);
}

/** How many cases are put next: the failing one alone, then as many as are cheap, since few are left. */
function casesFor(from: number, seats: number): number {
  return from === 0 ? 1 : Math.max(1, Math.floor(UNITS / seats));
}

const ORIGINAL: Seat = [0, 0];

function outcomeAt({ outcomes, of }: Sifted, unit: number): Outcome | null {
  return outcomes[of[unit] ?? -1] ?? null;
}

/** Whether a unit misses a case: each outcome is judged once. One that is not known misses nothing. */
function missesIn({ outcomes, of }: Sifted, { expectation }: Case): (unit: number) => boolean {
  const misses = outcomes.map(
    (outcome) =>
      outcome !== null && expectation.kind !== "reward" && !judge(outcome, expectation).passed,
  );
  return (unit) => misses[of[unit] ?? -1] ?? false;
}

/** Whether two outcomes say the same; what the engine words about the code may differ. */
export function isAlike(a: Outcome | null, b: Outcome): boolean {
  if (isEndless(a) && isEndless(b)) return true;
  if (a?.status !== b.status) return false;
  if (a.status === "returned" && b.status === "returned") return sameJson(a.value, b.value);
  if (a.status === "threw" && b.status === "threw") return a.error.name === b.error.name;
  return true;
}
