import type { AST } from "@eslint-community/regexpp";
import type { PatternKind } from "./pattern-priors.ts";
import { acceptsOf, type Leaf } from "./terms.ts";

/** Members of a character class, as text to stand between its brackets. */
export type Members = {
  readonly text: string;
  readonly weight: number;
  readonly style: PatternKind;
};

const KINDS = [
  { name: "digit", is: /^[0-9]$/, members: "0-9", exact: 0.6, whole: 0.6 },
  { name: "lower", is: /^[a-z]$/, members: "a-z", exact: 0.2, whole: 1 },
  { name: "upper", is: /^[A-Z]$/, members: "A-Z", exact: 0.2, whole: 1 },
  { name: "space", is: /^\s$/u, members: "\\s", exact: 0.6, whole: 0.6 },
  { name: "mark", is: /^[!-/:-@[-`{-~]$/, members: null, exact: 1, whole: 0 },
  { name: "other", is: /^[^]$/u, members: null, exact: 0.4, whole: 0 },
] as const;

type Kind = (typeof KINDS)[number];

/** How a leaf is written: whoever has spelt out its characters would spell out another one too. */
function writingOf(leaf: Leaf | null): "char" | "word" | "enumerated" | "range" | "set" | "none" {
  if (leaf === null) return "none";
  if (leaf.type === "Character") return isInWord(leaf) ? "word" : "char";
  if (leaf.type === "CharacterSet") return "set";
  return leaf.elements.some(({ type }) => type !== "Character") ? "range" : "enumerated";
}

/** Whether a character stands beside another one: it is part of what is spelt out. */
function isInWord({ parent, start, end }: AST.Character): boolean {
  if (parent.type !== "Alternative") return false;
  return parent.elements.some(
    (other) => other.type === "Character" && (other.end === start || other.start === end),
  );
}

/** The general name of a character: what one would write for it in a class. */
export function kindOf(char: string): Kind {
  return KINDS.find(({ is }) => is.test(char)) ?? KINDS[5];
}

/**
 * Class members that take in some characters, from the special to the general: the characters
 * themselves, the stretch between them and what the leaf has already, and the whole of their kinds
 * (as in inference of regular expressions from examples: Bartoli et al., IEEE TKDE 2016; here a
 * letter stands for its alphabet first, a mark for itself).
 */
export function membersFor(chars: readonly string[], leaf: Leaf | null, flags: string): Members[] {
  const distinct = [...new Set(chars)].toSorted();
  if (distinct.length === 0) return [];
  const own = writingOf(leaf);
  const exact = distinct.map((char) => kindOf(char).exact);
  const options: Members[] = [
    { text: compressed(distinct), weight: Math.min(...exact), style: `exact/${own}` },
    {
      text: wholeKinds(distinct),
      weight: Math.min(...distinct.map(wholeWeight)),
      style: `whole/${own}`,
    },
    { text: stretch(distinct, leaf, flags), weight: 0.5, style: `stretch/${own}` },
  ];
  if (distinct.some((char) => /^\p{L}$/u.test(char) && kindOf(char).name === "other")) {
    const weight = 0.8;
    if (/[uv]/.test(flags)) options.push({ text: "\\p{L}", weight, style: `whole/${own}` });
    else {
      options.push({ text: "\\u00C0-\\u024F", weight: weight / 2, style: `whole/${own}` });
    }
  }
  return distinctTexts(options);
}

function wholeWeight(char: string): number {
  const { whole, exact } = kindOf(char);
  return whole === 0 ? exact : whole;
}

function wholeKinds(chars: readonly string[]): string {
  return [...new Set(chars.map((char) => kindOf(char).members ?? inClass(char)))].join("");
}

/** From the least to the greatest of a kind, what the leaf has of that kind included. */
function stretch(chars: readonly string[], leaf: Leaf | null, flags: string): string {
  const accepts = leaf === null ? () => false : acceptsOf(leaf, flags);
  const parts = chars.map((char) => {
    const kind = kindOf(char);
    if (kind.members === null || kind.name === "space") return inClass(char);
    const all = allOf(kind.is).filter((one) => chars.includes(one) || accepts(one));
    return compressed(between(all));
  });
  return [...new Set(parts)].join("");
}

function between(chars: readonly string[]): string[] {
  const codes = chars.map((char) => char.charCodeAt(0));
  const [low, high] = [Math.min(...codes), Math.max(...codes)];
  return Array.from({ length: high - low + 1 }, (_, at) => String.fromCharCode(low + at));
}

/** The ASCII characters of a kind, or of any class. */
function allOf(is: { test: (char: string) => boolean }): string[] {
  return Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((char) =>
    is.test(char),
  );
}

/** Characters as members, three and more in a row as a range. */
function compressed(chars: readonly string[]): string {
  const sorted = [...new Set(chars)].toSorted();
  let text = "";
  for (let at = 0; at < sorted.length;) {
    const first = sorted[at] as string;
    let run = 1;
    while (isNext(sorted[at + run - 1], sorted[at + run])) run += 1;
    const last = sorted[at + run - 1] as string;
    text +=
      run >= 3
        ? `${inClass(first)}-${inClass(last)}`
        : sorted
            .slice(at, at + run)
            .map(inClass)
            .join("");
    at += run;
  }
  return text;
}

function isNext(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || !/^[0-9A-Za-z]$/.test(one)) return false;
  return other.charCodeAt(0) === one.charCodeAt(0) + 1;
}

/** A character as it stands between the brackets of a class. */
export function inClass(char: string): string {
  if (/^[\\\]^[-]$/.test(char)) return `\\${char}`;
  return named(char);
}

/** A character as it stands in a pattern, for itself. */
export function asItself(char: string): string {
  if (/^[\\^$.*+?()[\]{}|/]$/.test(char)) return `\\${char}`;
  return named(char);
}

function named(char: string): string {
  const known = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\f": "\\f" }[char];
  if (known !== undefined) return known;
  const isPlain = /^[\p{L}\p{N}\p{P}\p{S}\p{M} ]$/u.test(char) || char.length > 1;
  return isPlain ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function distinctTexts(options: readonly Members[]): Members[] {
  const best = new Map<string, Members>();
  for (const one of options) {
    if (one.weight > (best.get(one.text)?.weight ?? 0)) best.set(one.text, one);
  }
  return [...best.values()];
}

/** The characters of a text, as a pattern with the flag `u` counts them. */
export function charsOf(text: string): string[] {
  return Array.from(text);
}
