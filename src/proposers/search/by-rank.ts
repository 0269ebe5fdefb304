import type { Mutation } from "../../ports/editor.ts";
import type { Chosen } from "./choose.ts";
import { ranked } from "./rank.ts";

/** Plausible edits as their ranks alone order them: nothing is asked of them, and nobody doubts. */
export function byRank(plausible: readonly Mutation[]): readonly Chosen[] {
  return ranked(plausible).map((mutation) => {
    return { mutation, confidence: 1, rivals: [], alike: 1 };
  });
}
