import type { Range } from "./locate.ts";

/** A range of a text with what replaces it. */
export type Splice = Range & { readonly text: string };

/** Applies splices that do not overlap; everything outside them stays as it is. */
export function splice(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text: inserted } of inOrder(splices)) {
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

/** Whether two splices touch the same text, or one stands inside another. */
export function overlap(splices: readonly Splice[]): boolean {
  let end = 0;
  return inOrder(splices).some((next) => {
    const isInside = next.start < end;
    end = Math.max(end, next.end);
    return isInside;
  });
}

/** By place; insertions at one place keep their order, before a replacement that starts there. */
function inOrder(splices: readonly Splice[]): readonly Splice[] {
  return splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** The line end that most lines of a text have. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const all = text.split("\n").length - 1;
  const withReturn = text.split("\r\n").length - 1;
  return withReturn * 2 > all ? "\r\n" : "\n";
}

/** A text with the given line ends. */
export function withLineEnds(text: string, lineEnd: string): string {
  return text.replaceAll(/\r\n?|\n/g, lineEnd);
}
