import { isJsonObject, type Json } from "../../../domain/json.ts";
import type { Atom } from "./hole-atoms.ts";
import type { Operation } from "./operation.ts";
import { memberOf } from "./operations-on-data.ts";
import { constant, type Leaf } from "./terms.ts";
import { decoded, NO_VALUE } from "./values.ts";

/** What stands at the leaves of expressions for one hole. */
export type Ingredients = {
  /** What was noted, in order; names come first. */
  readonly atoms: readonly Atom[];
  /** Text of the hole itself. */
  readonly own: string;
  /** Literals of the program, as text. */
  readonly numbers: readonly string[];
  readonly strings: readonly string[];
  /** Member names of the program. */
  readonly members: readonly string[];
};

/** Costs of leaves: what stands in the hole already is the likeliest, then names, then the rest. */
const COST = {
  own: 2,
  part: 3,
  near: 2,
  name: 3,
  expression: 4,
  literal: 3,
  usual: 3,
  rare: 4,
} as const;

const NEAR_NAMES = 6;
const MOST_NUMBERS = 6;
const MOST_STRINGS = 8;
const MOST_MEMBERS = 10;

/** Names, expressions and constants with their values in each context. */
export function leavesOf(
  { atoms, own, numbers, strings }: Ingredients,
  contexts: readonly (readonly Json[])[],
): readonly Leaf[] {
  const noted = atoms.map(({ text, binds, isName }, at): Leaf => {
    const isPart = text !== own && isIn(text, own);
    const cost = isName ? nameCost(text, own, at) : isPart ? COST.part : COST.expression;
    return { text, binds, cost, values: contexts.map((written) => decoded(written[at])) };
  });
  const amount = contexts.length;
  const literal = (text: string): number => (isIn(text, own) ? COST.own : COST.literal);
  const constants = [
    ...numbers
      .slice(0, MOST_NUMBERS)
      .map((text) => constant(text, Number(text), literal(text), amount)),
    ...strings
      .slice(0, MOST_STRINGS)
      .map((text) => constant(text, JSON.parse(text) as string, literal(text), amount)),
    constant("0", 0, COST.near, amount),
    constant("1", 1, COST.usual, amount),
    constant("2", 2, COST.rare, amount),
    constant("-1", -1, COST.rare, amount),
    constant('""', "", COST.rare, amount),
    constant("true", true, COST.rare, amount),
    constant("false", false, COST.rare, amount),
    constant("null", null, COST.rare, amount),
    constant("[]", [], COST.rare, amount),
  ];
  return [...noted, ...constants];
}

function nameCost(name: string, own: string, at: number): number {
  if (isIn(name, own)) return COST.own;
  return at < NEAR_NAMES ? COST.near : COST.name;
}

/** Reading members that objects among the noted values have, those that the program names first. */
export function membersSeen(
  { members }: Ingredients,
  contexts: readonly (readonly Json[])[],
): readonly Operation[] {
  const seen = new Set<string>();
  const visit = (written: Json, depth: number): void => {
    if (depth > 4) return;
    if (Array.isArray(written)) {
      for (const one of (written as readonly Json[]).slice(0, 8)) visit(one, depth + 1);
    } else if (isJsonObject(written) && Array.isArray(written["o"])) {
      for (const member of written["o"] as readonly Json[]) {
        const [key, value] = member as readonly [string, Json];
        if (isIdentifier(key)) seen.add(key);
        visit(value, depth + 1);
      }
    }
  };
  for (const written of contexts.slice(0, 12)) for (const one of written) visit(one, 0);
  const known = members.filter((key) => seen.has(key));
  return [...new Set([...known, ...seen])].slice(0, MOST_MEMBERS).map(memberOf);
}

/** Whether some noted value is there in all contexts: a hole without any says nothing. */
export function hasValues(leaves: readonly Leaf[]): boolean {
  return leaves.some(({ values }) => values.every((value) => value !== NO_VALUE));
}

function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

function isIn(text: string, own: string): boolean {
  if (!/^[\w$]+$/.test(text)) return own.includes(text);
  return new RegExp(`(?<![\\w$])${text.replaceAll("$", "\\$")}(?![\\w$])`).test(own);
}
