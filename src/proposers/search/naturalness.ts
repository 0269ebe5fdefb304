import type { Edit } from "../../domain/candidate.ts";

/** What the text of an edit says about it, whatever it does. */
export type TextTraits = {
  /** How usual its tokens are here, against those it replaces; 0 where they are alike. */
  readonly natural: number;
  /** Names that were declared and read, and are no longer read. */
  readonly orphans: number;
  /** Names that were declared and not read, and now are. */
  readonly adopts: number;
  /** Operations that say nothing, such as a value compared with itself: made, and done away with. */
  readonly idle: number;
  readonly cures: number;
};

/** How far each order of the language model is trusted: pairs of tokens, tokens, any token. */
const PAIRS = 0.6;
const SINGLES = 0.3;
const ANY = 0.1;

/**
 * Reads an edit as text. Naturalness is the likelihood of its tokens in a cached bigram model of
 * the same file without the edited place (Hindle et al., "On the naturalness of software", ICSE
 * 2012; Tu et al., "On the localness of software", FSE 2014). The reading of names is a rough one:
 * it weighs, it does not decide.
 */
export function textTraitsOf(source: string, edits: readonly Edit[]): TextTraits {
  const change = changeOf(source, edits);
  if (change === null) return { natural: 0, orphans: 0, adopts: 0, idle: 0, cures: 0 };
  const { before, removed, added, after } = change;
  const now = before + added + after;
  const [was, is] = [unreadIn(source), unreadIn(now)];
  const model = modelOf(tokensOf(before), tokensOf(after));
  const natural = (text: string): number => model.likelihood(tokensOf(text));
  return {
    natural: natural(added) - natural(removed),
    orphans: [...is].filter((name) => !was.has(name)).length,
    adopts: [...was].filter((name) => !is.has(name)).length,
    idle: Math.max(0, idleIn(now) - idleIn(source)),
    cures: Math.max(0, idleIn(source) - idleIn(now)),
  };
}

type Change = Readonly<Record<"before" | "removed" | "added" | "after", string>>;

/** From the first character that changes to the last one. */
function changeOf(source: string, edits: readonly Edit[]): Change | null {
  const splices = edits.flatMap((edit) => (edit.op === "splice" ? [edit] : []));
  const [first] = splices;
  const last = splices.at(-1);
  if (first === undefined || last === undefined || splices.length < edits.length) return null;
  let added = "";
  let at = first.start;
  for (const splice of splices) {
    added += source.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  const removed = source.slice(first.start, last.end);
  return { before: source.slice(0, first.start), removed, added, after: source.slice(last.end) };
}

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\p{L}$_][\p{L}\d$_]*|\d[\d._a-z]*|[=!]==?|[<>]=?|&&|\|\||\?\?|\?\.|=>|\*\*|\+\+|--|[-+*/%]=|\S/giu;

function tokensOf(text: string): readonly string[] {
  return (text.match(TOKEN) ?? []).filter((token) => !/^\/[/*]/.test(token));
}

type Model = { readonly likelihood: (tokens: readonly string[]) => number };

/** Mean logarithm of how likely tokens are between what stands before and what stands after. */
function modelOf(before: readonly string[], after: readonly string[]): Model {
  const counts = new Map<string, number>();
  const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const tokens of [before, after]) {
    for (const [at, token] of tokens.entries()) {
      count(token);
      if (at > 0) count(pairOf(tokens[at - 1] ?? "", token));
    }
  }
  const total = before.length + after.length + 1;
  const chance = (last: string, token: string): number =>
    (PAIRS * (counts.get(pairOf(last, token)) ?? 0)) / Math.max(1, counts.get(last) ?? 0) +
    (SINGLES * (counts.get(token) ?? 0)) / total +
    ANY / total;
  return {
    likelihood: (tokens) => {
      const all = [before.at(-1) ?? "", ...tokens, after[0] ?? ""];
      const logs = all.slice(1).map((token, at) => Math.log(chance(all[at] ?? "", token)));
      return logs.reduce((sum, one) => sum + one, 0) / logs.length;
    },
  };
}

function pairOf(last: string, token: string): string {
  return `${last}\n${token}`;
}

/** A name that is declared by a word before it. */
const BY_WORD = /\b(?:const|let|var|function|class)\s+([\p{L}$_][\p{L}\d$_]*)/gu;

/** Lists of names that are declared where they stand. */
const IN_LISTS = [
  /\b(?:const|let|var)\s*[[{]([^=;]*)[\]}]\s*(?:=|of)/gu,
  /\bfunction\s*[\p{L}\d$_]*\s*\(([^)]*)\)/gu,
  /\(([^()]*)\)\s*=>/gu,
  /([\p{L}$_][\p{L}\d$_]*)\s*=>/gu,
];

/** A name that stands for a value, and not for where one is put. */
const READ =
  /(?<![.\p{L}\d$_])[\p{L}$_][\p{L}\d$_]*(?!\s*(?:=(?![=>])|\+\+|--|[-+*/%]=))(?![\p{L}\d$_])/gu;

/** Names that a source declares and does not read, but for what it exports. */
function unreadIn(source: string): ReadonlySet<string> {
  const text = source.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "");
  const byWord = new Set([...text.matchAll(BY_WORD)].map(([, name = ""]) => name));
  const listed = IN_LISTS.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(
    ([, list = ""]) => list.replace(/=[^,]*/g, "").match(/[\p{L}$_][\p{L}\d$_]*/gu) ?? [],
  );
  const counts = new Map<string, number>();
  for (const [name] of text.replace(BY_WORD, "").matchAll(READ)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const exported = new Set(
    [...text.matchAll(/\bexport\s+(?:default\s+)?(?:async\s+)?(?:function|const)\s+(\S+?)\b/g)].map(
      ([, name = ""]) => name,
    ),
  );
  const reads = (name: string): number => counts.get(name) ?? 0;
  const unread = [
    ...[...byWord].filter((name) => reads(name) === 0),
    ...listed.filter((name) => !byWord.has(name) && reads(name) <= 1),
  ];
  return new Set(unread.filter((name) => !exported.has(name)));
}

const IDLE = [
  /(?<![\w.)\]])([\w$.]+(?:\[[^\]]*\])?)\s*(?:[=!]==?|[<>]=?|&&|\|\||\?\?|[-/%])\s*\1(?![\w$.([])/g,
  /(?:if|while)\s*\(\s*!?(?:true|false|\d+)\s*\)/g,
  /(?:&&|\|\|)\s*(?:true|false)\b/g,
];

function idleIn(source: string): number {
  return IDLE.reduce((sum, pattern) => sum + (source.match(pattern)?.length ?? 0), 0);
}
