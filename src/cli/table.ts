import { clipped } from "./plain-text.ts";

export type TableOptions = {
  /** Colours the head after its width is known. */
  readonly paintHead?: (text: string) => string;
  /** Characters of a line; the widest columns are clipped where a row has more. Default: no end. */
  readonly width?: number;
};

/** Rows of cells as aligned lines, two blanks apart; numbers at the right. Cells are plain lines. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { paintHead = (text) => text, width = Number.POSITIVE_INFINITY }: TableOptions = {},
): readonly string[] {
  const needed = head.map((title, at) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? "")), widthOf(title)),
  );
  const widths = fitted(needed, width - GAP * (head.length - 1));
  const isNumeric = head.map(
    (_, at) => rows.length > 0 && rows.every((row) => /^(-?[\d.,]+%?|–)?$/.test(row[at] ?? "")),
  );
  const line = (cells: readonly string[]): string =>
    head
      .map((_, at) => {
        const cell = clipped(cells[at] ?? "", widths[at] ?? 0);
        const blanks = " ".repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell)));
        return isNumeric[at] === true ? blanks + cell : cell + blanks;
      })
      .join(" ".repeat(GAP))
      .trimEnd();
  return [...(head.some(Boolean) ? [paintHead(line(head))] : []), ...rows.map(line)];
}

const GAP = 2;

/** No column is made narrower than this. */
const LEAST_WIDTH = 16;

/** Widths with a sum of at most `limit`, if that can be: the widest columns give way first. */
function fitted(widths: readonly number[], limit: number): readonly number[] {
  const widest = Math.max(...widths);
  const excess = widths.reduce((sum, width) => sum + width, 0) - limit;
  if (excess <= 0 || widest <= LEAST_WIDTH) return widths;
  const next = Math.max(LEAST_WIDTH, ...widths.filter((width) => width < widest));
  const sharers = widths.filter((width) => width === widest).length;
  const narrower = Math.max(next, widest - Math.ceil(excess / sharers));
  return fitted(
    widths.map((width) => Math.min(width, narrower)),
    limit,
  );
}

function widthOf(text: string): number {
  return Array.from(text).length;
}
