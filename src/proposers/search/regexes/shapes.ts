import { charsOf, asItself, kindOf, membersFor } from "./generalise.ts";
import type { PatternKind } from "./pattern-priors.ts";
import { countText } from "./quantifiers.ts";

/** A pattern for some texts, from the special to the general. */
export type Shape = {
  readonly text: string;
  readonly weight: number;
  readonly style: PatternKind;
};

type Run = { readonly kind: string; readonly text: string };

/** Literals longer than this say more about the rows than about what is meant. */
const LONGEST_LITERAL = 4;

/**
 * Patterns that match some texts: runs of one kind of characters with the lengths seen, marks for
 * themselves, and what all texts share as it is. `whole` tells which texts must not be spelt out.
 */
export function shapesFor(
  texts: readonly string[],
  whole: (text: string) => boolean,
  { place, leaves }: { readonly place: ShapePlace; readonly leaves: readonly OwnLeaf[] },
): Shape[] {
  const plain = shapesOf(texts, whole).map((one): Shape => ({
    ...one,
    style: `${one.style}/${place}`,
  }));
  const own = leaves.flatMap((leaf): Shape[] => {
    const text = inTermsOf(leaf, texts);
    return text === null ? [] : [{ text, weight: 0.8, style: "own" }];
  });
  return [...own, ...plain];
}

/** A class that the pattern has already. */
export type OwnLeaf = { readonly raw: string; readonly accepts: (char: string) => boolean };

/** Texts as runs of one class, with what it refuses between them; null where they are not alike. */
function inTermsOf({ raw, accepts }: OwnLeaf, texts: readonly string[]): string | null {
  const rows = [...new Set(texts)].map((text) => {
    const runs: Run[] = [];
    for (const char of charsOf(text)) {
      const kind = accepts(char) ? "" : char;
      const last = runs.at(-1);
      if (last?.kind === kind) runs[runs.length - 1] = { kind, text: last.text + char };
      else runs.push({ kind, text: char });
    }
    return runs;
  });
  const [first] = rows;
  if (first === undefined || first.every(({ kind }) => kind !== "")) return null;
  if (rows.some((row) => sequenceOf(row) !== sequenceOf(first))) return null;
  if (first.some(({ kind }) => kind !== "" && kindOf(kind).name !== "mark")) return null;
  return first
    .map(({ kind }, at) => {
      const lengths = rows.map((row) => charsOf(row[at]?.text ?? "").length);
      const sign = countText(Math.min(...lengths), Math.max(...lengths));
      return (kind === "" ? raw : asItself(kind)) + sign;
    })
    .join("");
}

/** What the shape stands beside: what is spelt out, classes, or nothing. */
export type ShapePlace = "words" | "classes" | "gap";

type Style = "general" | "open" | "near" | "shared" | "literal" | "unlike";
type Plain = Omit<Shape, "style"> & { readonly style: Style };

function shapesOf(texts: readonly string[], whole: (text: string) => boolean): Plain[] {
  const distinct = [...new Set(texts)].filter((text) => text !== "");
  const rows = distinct.map(runsOf);
  const [first] = rows;
  if (first === undefined || distinct.some((text) => text.length > 40)) return [];
  const isAlike = rows.every((row) => sequenceOf(row) === sequenceOf(first));
  const shapes = isAlike ? alike(rows, first) : unlike(rows, distinct);
  if (distinct.length <= 4 && distinct.every((text) => text.length <= LONGEST_LITERAL)) {
    if (!distinct.some(whole)) {
      const literal = distinct.map((text) => charsOf(text).map(asItself).join("")).join("|");
      shapes.push({
        text: distinct.length > 1 ? `(?:${literal})` : literal,
        weight: 0.4,
        style: "literal",
      });
    }
  }
  return shapes;
}

function alike(rows: readonly (readonly Run[])[], first: readonly Run[]): Plain[] {
  const columns = first.map((_, at) => rows.map((row) => row[at] as Run));
  const general = columns.map((column) => classOf(column, "whole")).join("");
  const open = columns.map((column) => classOf(column, "open")).join("");
  const near = columns.map((column) => classOf(column, "near")).join("");
  const shared = columns.map((column) => sharedOf(column, rows.length)).join("");
  return [
    { text: general, weight: 0.8, style: "general" },
    { text: open, weight: 0.4, style: "open" },
    { text: near, weight: 0.5, style: "near" },
    { text: shared, weight: 0.6, style: "shared" },
  ];
}

function unlike(rows: readonly (readonly Run[])[], texts: readonly string[]): Plain[] {
  const groups = [...Map.groupBy(rows, sequenceOf).values()];
  const each = groups.map((group) => alike(group, group[0] as readonly Run[])[0]?.text ?? "");
  const chars = texts.flatMap((text) => charsOf(text));
  const lengths = texts.map((text) => charsOf(text).length);
  const sign = countText(Math.min(...lengths), Math.max(...lengths));
  const classes = membersFor(chars, null, "").map(({ text, weight }) => ({
    text: `[${text}]${sign}`,
    weight: weight * 0.6,
    style: "unlike" as const,
  }));
  if (groups.length > 3) return classes;
  return [{ text: `(?:${each.join("|")})`, weight: 0.4, style: "unlike" }, ...classes];
}

function runsOf(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (const char of text) {
    const { name } = kindOf(char);
    const last = runs.at(-1);
    const kind = name === "mark" || name === "other" ? char : name;
    if (last?.kind === kind) runs[runs.length - 1] = { kind, text: last.text + char };
    else runs.push({ kind, text: char });
  }
  return runs;
}

function sequenceOf(runs: readonly Run[]): string {
  return runs.map(({ kind }) => kind).join("\0");
}

function classOf(column: readonly Run[], how: "whole" | "open" | "near"): string {
  const [first] = column as readonly [Run, ...Run[]];
  const lengths = column.map(({ text }) => charsOf(text).length);
  const [low, high] = [Math.min(...lengths), Math.max(...lengths)];
  const members = kindOf(charsOf(first.text)[0] ?? "").members;
  if (members === null) return asItself(first.kind) + countText(low, high);
  const chars = column.flatMap(({ text }) => charsOf(text));
  const inside = how === "near" ? (membersFor(chars, null, "").at(-1)?.text ?? members) : members;
  const sign = how === "open" ? "+" : countText(low, high);
  return (inside === "0-9" ? "\\d" : inside === "\\s" ? "\\s" : `[${inside}]`) + sign;
}

function sharedOf(column: readonly Run[], rows: number): string {
  const [first] = column as readonly [Run, ...Run[]];
  const isShared = rows > 1 && column.every(({ text }) => text === first.text);
  const isShort = first.text.length <= LONGEST_LITERAL;
  return isShared && isShort
    ? charsOf(first.text).map(asItself).join("")
    : classOf(column, "whole");
}
