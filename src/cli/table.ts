/**
 * Rows of cells as aligned lines, two blanks apart; numbers at the right. The cells must be plain
 * lines. `paintHead` colours the head after its width is known.
 */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  paintHead: (text: string) => string = (text) => text,
): readonly string[] {
  const widths = head.map((title, at) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[at] ?? ""))),
  );
  const isNumeric = head.map(
    (_, at) => rows.length > 0 && rows.every((row) => /^(-?[\d.,]+%?|–)?$/.test(row[at] ?? "")),
  );
  const line = (cells: readonly string[]): string =>
    head
      .map((_, at) => {
        const cell = cells[at] ?? "";
        const blanks = " ".repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell)));
        return isNumeric[at] === true ? blanks + cell : cell + blanks;
      })
      .join("  ")
      .trimEnd();
  return [...(head.some(Boolean) ? [paintHead(line(head))] : []), ...rows.map(line)];
}

function widthOf(text: string): number {
  return Array.from(text).length;
}
