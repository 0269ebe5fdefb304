import type { AST } from "@eslint-community/regexpp";
import type { Draft } from "./variant.ts";
import type { Pattern } from "./pattern.ts";

const FLAGS = [
  ["g", 1],
  ["i", 1],
  ["m", 0.6],
  ["s", 0.6],
  ["u", 0.5],
  ["y", 0.1],
] as const;

/** Other flags: what is one thing to a reader is global, blind to case, or many lines to the engine. */
export function* flagVariants({ text, flags }: Pattern): Generator<Draft> {
  for (const [flag, weight] of FLAGS) {
    const other = flags.includes(flag) ? flags.replace(flag, "") : flags + flag;
    yield { text, flags: other, weight };
  }
}

/** Anchors on either end or none, around all alternatives; and words as a whole. */
export function* edgeVariants({ text, flags, tree }: Pattern): Generator<Draft> {
  const { alternatives } = tree;
  const isEach = alternatives.length > 1;
  const bare = alternatives.map(({ elements, raw, start }) => {
    const first = isEdge(elements[0], "start") ? 1 : 0;
    const last = elements.length > first && isEdge(elements.at(-1), "end") ? -1 : undefined;
    const kept = elements.slice(first, last);
    const from = kept[0]?.start ?? start;
    return { first, last, raw: raw.slice(from - start, (kept.at(-1)?.end ?? from) - start) };
  });
  const body = bare.map(({ raw }) => raw).join("|");
  const inner = isEach ? `(?:${body})` : body;
  // Whoever has written an anchor has meant it; who has not may have forgotten it.
  const weightOf = (end: string, has: boolean): number =>
    has === (end !== "") ? 1 : has ? 0.15 : 1;
  const [hasStart, hasEnd] = [
    bare.every(({ first }) => first === 1),
    bare.every(({ last }) => last),
  ];
  for (const from of ["^", ""]) {
    for (const to of ["$", ""]) {
      const text = from + (from + to === "" ? body : inner) + to;
      yield { text, flags, weight: weightOf(from, hasStart) * weightOf(to, hasEnd) };
    }
  }
  yield { text: `\\b${inner}\\b`, flags, weight: 0.4 };
  if (isEach) {
    const each = bare.map(({ raw }) => `^${raw}$`).join("|");
    yield { text: each, flags, weight: 0.6 };
    yield { text: `^(?:${text})$`, flags, weight: 0.8 };
  }
}

function isEdge(node: AST.Element | undefined, kind: "start" | "end"): boolean {
  return node?.type === "Assertion" && node.kind === kind;
}
