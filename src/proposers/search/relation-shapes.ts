import { canonical, isJsonObject, type Json } from "../../domain/json.ts";
import { kindOf } from "./behaviour.ts";
import type { Relation } from "./relations.ts";
import type { Variables } from "./variables.ts";

/** Whether something holds of a value; null where the value says nothing about it. */
type Holds = (value: Json) => boolean | null;

/** What may hold of one result, with what it takes from the results that are known to be right. */
type Template = { readonly says: string; readonly from: (known: readonly Json[]) => Holds };

/**
 * What may hold of results, or of members of results, by themselves. Those that do not hold of all
 * known ones are among them: whoever asks for likely relations drops them.
 */
export function likelyShapes(known: readonly Variables[]): readonly Relation[] {
  const paths = new Set(known.flatMap(({ results }) => [...results.keys()]));
  return [...paths].flatMap((path) => {
    const values = known.flatMap(({ results }) => valueAt(results, path));
    return TEMPLATES.map(({ says, from }): Relation => {
      const holds = from(values);
      return {
        about: "shape",
        says: `${path} ${says}`,
        holds: ({ results }) => {
          const [value] = valueAt(results, path);
          return value === undefined ? null : holds(value);
        },
      };
    });
  });
}

function valueAt(values: ReadonlyMap<string, Json>, path: string): readonly Json[] {
  const value = values.get(path);
  return value === undefined ? [] : [value];
}

const TEMPLATES: readonly Template[] = [
  { says: "is of a known kind", from: kinds },
  { says: "has the known members", from: alike(isJsonObject, keysOf) },
  always("is whole", onNumber(Number.isInteger)),
  always(
    "is not negative",
    onNumber((value) => value >= 0),
  ),
  always(
    "is positive",
    onNumber((value) => value > 0),
  ),
  { says: "has as many decimals at most", from: decimals },
  always(
    "is not empty",
    onText((text) => text !== ""),
  ),
  always(
    "has no blanks around",
    onText((text) => text.trim() === text),
  ),
  always(
    "has no capitals",
    onLetters((text) => text === text.toLowerCase()),
  ),
  always(
    "has no small letters",
    onLetters((text) => text === text.toUpperCase()),
  ),
  { says: "is made of the known characters", from: alphabet },
  { says: "has the known pattern", from: alike(isText, patternOf) },
  always(
    "has some member",
    onList((list) => list.length > 0),
  ),
  { says: "has members of the known kinds", from: memberKinds },
  always("has no member twice", onList(isDistinct)),
  always("rises", onList(isOrdered(1))),
  always("falls", onList(isOrdered(-1))),
  always("has lists of one length", onList(isRectangular)),
];

function always(says: string, holds: Holds): Template {
  return { says, from: () => holds };
}

function onNumber(holds: (value: number) => boolean): Holds {
  return (value) => (typeof value === "number" ? holds(value) : null);
}

function onText(holds: (text: string) => boolean): Holds {
  return (value) => (typeof value === "string" ? holds(value) : null);
}

function onLetters(holds: (text: string) => boolean): Holds {
  return (value) => (isText(value) && /\p{L}/u.test(value) ? holds(value) : null);
}

function onList(holds: (list: readonly Json[]) => boolean | null): Holds {
  return (value) => (Array.isArray(value) ? holds(value as readonly Json[]) : null);
}

function kinds(known: readonly Json[]): Holds {
  const seen = new Set(known.map(kindOf));
  return (value) => seen.has(kindOf(value));
}

/** All have the same key; says nothing where the known ones have several. */
function alike<T extends Json>(
  isOne: (value: Json) => value is T,
  keyOf: (value: T) => string,
): Template["from"] {
  return (known) => {
    const [key, ...others] = new Set(known.filter(isOne).map(keyOf));
    return (value) => (others.length > 0 || !isOne(value) ? null : keyOf(value) === key);
  };
}

function isText(value: Json): value is string {
  return typeof value === "string";
}

function keysOf(value: Readonly<Record<string, Json>>): string {
  return canonical(Object.keys(value).toSorted());
}

/** `ab-12` is `a-0`: runs of letters and of digits are one each. */
function patternOf(text: string): string {
  return text.replace(/\p{L}+/gu, "a").replace(/\d+/g, "0");
}

function decimals(known: readonly Json[]): Holds {
  const most = Math.max(0, ...known.map((value) => (isNumber(value) ? decimalsOf(value) : 0)));
  return onNumber((value) => decimalsOf(value) <= most);
}

function isNumber(value: Json): value is number {
  return typeof value === "number";
}

function decimalsOf(value: number): number {
  const [, fraction = "", exponent = "0"] =
    /^-?\d+(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}

/** The texts in a value: itself, or the members of a list of texts. */
function textsOf(value: Json): readonly string[] {
  if (isText(value)) return [value];
  return Array.isArray(value) ? (value as readonly Json[]).filter(isText) : [];
}

/** Letters, digits and blanks are one character each here, other characters are their own. */
function alphabet(known: readonly Json[]): Holds {
  const seen = new Set(known.flatMap(textsOf).flatMap((text) => classesOf(text)));
  return (value) => {
    const classes = textsOf(value).flatMap((text) => classesOf(text));
    return classes.length === 0 ? null : classes.every((one) => seen.has(one));
  };
}

function classesOf(text: string): readonly string[] {
  return [...new Set(text.replace(/\p{L}/gu, "a").replace(/\d/g, "0"))];
}

function memberKinds(known: readonly Json[]): Holds {
  const seen = new Set(known.flatMap(membersOf).map(kindOf));
  return onList((list) => (list.length === 0 ? null : list.every((one) => seen.has(kindOf(one)))));
}

function membersOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function isDistinct(list: readonly Json[]): boolean | null {
  if (list.length < 2) return null;
  return new Set(list.map((one) => canonical(one))).size === list.length;
}

function isOrdered(sign: 1 | -1): (list: readonly Json[]) => boolean | null {
  return (list) => {
    if (list.length < 2 || !(list.every(isNumber) || list.every(isText))) return null;
    return list.every((one, at) => {
      const next = list[at + 1];
      if (next === undefined) return true;
      return sign === 1 ? one <= next : one >= next;
    });
  };
}

function isRectangular(list: readonly Json[]): boolean | null {
  const lengths = list.filter((one) => Array.isArray(one)).map(({ length }) => length);
  return lengths.length < 2 ? null : new Set(lengths).size === 1;
}
