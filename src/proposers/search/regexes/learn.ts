import type { Lesson, PatternText, PatternVariant } from "../../../ports/editor.ts";
import { fillings } from "./fillings.ts";
import { hazardsOf } from "./hazards.ts";
import { HOLE, holesOf } from "./holes.ts";
import { guards, narrowings } from "./narrowings.ts";
import { neighboursOf, sound } from "./neighbours.ts";
import { widenedEverywhere } from "./widenings.ts";
import { patternOf } from "./pattern.ts";

/** Fillings of one hole that are looked at one by one. */
const MOST_APART = 4;

/** The holes of a pattern, as patterns with a group `hone_`; none for what is no pattern. */
export function holeTexts({ text, flags }: PatternText): readonly PatternText[] {
  const pattern = patternOf(text, flags.replace(/[gy]/g, ""));
  if (pattern === null || text.includes(HOLE)) return [];
  return holesOf(pattern).map(({ filled }) => ({ text: filled.text, flags: filled.flags }));
}

/**
 * Changes of a pattern, each a pattern that is no more of a hazard than it was: those that the rows
 * suggest, and its neighbours.
 */
export function patternChanges({ text, flags, rows, captures }: Lesson): readonly PatternVariant[] {
  const pattern = patternOf(text, flags);
  if (pattern === null) return [];
  const learnt: PatternVariant[] = [];
  const texts = (wants: boolean, matches: boolean): string[] =>
    rows.filter((row) => row.wants === wants && row.matches === matches).map((row) => row.text);
  const wanted = rows.filter((row) => row.wants && !row.matches).length;
  const hasOthers = rows.some((row) => row.wants && row.matches);
  const whole = new Set(rows.map((row) => row.text));
  for (const [at, hole] of holesOf(pattern).entries()) {
    const held = captures[at] ?? [];
    const heldIn = (wants: boolean, matches: boolean): string[] =>
      rows.flatMap((row, position) => {
        const capture = held[position];
        const isOne = row.wants === wants && row.matches === matches;
        return isOne && typeof capture === "string" ? [capture] : [];
      });
    const isWhole = (part: string): boolean => whole.has(part);
    const missed = heldIn(true, false);
    for (const some of [missed, ...eachOf(missed)]) {
      learnt.push(...fillings(pattern, hole, { missed: some, wanted, hasOthers, isWhole }));
    }
    const measured = { wrong: heldIn(false, true), right: heldIn(true, true) };
    learnt.push(...narrowings(pattern, hole, measured));
  }
  learnt.push(...widenedEverywhere(pattern, texts(true, false)));
  learnt.push(...guards(pattern, { wrong: texts(false, true), right: texts(true, true) }));
  return safe(sound(pattern, [...learnt, ...neighboursOf(pattern)]), hazardsOf(pattern));
}

/** Each filling by itself: one change need not do for all. */
function eachOf(texts: readonly string[]): readonly (readonly string[])[] {
  const distinct = [...new Set(texts)];
  return distinct.length < 2
    ? []
    : distinct.slice(0, MOST_APART).map((text) => texts.filter((one) => one === text));
}

function safe(variants: readonly PatternVariant[], most: number): readonly PatternVariant[] {
  return variants.filter(({ text, flags }) => {
    const pattern = patternOf(text, flags);
    return pattern !== null && hazardsOf(pattern) <= most;
  });
}
