import type { Suspicion } from "./incident.ts";
import type { Outcome } from "./trace.ts";

/** An instrumented place of the source: UTF-16 offsets, and its line counted from 1. */
export type Place = { readonly start: number; readonly end: number; readonly line: number };

/** What one case executed on the faulty version. */
export type Coverage = {
  /** Numbers of the places that ran, in any order. */
  readonly hits: readonly number[];
  readonly passed: boolean;
  readonly outcome: Outcome;
};

/**
 * Spectrum-based fault localisation by the Ochiai coefficient, failed(s) / sqrt(failed × executed(s)):
 * Abreu, Zoeteweij, van Gemund, "On the accuracy of spectrum-based fault localization", TAIC PART
 * 2007. Where nothing passes there is no contrast, and all that a failing run executed is equally
 * suspicious. The line on which an error was thrown halves what is missing to certainty, each frame
 * further out half as much.
 *
 * Every place is in the answer, so that one which no failing run reached is known to be innocent
 * (score 0). Most suspicious first; ties go to the smaller span, then to the later position.
 */
export function localise(
  places: readonly Place[],
  coverages: readonly Coverage[],
): readonly Suspicion[] {
  const failing = coverages.filter(({ passed }) => !passed).map(({ hits }) => new Set(hits));
  const passing = coverages.filter(({ passed }) => passed).map(({ hits }) => new Set(hits));
  const thrown = boostsOf(coverages);
  return places
    .map(({ start, end, line }, at) => {
      const failed = failing.filter((hits) => hits.has(at)).length;
      const passed = passing.filter((hits) => hits.has(at)).length;
      const score = ochiai(failed, passed, { failing: failing.length, passing: passing.length });
      return { start, end, line, score: score + (1 - score) * boostOf(line, score, thrown) };
    })
    .toSorted(bySuspicion);
}

function ochiai(
  failed: number,
  passed: number,
  total: { readonly failing: number; readonly passing: number },
): number {
  if (failed === 0) return 0;
  if (total.passing === 0) return 1;
  return failed / Math.sqrt(total.failing * (failed + passed));
}

/** By line: the share of the missing certainty that the frames of failing runs account for. */
function boostsOf(coverages: readonly Coverage[]): ReadonlyMap<number, number> {
  const boosts = new Map<number, number>();
  for (const { outcome, passed } of coverages) {
    if (passed || !("error" in outcome)) continue;
    outcome.error.frames.forEach(({ line }, depth) => {
      boosts.set(line, Math.max(boosts.get(line) ?? 0, 0.5 ** (depth + 1)));
    });
  }
  return boosts;
}

function boostOf(line: number, score: number, boosts: ReadonlyMap<number, number>): number {
  return score === 0 ? 0 : (boosts.get(line) ?? 0);
}

function bySuspicion(a: Suspicion, b: Suspicion): number {
  return b.score - a.score || a.end - a.start - (b.end - b.start) || b.start - a.start;
}
