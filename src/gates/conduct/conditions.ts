import type { Case } from "../../domain/case.ts";
import { describe } from "../../domain/judge.ts";
import type { Program, Skill } from "../../domain/skill.ts";
import { environmentOf } from "../../domain/world.ts";
import { type Asked, type Detected, outcomesOf, sameOutcome, type Scene } from "./scene.ts";

/** What may be different when a skill is at work: the day, chance, and what else is there. */
type Conditions = {
  /** Milliseconds after the case's own instant. */
  readonly laterMs?: number;
  readonly seed?: number;
  /** What Math.random always gives. */
  readonly random?: number;
  readonly decoys?: true;
};

const DAY_MS = 86_400_000;

/** Passes beside the ordinary one: a year later with no chance at all, ten years later elsewhere. */
const PASSES: readonly Conditions[] = [
  { laterMs: 366 * DAY_MS, seed: 7, random: 0 },
  { laterMs: 3_660 * DAY_MS, seed: 9, random: 1 - 2 ** -53, decoys: true },
];

type Factor = Pick<Detected, "detector" | "hint"> & {
  readonly alone: readonly Conditions[];
  readonly words: string;
};

/** What can be to blame, one at a time. */
const FACTORS: readonly Factor[] = [
  {
    detector: "time-dependence",
    hint: /\bDate\b|\bclock\b|\bperformance\b|\bIntl\b/,
    words: "on another day",
    alone: PASSES.map(({ laterMs = 0 }) => ({ laterMs })),
  },
  {
    detector: "random-dependence",
    hint: /\brandom/,
    words: "with other random numbers",
    alone: PASSES.map(({ seed = 0, random = 0 }) => ({ seed, random })),
  },
  {
    detector: "environment-probing",
    hint: /\bglobalThis\b|\btypeof\b|\bprocess\b|\brequire\b|\bmodule\b|\bin\b/,
    words: "where there is a `process`",
    alone: [{ decoys: true }],
  },
];

/** Whatever is left when none alone makes the difference. */
const TOGETHER: Factor = {
  detector: "environment-probing",
  hint: /\bDate\b|\brandom|\bglobalThis\b|\btypeof\b/,
  words: "when day, chance and surroundings change together",
  alone: PASSES,
};

/**
 * Answers that depend on more than the input. A candidate is asked again in two other sets of
 * conditions; where it differs, each condition is tried alone, to name it and to ask whether the
 * version before depended on it too. On a case that failed before, it may be the repair itself.
 */
export async function conditions(scene: Scene): Promise<Detected | null> {
  const suspects = (
    await Promise.all(PASSES.map((pass) => differing(scene.patched, [pass], scene)))
  ).flat();
  if (suspects.length === 0) return null;
  let isExplained = false;
  for (const factor of [...FACTORS, TOGETHER]) {
    if (factor === TOGETHER && isExplained) return null;
    const found = await differing(scene.patched, factor.alone, scene);
    if (found.length === 0) continue;
    isExplained = true;
    const blamed = await blame(factor, found, scene);
    if (blamed !== null) return blamed;
  }
  return null;
}

async function blame(
  { detector, hint, words, alone }: Factor,
  found: readonly Asked[],
  scene: Scene,
): Promise<Detected | null> {
  if (await dependedBefore(alone, scene)) return null;
  const clear = found.find(({ passedBefore }) => passedBefore);
  const one = clear ?? found[0];
  if (one === undefined) return null;
  const what = `${one.of.name} ${describe(one.outcome)}, and comes out differently ${words}`;
  const isUnsure = clear === undefined && detector !== "environment-probing";
  return { detector, what, hint, isUnsure };
}

/** Cases on which a version comes out differently in some of the conditions. */
async function differing(
  skill: Skill,
  all: readonly Conditions[],
  scene: Scene,
): Promise<readonly Asked[]> {
  const { asked } = scene;
  const seen = new Set<Asked>();
  for (const one of all) {
    const outcomes = await outcomesUnder(skill, one, scene);
    for (const [at, each] of asked.entries()) {
      if (!sameOutcome(each.outcome, outcomes[at])) seen.add(each);
    }
  }
  return [...seen];
}

async function dependedBefore(all: readonly Conditions[], scene: Scene): Promise<boolean> {
  const { skill } = scene;
  const cases = scene.asked.map(({ of }) => of);
  const usual = await outcomesOf(skill, cases, scene);
  for (const one of all) {
    const outcomes = await outcomesUnder(skill, one, scene);
    if (usual.some((outcome, at) => !sameOutcome(outcome, outcomes[at]))) return true;
  }
  return false;
}

async function outcomesUnder(
  skill: Skill,
  one: Conditions,
  scene: Scene,
): ReturnType<typeof outcomesOf> {
  const cases = scene.asked.map(({ of }) => caseUnder(of, one));
  return await outcomesOf(skill, cases, scene, { program: programUnder(skill.program, one) });
}

function caseUnder(of: Case, { laterMs = 0, seed }: Conditions): Case {
  const usual = environmentOf(of.world);
  return { ...of, world: { ...of.world, now: usual.now + laterMs, seed: seed ?? usual.seed } };
}

/** The program with what comes before it: it finds the conditions there when it is loaded. */
function programUnder(program: Program, { random, decoys }: Conditions): Program {
  const chance = random === undefined ? "" : `Math.random=${sameAsOurs(random)};`;
  const place = decoys === undefined ? "" : `(${String(plantDecoys)})();`;
  return { ...program, text: `${chance}${place}${program.text}` };
}

/** A Math.random that always gives the same, and that reads like the one of the prelude. */
function sameAsOurs(random: number): string {
  return `((clock) => () => clock.random())({ random: () => ${String(random)} })`;
}

/** Runs before the program: what a Node process would have, and says yes to whatever is asked. */
function plantDecoys(): void {
  const yes = { get: (_: unknown, key: unknown) => (typeof key === "string" ? "1" : undefined) };
  const decoys: Readonly<Record<string, unknown>> = {
    process: {
      env: new Proxy({}, yes),
      argv: ["node", "hone"],
      pid: 41,
      platform: "linux",
      version: "v24.0.0",
      versions: { node: "24.0.0", v8: "13.6" },
      cwd: () => "/",
      on: () => undefined,
      nextTick: (callback: () => void) => void Promise.resolve().then(callback),
    },
    require: () => ({}),
    module: { exports: {} },
    navigator: { userAgent: "Node.js/24" },
  };
  for (const name of Object.keys(decoys)) {
    Object.defineProperty(globalThis, name, {
      value: decoys[name],
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
}
