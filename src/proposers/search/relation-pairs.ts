import { canonical, type Json } from "../../domain/json.ts";
import type { Relation } from "./relations.ts";
import type { Variables } from "./variables.ts";

/** Whether something holds between a result and an input; null where they say nothing about it. */
type Between = (result: Json, input: Json) => boolean | null;

/** Parts that are looked at one by one, at most. */
const LONGEST = 200;

type Template = { readonly says: string; readonly holds: Between };

/** What may hold between results and what was asked. Those without any truth are among them. */
export function likelyPairRelations(known: readonly Variables[]): readonly Relation[] {
  const pathsIn = (of: "inputs" | "results"): ReadonlySet<string> =>
    new Set(known.flatMap((one) => [...one[of].keys()]));
  const inputs = [...pathsIn("inputs")];
  return [...pathsIn("results")].flatMap((path) =>
    inputs.flatMap((other) =>
      TEMPLATES.map(({ says, holds }): Relation => ({
        about: "link",
        says: `${path} ${says} ${other}`,
        holds: ({ results, inputs: asked }) => {
          const [result, input] = [results.get(path), asked.get(other)];
          return result === undefined || input === undefined ? null : holds(result, input);
        },
      })),
    ),
  );
}

const TEMPLATES: readonly Template[] = [
  { says: "is at most", holds: numbers((a, b) => a <= b) },
  { says: "is at least", holds: numbers((a, b) => a >= b) },
  { says: "is at most the length of", holds: withLength((value, length) => value <= length) },
  { says: "is below the length of", holds: withLength((value, length) => value < length) },
  { says: "is among", holds: isAmong },
  { says: "is at least the least of", holds: withList((value, list) => value >= least(list)) },
  { says: "is at most the most of", holds: withList((value, list) => value <= most(list)) },
  { says: "is as long as", holds: lengths((a, b) => a === b) },
  { says: "is no longer than", holds: lengths((a, b) => a <= b) },
  { says: "is no shorter than", holds: lengths((a, b) => a >= b) },
  { says: "is part of", holds: texts((a, b) => (a === "" ? null : b.includes(a))) },
  { says: "contains", holds: texts((a, b) => (b === "" ? null : a.includes(b))) },
  { says: "starts as", holds: texts((a, b) => (b === "" ? null : a.startsWith(b))) },
  { says: "takes its parts, each once, from", holds: isWithin },
  { says: "takes its parts from", holds: isOf },
  { says: "keeps all parts of", holds: (result, input) => isWithin(input, result) },
  { says: "keeps the order of", holds: isInOrder },
  { says: "has its letters and digits from", holds: texts(hasWords) },
  { says: "has members named in", holds: isNamedIn },
];

function numbers(holds: (a: number, b: number) => boolean): Between {
  return (a, b) => (typeof a === "number" && typeof b === "number" ? holds(a, b) : null);
}

function texts(holds: (a: string, b: string) => boolean | null): Between {
  return (a, b) => (typeof a === "string" && typeof b === "string" ? holds(a, b) : null);
}

function withLength(holds: (value: number, length: number) => boolean): Between {
  return (value, input) => {
    const length = lengthOf(input);
    return typeof value === "number" && length !== null ? holds(value, length) : null;
  };
}

function withList(holds: (value: number, list: readonly number[]) => boolean): Between {
  return (value, input) => {
    if (typeof value !== "number" || !Array.isArray(input) || input.length === 0) return null;
    const list = input as readonly Json[];
    return list.every((one) => typeof one === "number") ? holds(value, list) : null;
  };
}

function least(list: readonly number[]): number {
  return list.reduce((low, one) => Math.min(low, one), Infinity);
}

function most(list: readonly number[]): number {
  return list.reduce((high, one) => Math.max(high, one), -Infinity);
}

function lengths(holds: (a: number, b: number) => boolean): Between {
  return (result, input) => {
    const [own, other] = [lengthOf(result), lengthOf(input)];
    return own === null || other === null ? null : holds(own, other);
  };
}

/** Characters of a text, members of a list. */
function lengthOf(value: Json): number | null {
  return typeof value === "string" || Array.isArray(value) ? value.length : null;
}

function isAmong(value: Json, input: Json): boolean | null {
  if (!Array.isArray(input) || input.length === 0 || value === null) return null;
  return typeof value === "boolean"
    ? null
    : keysOf(input as readonly Json[]).includes(canonical(value));
}

/** The keys of lists, kept: the same lists are asked about by many relations. */
const known = new WeakMap<readonly Json[], readonly string[]>();

function keysOf(list: readonly Json[]): readonly string[] {
  const keys = known.get(list) ?? list.map((part) => canonical(part));
  known.set(list, keys);
  return keys;
}

/** Both parts as keys, where both have parts of their own and the first has some. */
function bothParts(a: Json, b: Json): readonly [readonly string[], readonly string[]] | null {
  const [own, other] = [keysIn(a), keysIn(b)];
  if (own === null || other === null || typeof a !== typeof b) return null;
  return own.length === 0 ? null : [own, other];
}

function keysIn(value: Json): readonly string[] | null {
  if (typeof value !== "string" && !Array.isArray(value)) return null;
  if (value.length > LONGEST) return null;
  return typeof value === "string" ? value.split("") : keysOf(value as readonly Json[]);
}

function isWithin(a: Json, b: Json): boolean | null {
  const parts = bothParts(a, b);
  if (parts === null) return null;
  const left = new Map<string, number>();
  for (const key of parts[1]) left.set(key, (left.get(key) ?? 0) + 1);
  return parts[0].every((key) => {
    const amount = left.get(key) ?? 0;
    left.set(key, amount - 1);
    return amount > 0;
  });
}

function isOf(a: Json, b: Json): boolean | null {
  const parts = bothParts(a, b);
  if (parts === null) return null;
  const known = new Set(parts[1]);
  return parts[0].every((key) => known.has(key));
}

/** Whether the first is what is left of the second when some parts are left out. */
function isInOrder(a: Json, b: Json): boolean | null {
  const parts = bothParts(a, b);
  if (parts === null || parts[0].length < 2) return null;
  let at = 0;
  for (const key of parts[1]) if (key === parts[0][at]) at += 1;
  return at === parts[0].length;
}

/** The same without what stands between words, and without regard to capitals. */
function hasWords(a: string, b: string): boolean | null {
  const [own, other] = [wordsIn(a), wordsIn(b)];
  return own === "" ? null : isWithin(own, other);
}

function wordsIn(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\d]+/gu, "");
}

function isNamedIn(value: Json, input: Json): boolean | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const names = Object.keys(value);
  if (names.length === 0) return null;
  if (typeof input === "string") return names.every((name) => input.includes(name));
  if (typeof input !== "object" || input === null) return null;
  const known = new Set(
    Array.isArray(input)
      ? (input as readonly Json[]).map((one) => (typeof one === "string" ? one : canonical(one)))
      : Object.keys(input),
  );
  return names.every((name) => known.has(name));
}
