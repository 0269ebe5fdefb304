/** One line of a report: what was measured, its figure, and what it may be at most. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "MB" | "%" | "x" | "";
  /** The figure has to stay below this. */
  readonly limit?: number;
  readonly note?: string;
};

/** Prints figures as an aligned table, or as one JSON object; false where one misses its limit. */
export function report(title: string, figures: readonly Figure[], isJson: boolean): boolean {
  const missed = figures.filter(({ value, limit }) => limit !== undefined && !(value < limit));
  if (isJson) {
    const bench = { schemaVersion: 1, bench: title, machine: machine(), figures };
    console.log(JSON.stringify({ ...bench, missed: missed.map(({ name }) => name) }));
  } else {
    console.log(`${title} (${machine()})\n`);
    console.log(tableOf(figures).join("\n"));
  }
  return missed.length === 0;
}

/** Prints what is being done, where a person watches. */
export function tell(sentence: string, isJson: boolean): void {
  if (!isJson) console.error(`${new Date().toISOString().slice(11, 19)} ${sentence}`);
}

/** The value below which a share of the values lies; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function machine(): string {
  const cores = navigator.hardwareConcurrency;
  return `${cores} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

function tableOf(figures: readonly Figure[]): readonly string[] {
  const rows = figures.map(({ name, value, unit, limit, note = "" }) => {
    const said = value.toFixed(Number.isInteger(value) && unit === "" ? 0 : 2);
    const bound = limit === undefined ? "" : `< ${limit}${value < limit ? "" : "  MISSED"}`;
    return [name, said, unit, bound, note];
  });
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 1 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
