import type { Case } from "./case.ts";
import { canonical, type Json } from "./json.ts";
import { shareOf } from "./share.ts";
import type { Capabilities, Skill } from "./skill.ts";
import { typeOfValues } from "./value-types.ts";

/** The version of a skill that is in no commit yet. */
export const UNBORN = "unborn";

/** Whether a skill has no version that could be served. */
export function isUnborn({ version }: Pick<Skill, "version">): boolean {
  return version === UNBORN;
}

/** A skill that somebody wants, as examples and types tell it. */
export type Wanted = {
  readonly name: string;
  readonly description: string;
  /** In the order of the call, each with its TypeScript type. */
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly result: string;
  /** What it would be granted: nothing, unless it is made of other skills. */
  readonly capabilities: Capabilities;
  /** The statements of a body that is known already; null: to be found from the examples. */
  readonly body: string | null;
  /** Who or what asked: a person, or `traces`. */
  readonly by: string;
};

/** One request for a new skill, from its beginning to what became of the skill in its first week. */
export type Birth = {
  /** The incident that stands for the request; its candidates are candidates for the skill. */
  readonly incidentId: string;
  readonly wanted: Wanted;
  readonly visible: readonly Case[];
  /** Set aside before anyone looked: no proposer sees them. */
  readonly heldOut: readonly Case[];
  /** The commit in which it was born; null: not yet, or it was taken back. */
  readonly commit: string | null;
  readonly bornAt: number | null;
  /** How its probation ended; null: it goes on, or it has not begun. */
  readonly verdict: "agrees" | "disagrees" | null;
  readonly note: string;
};

/** A request whose types are not known yet: they follow from the examples that may be seen. */
export type Untyped = Omit<Wanted, "parameters" | "result"> & {
  /** Names, in the order of the call. */
  readonly parameters: readonly string[];
};

/** Visible examples that a skill is made from at least. */
const FEWEST_VISIBLE = 2;

/**
 * Examples → those that whoever proposes sees, and those that only a gate does. Which is which is
 * decided by the hash of the question alone; the share is a bound, so that few examples are not
 * left with fewer than can be learnt from. An example that alone gives a parameter, or alone says what
 * to answer, stays visible: the contract names what every parameter is, and nothing else would say it.
 */
export function splitExamples(
  name: string,
  examples: readonly Case[],
  share: number,
): { readonly visible: readonly Case[]; readonly heldOut: readonly Case[] } {
  const room = Math.max(0, examples.length - FEWEST_VISIBLE);
  const wanted = Math.min(room, Math.ceil(examples.length * share));
  const ranked = examples.toSorted((a, b) => rankOf(name, a) - rankOf(name, b));
  const left = new Set(ranked);
  const aside = new Set<Case>();
  for (const one of ranked) {
    if (aside.size >= wanted) break;
    left.delete(one);
    if (partsOf(one).every((part) => [...left].some((other) => partsOf(other).includes(part)))) {
      aside.add(one);
    } else left.add(one);
  }
  return {
    visible: examples.filter((one) => !aside.has(one)),
    heldOut: examples.filter((one) => aside.has(one)),
  };
}

/** What an example tells of the contract: the parameters that it gives, and that it has a result. */
function partsOf({ args, expectation }: Case): readonly string[] {
  const given = args.flatMap((value, at) => (value === null ? [] : [`parameter ${at}`]));
  return expectation.kind === "value" ? [...given, "result"] : given;
}

/**
 * A request with its types: those that the visible examples have, and as wide as those set aside
 * need, without a name that only they know.
 */
export function typed(
  wanted: Untyped,
  { visible, heldOut }: { readonly visible: readonly Case[]; readonly heldOut: readonly Case[] },
): Wanted {
  const argument = (at: number) => (one: Case) => one.args[at] ?? null;
  return {
    ...wanted,
    parameters: wanted.parameters.map((name, at) => {
      const type = typeOfValues(visible.map(argument(at)), heldOut.map(argument(at)));
      return { name, type };
    }),
    result: typeOfValues(resultsOf(visible), resultsOf(heldOut)),
  };
}

function resultsOf(examples: readonly Case[]): readonly Json[] {
  return examples.flatMap(({ expectation }) =>
    expectation.kind === "value" ? [expectation.value] : [],
  );
}

function rankOf(name: string, { args }: Case): number {
  return shareOf(`${name} ${canonical(args)}`);
}
