/** Which columns of a table of numbers are different from all before them. */
export type Columns = {
  /** A row of the distinct columns alone, of a row of all. */
  readonly narrow: (row: readonly number[]) => readonly number[];
  /** A row of all columns, of one of the distinct ones. */
  readonly wide: (row: readonly number[]) => readonly number[];
};

/** Columns that are alike in every row are computed once: a loop comes by with the same values. */
export function distinctColumns(rows: readonly (readonly number[])[]): Columns {
  const amount = rows[0]?.length ?? 0;
  const places = new Map<string, number>();
  const kept: number[] = [];
  const at = Array.from({ length: amount }, (_, column) => {
    const key = rows.map((row) => row[column]).join();
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, kept.length);
    kept.push(column);
    return kept.length - 1;
  });
  return {
    narrow: (row) => kept.map((column) => row[column] ?? 0),
    wide: (row) => at.map((column) => row[column] ?? 0),
  };
}
