import type { Case } from "./case.ts";
import { canonical } from "./json.ts";
import { shareOf } from "./share.ts";
import type { Capabilities, Skill } from "./skill.ts";

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

/** Visible examples that a skill is made from at least. */
const FEWEST_VISIBLE = 2;

/**
 * Examples → those that whoever proposes sees, and those that only a gate does. Which is which is
 * decided by the hash of the question alone; the share is a bound, so that few examples are not
 * left with fewer than can be learnt from.
 */
export function splitExamples(
  name: string,
  examples: readonly Case[],
  share: number,
): { readonly visible: readonly Case[]; readonly heldOut: readonly Case[] } {
  const room = Math.max(0, examples.length - FEWEST_VISIBLE);
  const wanted = Math.min(room, Math.ceil(examples.length * share));
  const ranked = examples.toSorted((a, b) => rankOf(name, a) - rankOf(name, b));
  const aside = new Set(ranked.slice(0, wanted));
  return {
    visible: examples.filter((one) => !aside.has(one)),
    heldOut: examples.filter((one) => aside.has(one)),
  };
}

function rankOf(name: string, { args }: Case): number {
  return shareOf(`${name} ${canonical(args)}`);
}
