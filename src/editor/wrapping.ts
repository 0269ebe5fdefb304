/** Texts to put around a range of a text; `rank` orders those of one range, outer ones lower. */
export type Placed = {
  readonly start: number;
  readonly end: number;
  readonly rank: number;
  readonly open: string;
  readonly close: string;
};

type Insertion = { readonly at: number; readonly order: readonly number[]; readonly text: string };

/**
 * A text with others put around some of its ranges, which nest or are disjoint. At one place, what
 * closes comes before what opens, what closes from the inside out, what opens from the outside in.
 */
export function wrapped(text: string, placed: readonly Placed[]): string {
  const insertions = placed.flatMap(insertionsOf).toSorted(byPlace);
  let result = "";
  let from = 0;
  for (const { at, text: inserted } of insertions) {
    result += text.slice(from, at) + inserted;
    from = at;
  }
  return result + text.slice(from);
}

function insertionsOf({ start, end, rank, open, close }: Placed): Insertion[] {
  if (start === end) return [{ at: start, order: [1, 0, rank], text: open + close }];
  return [
    { at: start, order: [2, -end, rank], text: open },
    { at: end, order: [0, -start, -rank], text: close },
  ];
}

function byPlace(a: Insertion, b: Insertion): number {
  if (a.at !== b.at) return a.at - b.at;
  const differing = a.order.findIndex((part, index) => part !== b.order[index]);
  return differing < 0 ? 0 : (a.order[differing] as number) - (b.order[differing] as number);
}
