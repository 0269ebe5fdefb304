import type { JsonObject } from "../domain/json.ts";
import type { Scored } from "./score.ts";

/** The totals of an evaluation; plausible and correct are told apart, always. */
export function totalsOf(rows: readonly Scored[], wallMs: number): JsonObject {
  const count = (result: Scored["result"]): number =>
    rows.filter((row) => row.result === result).length;
  const candidates = rows.reduce((sum, row) => sum + row.candidates, 0);
  return {
    cases: rows.length,
    plausible: rows.filter(({ plausible }) => plausible).length,
    correct: count("correct"),
    overfit: count("overfit"),
    needs_data: count("needs_data"),
    waiting_correct: rows.filter((row) => row.waiting_correct).length,
    unrepaired: count("unrepaired"),
    errors: count("error"),
    median_ms: median(rows.map(({ ms }) => ms)),
    candidates,
    candidates_per_second: wallMs > 0 ? Math.round((candidates * 1_000) / wallMs) : 0,
  };
}

/** Correct of all, by a member of the rows. */
export function shareBy(rows: readonly Scored[], member: "kind" | "difficulty"): JsonObject {
  const groups = Map.groupBy(rows, (row) => row[member]);
  return Object.fromEntries(
    [...groups].map(([name, group]) => {
      const correct = group.filter(({ result }) => result === "correct").length;
      return [name, { cases: group.length, correct }] as const;
    }),
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[Math.max(0, middle - 1)] ?? 0, sorted[middle] ?? 0];
  return sorted.length % 2 === 0 ? Math.round((low + high) / 2) : high;
}
