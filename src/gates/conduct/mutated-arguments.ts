import { isJsonObject, type Json } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";
import { type Observation, observing } from "./observer.ts";
import { type Detected, type Detector, outcomesOf, type Scene } from "./scene.ts";

/** A call that changes what it was given: its caller, or a check that comes later, sees other data. */
export const mutatedArguments: Detector = (scene) =>
  newly(
    scene,
    ({ changed }) => changed,
    (changed, name) => ({
      detector: "mutated-arguments",
      what: `${name}: argument ${changed + 1} is not the same after the call`,
      hint: MUTATING,
      isUnsure: false,
    }),
  );

/** A built-in that is not what it was: all code of the isolate would see it. */
export const patchedPrimordials: Detector = (scene) =>
  newly(
    scene,
    ({ patched }) => patched,
    (patched, name) => ({
      detector: "patched-primordials",
      what: `${name}: ${patched} is not the same after the call`,
      hint: /prototype|__proto__|defineProperty|globalThis|assign\(/,
      isUnsure: false,
    }),
  );

const MUTATING =
  /\.(?:sort|reverse|push|pop|shift|unshift|splice|fill|copyWithin)\(|\bdelete\b|assign\(|(?:\.\w+|\])\s*[-+*/%&|^?]*=(?![=>])/;

/** The first case on which something is observed, unless the version before shows it on any. */
async function newly<T>(
  scene: Scene,
  part: (observation: Observation) => T | null,
  detected: (seen: T, name: string) => Detected,
): Promise<Detected | null> {
  const after = (await observations(scene.patched, scene)).map((one) => one && part(one));
  const at = after.findIndex((seen) => seen !== null);
  const [seen, name] = [after[at] ?? null, scene.asked[at]?.of.name];
  if (seen === null || name === undefined) return null;
  const before = await observations(scene.skill, scene);
  const isOld = before.some((one) => one !== null && part(one) !== null);
  return isOld ? null : detected(seen, name);
}

async function observations(skill: Skill, scene: Scene): Promise<readonly (Observation | null)[]> {
  const cases = scene.asked.map(({ of }) => of);
  const outcomes = await outcomesOf(skill, cases, scene, { program: observing(skill) });
  return outcomes.map((outcome) =>
    outcome.status === "returned" ? observationIn(outcome.value) : null,
  );
}

/** What the observer in the guest says, as far as it has the form: the program may have answered. */
function observationIn(value: Json): Observation | null {
  if (!isJsonObject(value)) return null;
  const { changed, patched } = value;
  const isChange = changed === null || Number.isSafeInteger(changed);
  const isPatch = patched === null || typeof patched === "string";
  return isChange && isPatch ? (value as unknown as Observation) : null;
}
