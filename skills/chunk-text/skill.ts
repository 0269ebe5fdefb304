type Chunk = {
  /** Places in the text, in UTF-16 units: `text === whole.slice(start, end)`. */
  start: number;
  end: number;
  text: string;
};

/** Where to cut, best first: after a paragraph, a line, a sentence, a word. */
const CUTS = [/\n\s*\n/g, /\n/g, /[.!?。！？]["'”’)\]]*\s+|[。！？]/g, /\s+/g];

/**
 * Cuts a text into chunks of at most `maxChars` UTF-16 units, at the best place in the second half
 * of each: paragraph, line, sentence, word, and only then within a word, never within a character.
 * Each chunk but the first repeats up to `overlap` units of the one before. The chunks without
 * what they repeat are exactly the text.
 */
export function chunkText(text: string, maxChars: number, overlap?: number): Chunk[] {
  const shared = overlap ?? 0;
  if (!Number.isInteger(maxChars) || maxChars < 2) {
    throw new Error(`maxChars must be a whole number of at least 2, not ${maxChars}`);
  }
  if (!Number.isInteger(shared) || shared < 0 || shared * 2 > maxChars) {
    throw new Error(`overlap must be a whole number of at most half of maxChars, not ${shared}`);
  }
  const chunks: Chunk[] = [];
  let start = 0;
  let covered = 0;
  while (covered < text.length) {
    const end = endOf(text, start, covered, maxChars);
    chunks.push({ start, end, text: text.slice(start, end) });
    covered = end;
    const next = whole(text, end - shared, 1);
    // An overlap that leaves no room for a new character is given up.
    start = next < end && end < text.length && endOf(text, next, end, maxChars) <= end ? end : next;
  }
  return chunks;
}

function endOf(text: string, start: number, covered: number, maxChars: number): number {
  if (text.length - start <= maxChars) return text.length;
  const latest = whole(text, start + maxChars, -1);
  const earliest = Math.max(covered + 1, start + Math.ceil(maxChars / 2));
  for (const cut of CUTS) {
    const found = lastCut(text.slice(start, latest), cut) + start;
    if (found >= earliest) return found;
  }
  return latest;
}

/** The end of the last match, 0 when there is none. */
function lastCut(text: string, cut: RegExp): number {
  let last = 0;
  for (const { 0: found, index } of text.matchAll(cut)) last = index + found.length;
  return last;
}

/** The place itself, or the next in a direction that is not between the halves of a pair. */
function whole(text: string, at: number, direction: 1 | -1): number {
  const splits = /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1)) && at > 0;
  return splits ? at + direction : at;
}
