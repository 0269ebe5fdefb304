type Cell = string | number | boolean | null;

type Column = {
  column: string;
  /** `number` where every present value is one, also as text; `empty` without any value. */
  type: "number" | "boolean" | "text" | "mixed" | "empty";
  present: number;
  /** Absent, null, or blank text. */
  missing: number;
  distinct: number;
  /** Of numbers only. */
  min: number | null;
  max: number | null;
  mean: number | null;
  median: number | null;
  /** The three most frequent values as text; of equally frequent ones the first in the table. */
  top: { value: string; count: number }[];
};

/**
 * Describes the columns of a table, in the order in which they first occur: type, gaps, distinct
 * values, range, mean and median, most frequent values. Means are sums with compensation
 * (Neumaier 1974), so that they do not depend on the order of the rows.
 */
export function summariseTable(rows: Record<string, Cell>[]): { rows: number; columns: Column[] } {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return { rows: rows.length, columns: [...names].map((name) => columnOf(name, rows)) };
}

function columnOf(column: string, rows: Record<string, Cell>[]): Column {
  const values = rows
    .map((row) => (Object.hasOwn(row, column) ? row[column] : null))
    .filter((value) => value !== null && value !== undefined)
    .filter((value) => typeof value !== "string" || value.trim() !== "");
  const type = typeOf(values);
  const numbers = type === "number" ? values.map(Number).sort((a, b) => a - b) : [];
  const counts = new Map<string, number>();
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  return {
    column,
    type,
    present: values.length,
    missing: rows.length - values.length,
    distinct: counts.size,
    min: numbers[0] ?? null,
    max: numbers.at(-1) ?? null,
    mean: numbers.length === 0 ? null : sumOf(numbers) / numbers.length,
    median: medianOf(numbers),
    top: [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, 3),
  };
}

function typeOf(values: Cell[]): Column["type"] {
  if (values.length === 0) return "empty";
  if (values.every(isNumeric)) return "number";
  const kinds = new Set(values.map((value) => typeof value));
  if (kinds.size > 1) return "mixed";
  return kinds.has("boolean") ? "boolean" : "text";
}

/** A number, or text that is written like one; `0x10`, `Infinity` and `007` are text. */
function isNumeric(value: Cell): boolean {
  if (typeof value === "number") return true;
  return (
    typeof value === "string" &&
    /^\s*[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?\s*$/.test(value)
  );
}

function sumOf(numbers: number[]): number {
  let sum = 0;
  let lost = 0;
  for (const number of numbers) {
    const next = sum + number;
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  return sum + lost;
}

function medianOf(sorted: number[]): number | null {
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (upper === undefined) return null;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return lower + (upper - lower) / 2;
}
