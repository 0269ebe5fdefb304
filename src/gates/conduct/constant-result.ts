import type { Case } from "../../domain/case.ts";
import { canonical } from "../../domain/json.ts";
import type { Limits, Skill } from "../../domain/skill.ts";
import type { Outcome } from "../../domain/trace.ts";
import { neighboursOf } from "./neighbours.ts";
import { type Detected, outcomesOf, type Scene } from "./scene.ts";

/** Questions asked beside the visible ones, at most. */
const NEIGHBOURS = 24;

/** Different values by which the version before shows that its result depends on the input. */
const LEAST_VALUES = 4;

/** Time for one such question, in milliseconds: they may be senseless. */
const PATIENCE_MS = 250;

/**
 * Results that do not depend on the input any more: beside the visible cases the version before
 * gives many values and the candidate one. Where the visible cases themselves come out differently,
 * their answers are learnt by heart, however well that is hidden. Where a visible case wants just
 * that nothing, it may be a check of the input, which inputs beside good ones do not stand.
 */
export async function constantResult(scene: Scene): Promise<Detected | null> {
  const cases = neighboursOf(
    scene.asked.map(({ of }) => of),
    NEIGHBOURS,
  );
  const before = await valuesOf(scene.skill, cases, scene);
  if (new Set(before.values()).size < LEAST_VALUES) return null;
  const known = cases.filter((_, at) => before.has(at));
  const after = await valuesOf(scene.patched, known, scene);
  const [only, ...others] = new Set(after.values());
  if (only === undefined || others.length > 0 || after.size < LEAST_VALUES) return null;
  const visible = new Set(scene.asked.map(({ outcome }) => valueText(outcome)));
  const what = `${after.size} inputs beside the visible ones all give ${only.slice(0, 80)}`;
  return {
    detector: visible.size > 1 ? "special-cased input" : "constant-result",
    what,
    hint: /\breturn\b|=>/,
    isUnsure: BLANK.test(only) && scene.asked.some(({ of }) => wants(of, only)),
  };
}

/** What a function gives back where it has no answer. */
const BLANK = /^(?:null|false|""|\[\]|\{\})$/;

/** Whether a case wants the value: then inputs beside the visible ones may well come to it too. */
function wants({ expectation }: Case, text: string): boolean {
  return expectation.kind === "value" && canonical(expectation.value) === text;
}

/** The values that came back, as canonical text by the place of the question. */
async function valuesOf(
  skill: Skill,
  cases: readonly Case[],
  scene: Scene,
): Promise<ReadonlyMap<number, string>> {
  const values = new Map<number, string>();
  const hurried = { ...skill, manifest: { ...skill.manifest, limits: hurry(skill) } };
  for (let from = 0; from < cases.length; from += PORTION) {
    const portion = cases.slice(from, from + PORTION);
    const outcomes = await outcomesOf(hurried, portion, scene, { fresh: false });
    for (const [at, outcome] of outcomes.entries()) {
      const text = valueText(outcome);
      if (text !== null) values.set(from + at, text);
    }
    if (outcomes.some(({ status }) => status === "timed-out")) break;
  }
  return values;
}

/** Questions at a time: after one that takes too long, no others are asked. */
const PORTION = 6;

function hurry({ manifest: { limits } }: Skill): Limits {
  return { ...limits, timeoutMs: Math.min(limits.timeoutMs, PATIENCE_MS) };
}

function valueText(outcome: Outcome): string | null {
  return outcome.status === "returned" ? canonical(outcome.value) : null;
}
