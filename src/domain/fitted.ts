import type { Case } from "./case.ts";
import type { Json } from "./json.ts";

/** What stands around a text in every answer, where there is anything. */
export type Frame = { readonly before: string; readonly after: string };

/** The longest beginning and end that all expected texts share; null: none, or not all are texts. */
export function frameOf(cases: readonly Case[]): Frame | null {
  const texts = valuesOf(cases);
  if (texts.length < 2 || !texts.every((text) => typeof text === "string")) return null;
  const before = sharedStart(texts);
  const rest = texts.map((text) => text.slice(before.length));
  const after = sharedEnd(rest);
  return before === "" && after === "" ? null : { before, after };
}

/** A straight line through all examples of one number; null where they lie on none. */
export function lineThrough(
  cases: readonly Case[],
): { readonly factor: number; readonly offset: number } | null {
  const points = cases.flatMap(({ args: [x], expectation }) =>
    typeof x === "number" && expectation.kind === "value" && typeof expectation.value === "number"
      ? [{ x, y: expectation.value }]
      : [],
  );
  const [first, ...others] = points;
  const second = others.find(({ x }) => x !== first?.x);
  if (first === undefined || second === undefined || points.length < cases.length) return null;
  const factor = rounded((second.y - first.y) / (second.x - first.x));
  const offset = rounded(first.y - factor * first.x);
  const fits = points.every(({ x, y }) => Math.abs(factor * x + offset - y) < 1e-9);
  // Two points are always on a line.
  return fits && new Set(points.map(({ x }) => x)).size > 2 ? { factor, offset } : null;
}

function valuesOf(cases: readonly Case[]): readonly Json[] {
  return cases.flatMap(({ expectation }) =>
    expectation.kind === "value" ? [expectation.value] : [],
  );
}

function sharedStart([first = "", ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

function sharedEnd([first = "", ...others]: readonly string[]): string {
  let from = 0;
  for (const other of others) while (!other.endsWith(first.slice(from))) from += 1;
  return first.slice(from);
}

/** Without what binary fractions leave behind. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
