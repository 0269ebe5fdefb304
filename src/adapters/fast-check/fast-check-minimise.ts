import type fastCheck from "fast-check";
import type { Case } from "../../domain/case.ts";
import type { JudgedCase } from "../../domain/incident.ts";
import { canonical, isJsonObject, type Json } from "../../domain/json.ts";
import { classify, signatureOf } from "../../domain/judge.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Minimise } from "../../ports/minimise.ts";

/** Programs run to make one case smaller, at most. */
const MOST_RUNS = 200;

/**
 * Makes failing inputs smaller by fast-check's shrinkers. Only where any input that fails in the
 * same way is a failing case: a run that threw, hung or gave no plain data. A wrong value cannot be
 * told from a right one without knowing what is expected of the smaller input, a recorded world
 * answers the recorded requests only, and of what never ends each try takes all of its time: those
 * cases stay as they are.
 *
 * @param tryOut runs a case on the faulty version and says how it went
 */
export function createMinimise(
  tryOut: (skill: Skill, of: Case, signal: AbortSignal) => Promise<JudgedCase>,
): Minimise {
  return async (skill, failing, signal) => {
    if (!isOpenToShrinking(failing)) return failing.case;
    const sought = signatureIn(skill, failing);
    let smallest = failing.case;
    let runs = 0;
    const stillFails = async (args: readonly Json[]): Promise<boolean> => {
      if (signal.aborted || runs >= MOST_RUNS) return false;
      runs += 1;
      const tried = await tryOut(skill, { ...failing.case, args }, signal);
      const isSame = !tried.passed && signatureIn(skill, tried) === sought;
      if (isSame && sizeOf(args) < sizeOf(smallest.args)) smallest = { ...failing.case, args };
      return isSame;
    };
    // Loaded when it is first needed: a daemon that serves has no use for it.
    const { default: fc } = await import("fast-check");
    const shrinkable = fc.tuple(...failing.case.args.map((arg) => likeThis(arg, fc)));
    const property = fc.asyncProperty(shrinkable, async (args) => !(await stillFails(args)));
    await fc.check(property, { examples: [[[...failing.case.args]]], numRuns: 1 });
    return smallest;
  };
}

function isOpenToShrinking({ case: of, outcome }: JudgedCase): boolean {
  return (
    of.expectation.kind === "reward" &&
    outcome.status !== "returned" &&
    // What cannot be loaded fails on every input: the smallest one would say nothing.
    outcome.status !== "not-loaded" &&
    outcome.status !== "timed-out" &&
    of.world.fetch === undefined
  );
}

function signatureIn(skill: Skill, { trace, case: of, outcome }: JudgedCase): string {
  return signatureOf(skill.name, classify(trace, of.expectation), outcome);
}

function sizeOf(args: readonly Json[]): number {
  return canonical(args).length;
}

type FastCheck = typeof fastCheck;

/** Values of the same shape as this one, this one among them, so that it can be shrunk. */
function likeThis(value: Json, fc: FastCheck): fastCheck.Arbitrary<Json> {
  if (typeof value === "string") return fc.string({ unit: "binary", maxLength: value.length + 1 });
  if (typeof value === "boolean") return fc.boolean();
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? fc.maxSafeInteger() : fc.double({ noNaN: true });
  }
  if (Array.isArray(value)) return likeThisArray(value, fc);
  if (isJsonObject(value)) {
    return fc.record(
      Object.fromEntries(Object.entries(value).map(([key, member]) => [key, likeThis(member, fc)])),
    );
  }
  return fc.constant(value);
}

/** Items alike shrink as a list; items of different shapes keep their places. */
function likeThisArray(value: readonly Json[], fc: FastCheck): fastCheck.Arbitrary<Json> {
  const shapes = new Set(value.map((item) => (Array.isArray(item) ? "array" : typeof item)));
  const [first] = value;
  if (first === undefined) return fc.constant([]);
  if (shapes.size > 1 || typeof first === "object") {
    return fc.tuple(...value.map((item) => likeThis(item, fc)));
  }
  return fc.array(likeThis(first, fc), { maxLength: value.length });
}
