import { spliceBetween } from "../../domain/splice-between.ts";

/**
 * The line of a changed source that is to blame, from 1: of the changed lines the first that the
 * hint fits, else of all lines, else the first changed one.
 */
export function blamedLine(before: string, after: string, hint: RegExp): number {
  const { start, text } = spliceBetween(before, after);
  const first = lineAt(after, start);
  const last = lineAt(after, start + text.length);
  const lines = after.split("\n").map((line, at) => ({ line, number: at + 1 }));
  const fitting = lines.filter(({ line }) => hint.test(line)).map(({ number }) => number);
  const changed = fitting.find((number) => number >= first && number <= last);
  return changed ?? fitting[0] ?? first;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
