import type { Config } from "../config.ts";
import type { House } from "../ports/house.ts";

/** The settings that the loop decides by, out of all. */
export function houseSettings({
  heldOut,
  improve,
  watch,
  canary,
  shadow,
  birth,
  retire,
}: Config): House["settings"] {
  return {
    heldOutShare: heldOut.share,
    budgetMs: improve.budgetMs,
    candidates: improve.candidates,
    backoffMs: improve.backoffMs,
    watch,
    canary,
    shadow,
    probation: { days: birth.probationDays, minimumRuns: birth.probationRuns },
    retire,
  };
}
