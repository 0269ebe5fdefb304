import type { Json, JsonObject } from "../../domain/json.ts";
import type { Listed } from "./tool-list.ts";

/**
 * Skills by words of their names and descriptions: each word of the query that is found counts by how
 * few skills have it (inverse document frequency, Spärck Jones 1972), and twice in the name.
 */
export function search(
  { skills }: Listed,
  { query, limit }: { readonly query: string; readonly limit: number },
): JsonObject {
  const texts = [...skills].map(([name, { definition, description }]) => {
    const words = new Set(wordsOf(`${name} ${description}`));
    return { name, definition, words, named: new Set(wordsOf(name)) };
  });
  const wanted = [...new Set(wordsOf(query))].slice(0, MOST_WORDS);
  const weights = wanted.map((word) => {
    const having = texts.filter(({ words }) => words.has(word)).length;
    return { word, weight: Math.log(1 + texts.length / Math.max(1, having)) };
  });
  const ranked = texts
    .map((text) => ({ ...text, score: scoreOf(text, weights) }))
    .filter(({ score }) => wanted.length === 0 || score > 0)
    .toSorted((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  return {
    found: ranked.length,
    skills: ranked.slice(0, limit).map(({ definition }) => rowOf(definition)),
  };
}

/** Words of a query that count; the rest is prose. */
const MOST_WORDS = 30;

function scoreOf(
  { words, named }: { readonly words: ReadonlySet<string>; readonly named: ReadonlySet<string> },
  weights: readonly { readonly word: string; readonly weight: number }[],
): number {
  return weights.reduce(
    (sum, { word, weight }) =>
      sum + weight * ((words.has(word) ? 1 : 0) + (named.has(word) ? 1 : 0)),
    0,
  );
}

/** Words in small letters, without the ending of a plural. */
function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
}

function rowOf({ name, description, inputSchema }: JsonObject): JsonObject {
  const known: Record<string, Json> = {};
  for (const [key, value] of Object.entries({ name, description, inputSchema })) {
    if (value !== undefined) known[key] = value;
  }
  return known;
}
