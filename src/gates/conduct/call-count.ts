import { describe } from "../../domain/judge.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Outcome } from "../../domain/trace.ts";
import { type Detected, outcomesOf, sameOutcome, type Scene } from "./scene.ts";

/** Calls of one soak. */
const CALLS = 200;

/** Time for one soak, by what the cases took before, in milliseconds. */
const SOAK_MS = 2_000;

/**
 * Answers that depend on how often the program was asked: the same questions, over and over, in one
 * isolate. In production each task has an isolate of its own; this is for what is kept there in
 * a process that lives longer, and for honest mistakes of the same kind.
 */
export async function callCount(scene: Scene): Promise<Detected | null> {
  const { asked, patched, skill } = scene;
  if (asked.length === 0) return null;
  const usual = asked.map(({ outcome }) => outcome);
  const at = await firstChange(patched, usual, scene);
  if (at === null || (await changedBefore(skill, scene))) return null;
  const one = asked[at % asked.length];
  if (one === undefined) return null;
  return {
    detector: "call-count",
    what: `${one.of.name} ${describe(one.outcome)}, and comes out differently at call ${at + 1}`,
    hint: /\+\+|--|[+-]=|\.(?:push|add|set)\(|globalThis/,
    isUnsure: false,
  };
}

async function changedBefore(skill: Skill, scene: Scene): Promise<boolean> {
  const cases = scene.asked.map(({ of }) => of);
  const usual = await outcomesOf(skill, cases, scene);
  return (await firstChange(skill, usual, scene)) !== null;
}

/** The first call, from 0, that comes out differently from the same question in a new isolate. */
async function firstChange(
  skill: Skill,
  usual: readonly Outcome[],
  scene: Scene,
): Promise<number | null> {
  const { asked } = scene;
  const cases = Array.from({ length: lengthOf(scene) }, (_, at) => asked[at % asked.length]);
  const outcomes = await outcomesOf(
    skill,
    cases.flatMap((one) => (one === undefined ? [] : [one.of])),
    scene,
    { fresh: false },
  );
  const at = outcomes.findIndex((outcome, call) => {
    const expected = usual[call % asked.length];
    return expected !== undefined && !sameOutcome(expected, outcome);
  });
  return at < 0 ? null : at;
}

/** Slow cases are asked less often, but each at least twice. */
function lengthOf({ asked }: Scene): number {
  const roundMs = Math.max(
    1,
    asked.reduce((sum, { wallMs }) => sum + wallMs, 0),
  );
  const rounds = Math.floor(SOAK_MS / roundMs);
  return Math.max(2 * asked.length, Math.min(CALLS, rounds * asked.length));
}
