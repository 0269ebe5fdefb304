import type { JudgedCase } from "../../../domain/incident.ts";
import type { Json } from "../../../domain/json.ts";
import { judge } from "../../../domain/judge.ts";
import type { Skill } from "../../../domain/skill.ts";
import type { Outcome } from "../../../domain/trace.ts";
import type { NotedContext, Probe, ProbedHole } from "../../../ports/editor.ts";
import { probed, type Probed, type ProbePorts } from "./probing.ts";
import type { ProbePlan } from "./recorder.ts";
import { decoded, encoded, keyOfValue, NO_VALUE, valueKindOf, type Value } from "./values.ts";

/** What forcing values into one hole came to, in the failing case. */
export type Angels = {
  /** Runs in which the case passed, by the turns of the hole with what was noted and forced there. */
  readonly paths: readonly (readonly NotedContext[])[];
  /** No other value than those tried was possible: where none helps, none will. */
  readonly isExhaustive: boolean;
  /** Whatever was put there made no difference. */
  readonly isIdle: boolean;
};

/** Forced runs of one hole, and of all together; angelic paths that are kept. */
const MOST_OF_ONE = 24;
const MOST_TOGETHER = 400;
const MOST_PATHS = 3;

/** Turns of the hole on one path. */
const TURNS = 24;

/** A forced run may take this many times what usual ones take, and some more, but no more than this. */
const FUEL_TIMES = 10;
const FUEL_MORE = 500;
const MOST_FUEL = 20_000;

/** Different values without a difference after which a hole is given up. */
const IDLE_AFTER = 4;

/** The hole's own value, where only other turns are forced. */
const OWN: Json = { k: 0 };

type Force = NonNullable<ProbePlan["force"]>;

type Subject = {
  readonly skill: Skill;
  readonly failing: JudgedCase;
  /** What the failing case said when it was noted. */
  readonly said: Probed;
  readonly counts: readonly number[];
  readonly holes: readonly number[];
  /** Turns of loops and entries into functions that the cases usually take, at most. */
  readonly used: number;
};

/**
 * Angelic values: what a hole would have to be for the failing case to pass, found by putting other
 * values there while the case runs. Conditions are forced both ways at all turns and turned round
 * at single ones (Xuan et al., Nopol, TSE 2017), values are those seen in scope and those expected
 * (Nguyen et al., SemFix, ICSE 2013); each run that passes is kept with its contexts as they were
 * on that path (Mechtaev et al., Angelix, ICSE 2016).
 */
export async function angelsOf(
  probe: Probe,
  subject: Subject,
  ports: ProbePorts,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Angels>> {
  const { skill, failing, holes } = subject;
  if (failing.case.expectation.kind === "reward") return new Map();
  const forces = holes
    .flatMap((hole) => forcesFor(hole, probe.holes[hole] as ProbedHole, subject))
    .slice(0, MOST_TOGETHER);
  const fuel = Math.min(MOST_FUEL, FUEL_TIMES * subject.used + FUEL_MORE);
  const put = async (some: readonly Force[], turns: number) => {
    const asked = some.map((force) => ({
      case: failing.case,
      plan: { ...watched(force, { turns, holes: probe.holes.length }), force, fuel },
    }));
    const answers = await probed(probe, { skill, asked, fresh: false }, ports, signal);
    return some.map((force, at): Tried => ({ force, answer: answers[at] ?? null }));
  };
  const tried = await put(forces, 0);
  const passing = tried.filter(({ answer }) => passes(answer, failing)).map(({ force }) => force);
  const few = [...Map.groupBy(passing, ({ hole }) => hole).values()].flatMap((of) =>
    of.slice(0, MOST_PATHS),
  );
  // Most forced runs fail, and noting takes longer than running: only what passes is noted.
  const noted = few.length === 0 ? [] : await put(few, TURNS);
  const byHole = Map.groupBy(tried, ({ force: { hole } }) => hole);
  return new Map(
    [...byHole].map(([hole, of]) => {
      const again = noted.filter(({ force }) => force.hole === hole);
      return [hole, weighed(hole, { tried: of, noted: again }, subject)];
    }),
  );
}

type Tried = { readonly force: Force; readonly answer: Probed | null };

/** The hole alone, so many turns of it from the first. */
function watched(
  { hole }: Force,
  { turns, holes }: { readonly turns: number; readonly holes: number },
): Pick<ProbePlan, "watch" | "keep"> {
  const all = Array.from({ length: holes }, (_, at) => (at === hole ? 1 : 0));
  return { watch: all, keep: all.map((one) => [one * turns, 1e9]) };
}

function forcesFor(hole: number, { kind, isResult }: ProbedHole, subject: Subject): Force[] {
  const turns = subject.counts[hole] ?? 0;
  if (kind === "guard" || (kind === "value" && isResult && turns === 1)) return [];
  const found = kind === "condition" ? flips(turns) : values(hole, turns, subject);
  return found.slice(0, MOST_OF_ONE).map((one) => ({ hole, ...one }));
}

/** Turns up to which something can be put into a late one: all before it have to be told. */
const FAR = 2_000;

/** Always the one way or the other; or other than it was at one turn: the first ones and the last. */
function flips(turns: number): Omit<Force, "hole">[] {
  const always = [true, false].map((rest) => ({ turns: [], rest }));
  const told = Math.min(turns, FAR);
  const places = [...Array(told).keys()].filter((at) => at < 6 || at >= turns - 3);
  const single = places.flatMap((at) =>
    [true, false].map((value) => ({
      turns: [...Array.from({ length: at }, () => OWN), value],
      rest: OWN,
    })),
  );
  return turns === 1 ? single : [...always, ...single];
}

/** Values of the hole's kind that were in scope, or are expected: at all turns, the first, the last. */
function values(hole: number, turns: number, { said, failing }: Subject): Omit<Force, "hole">[] {
  const notes = said.notes.filter((note) => note.hole === hole);
  const own = notes.map(({ was }) => decoded(was)).filter(isValue);
  const kinds = new Set(own.map(valueKindOf));
  const { expectation } = failing.case;
  const wanted = expectation.kind === "value" ? [decoded(encoded(expectation.value))] : [];
  const pool = [...wanted, ...notes.flatMap(({ atoms }) => atoms.map(decoded))]
    .filter(isValue)
    .filter((value) => kinds.size === 0 || kinds.has(valueKindOf(value)));
  const near = own.flatMap((value): Value[] =>
    typeof value === "number" ? [value + 1, value - 1] : typeof value === "boolean" ? [!value] : [],
  );
  const distinct = [...new Map([...pool, ...near].map((one) => [keyOfValue(one), one])).values()];
  return distinct.slice(0, turns === 1 ? 16 : 8).flatMap((value) => {
    const written = encoded(value as Json);
    const at = (turn: number): Omit<Force, "hole"> => ({
      turns: [...Array.from({ length: turn }, () => OWN), written],
      rest: OWN,
    });
    if (turns === 1) return [at(0)];
    return [...(turns > FAR ? [] : [at(turns - 1)]), at(0), { turns: [], rest: written }];
  });
}

function isValue(value: Value | symbol): value is Value {
  return typeof value !== "symbol";
}

function weighed(
  hole: number,
  { tried, noted }: { readonly tried: readonly Tried[]; readonly noted: readonly Tried[] },
  { failing, said, counts }: Subject,
): Angels {
  const answers = tried.map(({ answer }) => answer).filter((answer) => answer !== null);
  const paths = noted
    .map(({ answer }) => answer)
    .filter((answer) => answer !== null)
    .filter((answer) => passes(answer, failing) && answer.notes.length === answer.counts[hole])
    .toSorted((a, b) => a.notes.length - b.notes.length)
    .map(({ notes }) => notes);
  // Whatever stands there is then read once, so that one forced value is all that it can be.
  const isSettled =
    counts[hole] === 1 &&
    answers.length === tried.length &&
    answers.every(({ counts: passed }) => (passed[hole] ?? 0) <= 1);
  const isFlip = tried.every(({ force: { turns } }) => typeof turns.at(-1) === "boolean");
  const before = JSON.stringify(said.outcome);
  return {
    paths,
    isExhaustive: isSettled && isFlip,
    isIdle:
      isSettled &&
      (isFlip || answers.length >= IDLE_AFTER) &&
      answers.every(({ outcome }) => JSON.stringify(outcome) === before),
  };
}

function passes(answer: Probed | null, { case: { expectation } }: JudgedCase): boolean {
  const outcome = answer === null ? null : outcomeOf(answer);
  const isJudged = outcome !== null && expectation.kind !== "reward";
  return isJudged && judge(outcome, expectation).passed;
}

function outcomeOf({ outcome: [status, first, second] }: Probed): Outcome | null {
  if (status === "threw" && typeof first === "string" && typeof second === "string") {
    return { status, error: { name: first, message: second, frames: [] } };
  }
  const value = decoded(first);
  if (status !== "returned" || value === NO_VALUE) return null;
  return { status, value: plain(value) };
}

/** A value as the skill's result is told: what is undefined is absent, or null in lists. */
function plain(value: Value): Json {
  if (value === undefined) return null;
  return JSON.parse(JSON.stringify(value)) as Json;
}
