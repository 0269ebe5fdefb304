import { MOST_DEPTH } from "./json.ts";

/** Levels that may stand around values in what holds several: a line, a task, a request. */
const MOST_AROUND = 8;

/** Lists, objects and named members of one text: what takes memory and time when it is read. */
export const MOST_MEMBERS = 500_000;

/**
 * Why a text of somebody who is not trusted is not to be read as JSON, to complete a sentence; null
 * where it may. Reading ten megabytes of brackets takes seconds, in which nothing else gets its
 * turn; looking at them takes milliseconds. Exact for what is JSON.
 */
export function unfitJson(text: string): string | null {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case BRACKET:
      case BRACE:
        depth += 1;
        members += 1;
        break;
      case BRACKET_END:
      case BRACE_END:
        depth -= 1;
        break;
      case COLON:
        members += 1;
    }
    if (depth > MOST_DEPTH + MOST_AROUND) return `is nested deeper than ${MOST_DEPTH} levels`;
    if (members > MOST_MEMBERS) return `has more than ${MOST_MEMBERS} lists, objects and members`;
  }
  return null;
}

const [QUOTE, COLON, BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = [
  34, 58, 91, 92, 93, 123, 125,
] as const;

/** The place of the quote that ends a string; the text's length where none does. */
function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}
