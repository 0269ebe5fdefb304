import type { AST } from "@eslint-community/regexpp";
import { inClass } from "./generalise.ts";
import type { Pattern } from "./pattern.ts";
import { acceptsOf, isLeaf, termsOf, type Leaf, type Term } from "./terms.ts";
import { put, putAll, type Draft } from "./variant.ts";

/** What is often left out of a class, or too much in it. */
const PARTS = [
  ["A-Z", "Q"],
  ["a-z", "q"],
  ["0-9", "5"],
  ["_", "_"],
  ["\\-", "-"],
  ["\\s", " "],
  [".", "."],
  ["+", "+"],
  ["'", "'"],
  ['"', '"'],
  ["\\\\", "\\"],
  ["$", "$"],
  [",", ","],
  ["/", "/"],
] as const;

/** What stands for one character in the place of another such part. */
const SHORTHANDS = ["\\d", "\\w", "\\s", "\\S", ".", "[A-Za-z]", "[a-z]", "[A-Z]", "[0-9A-Fa-f]"];

/** Exchanges of what is matched at one place, there and at all places of the same text. */
export function* classVariants(pattern: Pattern): Generator<Draft> {
  const terms = termsOf(pattern);
  for (const term of terms) {
    if (!isLeaf(term.core)) continue;
    for (const [text, weight] of exchangesOf(term.core, pattern.flags)) {
      yield* everywhere(pattern, terms, term, [text, weight]);
    }
  }
}

/** A leaf with another text in its place; where it is repeated, in all places too. */
// oxlint-disable-next-line max-params
function* everywhere(
  pattern: Pattern,
  terms: readonly Term[],
  { core }: Term,
  [text, weight]: readonly [text: string, weight: number],
): Generator<Draft> {
  yield put(pattern, core, text, weight);
  const same = terms.filter((other) => other.core.raw === core.raw && core.type !== "Character");
  if (same.length < 2 || same[0]?.core !== core) return;
  const parts = same.map((other) => ({ ...rangeOf(other.core), by: text }));
  yield putAll(pattern, parts, weight);
}

function rangeOf({ start, end }: AST.Node): Pick<AST.Node, "start" | "end"> {
  return { start, end };
}

function* exchangesOf(leaf: Leaf, flags: string): Generator<readonly [string, number]> {
  const isPlain = leaf.type === "Character" && !/^\W$/.test(leaf.raw) && !leaf.raw.startsWith("\\");
  if (leaf.type === "Character") yield* charExchanges(leaf);
  if (leaf.type === "CharacterSet") yield* setExchanges(leaf);
  if (leaf.type === "CharacterClass") yield* memberExchanges(leaf);
  if (isPlain) return;
  const accepts = acceptsOf(leaf, flags);
  for (const [part, sample] of PARTS) {
    if (!accepts(sample)) yield [widened(leaf, part), leaf.type === "Character" ? 0.2 : 0.5];
  }
  if (leaf.type === "Character") return;
  for (const other of SHORTHANDS) {
    if (other !== leaf.raw) yield [other, isApart(accepts, other, flags) ? DEAD : 0.3];
  }
}

/** What matches nothing that was matched before takes a branch away rather than changing it. */
const DEAD = 0.05;

function isApart(accepts: (char: string) => boolean, other: string, flags: string): boolean {
  const alone = new RegExp(`^${other}$`, flags.replace(/[gy]/g, ""));
  const chars = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  return !chars.some((char) => accepts(char) && alone.test(char));
}

function* charExchanges({ raw, value }: AST.Character): Generator<readonly [string, number]> {
  const char = String.fromCodePoint(value);
  if (raw === "\\.") yield [".", 0.3];
  if (/^\\[^\w\s/]$/.test(raw)) yield [raw.slice(1), 0.2];
  if (/^\\[bnrt]$/.test(raw)) yield [raw === "\\n" ? "\\r?\\n" : `\\${raw}`, 0.4];
  if (/^[dwsbDWSB]$/.test(char) && raw === char) yield [`\\${char}`, 0.6];
  if (/^[0-9]$/.test(char)) yield ["\\d", 0.3];
  if (/^[A-Za-z]$/.test(char)) {
    yield [`[${char.toUpperCase()}${char.toLowerCase()}]`, 0.4];
  }
  if (/[^\w\s]/.test(char)) {
    for (const more of [",", "\\r\\n", ",\\r\\n", "\\s"]) yield [`[${inClass(char)}${more}]`, 0.4];
  }
  yield ["", 0.15];
}

function* setExchanges(set: AST.CharacterSet): Generator<readonly [string, number]> {
  if (set.kind === "any") {
    yield* [
      ["\\.", 1],
      ["[\\s\\S]", 0.8],
      ["[^\\n]", 0.2],
      ['[^"]', 0.2],
    ] as const;
    return;
  }
  if (set.kind === "property") return;
  const [, letter = ""] = set.raw;
  yield [
    `\\${letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()}`,
    DEAD,
  ];
  if (set.raw === "\\s") yield* [" ", "[ \\t]"].map((text) => [text, 0.8] as const);
  if (set.raw === "\\w") yield* ["[A-Za-z]", "[A-Za-z0-9]"].map((text) => [text, 0.6] as const);
  if (set.raw === "\\S") yield* ["[^,]", '[^"]'].map((text) => [text, 0.4] as const);
}

function* memberExchanges(set: AST.CharacterClass): Generator<readonly [string, number]> {
  if (set.unicodeSets) return;
  const open = set.negate ? "[^" : "[";
  yield [(set.negate ? "[" : "[^") + set.raw.slice(open.length), DEAD];
  for (const member of set.elements) {
    const without = replaced(set, member, "");
    if (set.elements.length > 1) yield [without, 0.3];
    if (member.type === "CharacterClassRange") {
      for (const [text, weight] of rangeExchanges(member)) {
        yield [replaced(set, member, text), weight];
      }
    }
  }
}

function replaced(set: AST.CharacterClass, member: AST.Node, by: string): string {
  return set.raw.slice(0, member.start - set.start) + by + set.raw.slice(member.end - set.start);
}

/** The ends of a range a step on, and the whole of its kind. */
function* rangeExchanges({
  min,
  max,
}: AST.CharacterClassRange): Generator<readonly [string, number]> {
  for (const step of [1, -1]) {
    for (const [low, high] of [
      [min.value + step, max.value],
      [min.value, max.value + step],
    ] as const) {
      if (isUsual(low) && isUsual(high) && low <= high) yield [rangeText(low, high), 0.4];
    }
  }
  if (min.value >= 48 && max.value <= 57) yield ["0-9", 0.5];
  if (min.value >= 97 && max.value <= 122) {
    yield* [
      ["a-z", 0.5],
      [`${min.raw}-${max.raw}${min.raw.toUpperCase()}-${max.raw.toUpperCase()}`, 0.6],
    ] as const;
  }
  if (min.value >= 65 && max.value <= 90) {
    yield* [
      ["A-Z", 0.5],
      [`${min.raw}-${max.raw}${min.raw.toLowerCase()}-${max.raw.toLowerCase()}`, 0.6],
    ] as const;
  }
  if (min.raw === "A" && max.raw === "z") yield ["A-Za-z", 1];
}

function isUsual(code: number): boolean {
  return /^[0-9A-Za-z]$/.test(String.fromCharCode(code));
}

function rangeText(low: number, high: number): string {
  const [from, to] = [String.fromCharCode(low), String.fromCharCode(high)];
  return low === high ? from : `${from}-${to}`;
}

/** A leaf that matches what some members do as well, as text. */
export function widened(leaf: Leaf, members: string): string {
  if (leaf.type === "Character") {
    const char = String.fromCodePoint(leaf.value);
    return new RegExp(`^[${members}]$`).test(char)
      ? `[${members}]`
      : `[${members}${inClass(char)}]`;
  }
  if (leaf.type === "CharacterSet") return leaf.kind === "any" ? "[^]" : `[${members}${leaf.raw}]`;
  if (leaf.negate || leaf.unicodeSets) return `(?:${leaf.raw}|[${members}])`;
  return `[${members}${leaf.raw.slice(1, -1).replace(/^-/, "\\-")}]`;
}

/** A leaf that does not match what some members do, as text. */
export function narrowed(leaf: Leaf, members: string): string {
  if (leaf.type === "CharacterClass" && leaf.negate && !leaf.unicodeSets) {
    return `[^${members}${leaf.raw.slice(2, -1).replace(/^-/, "\\-")}]`;
  }
  if (leaf.type === "CharacterSet" && leaf.kind === "any") return `[^${members}\\n\\r]`;
  if (leaf.type === "CharacterSet" && leaf.raw === "\\S") return `[^${members}\\s]`;
  return `(?![${members}])${leaf.raw}`;
}
