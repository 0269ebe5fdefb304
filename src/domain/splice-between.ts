/** A replacement of the range [start, end) of a text, in UTF-16 units. */
export type TextSplice = { readonly start: number; readonly end: number; readonly text: string };

/** The smallest single splice that makes one text of another: between common beginning and end. */
export function spliceBetween(before: string, after: string): TextSplice {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { start: head, end: before.length - tail, text: after.slice(head, after.length - tail) };
}
