/** A replacement of the range [start, end) of a text, in UTF-16 units. */
export type TextSplice = { readonly start: number; readonly end: number; readonly text: string };

/**
 * The smallest single splice that makes one text of another: between common beginning and end. It
 * cuts no surrogate pair in two: half of one is no text that could be stored or sent.
 */
export function spliceBetween(before: string, after: string): TextSplice {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  if (isCut(before, head) || isCut(after, head)) head -= 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  if (isCut(before, before.length - tail) || isCut(after, after.length - tail)) tail -= 1;
  return { start: head, end: before.length - tail, text: after.slice(head, after.length - tail) };
}

/** Whether a place lies between the halves of a pair. */
function isCut(text: string, at: number): boolean {
  const [before, behind] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd8_00 && before <= 0xdb_ff && behind >= 0xdc_00 && behind <= 0xdf_ff;
}
