/** How much two expressions are made of the same parts, in [0,1]: the sets of their words (Jaccard). */
export function likeness(a: string, b: string): number {
  const [own, other] = [wordsIn(a), wordsIn(b)];
  const shared = [...own].filter((word) => other.has(word)).length;
  const together = own.size + other.size - shared;
  return together === 0 ? 1 : shared / together;
}

/** Names, numbers and signs. */
function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\w$]+|[^\w\s()]+/g) ?? []);
}
