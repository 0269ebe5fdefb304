import { sameJson, type Json } from "./domain/json.ts";
import type { Release } from "./domain/release.ts";
import { isRepeatable, type Shadow } from "./domain/shadow.ts";
import { isInEvenShare } from "./domain/share.ts";
import type { Skill } from "./domain/skill.ts";
import type { Run } from "./domain/task.ts";
import type { Outcome } from "./domain/trace.ts";
import type { House } from "./ports/house.ts";
import { run } from "./stages/1-run.ts";
import { baseOf } from "./versions.ts";

/** The release under watch for which a live run is worth repeating on the other version, by a share; else null. */
export function shadowedBy(
  { id, skill, version, reward }: Run,
  { store, settings }: Pick<House, "store" | "settings">,
): Release | null {
  const [made] = store.watched(skill);
  if (made === undefined || reward.status !== "scored") return null;
  const isOfEither = version === made.commit || version === baseOf(made, { store });
  return isOfEither && isInEvenShare(`shadow ${id}`, settings.shadow.share) ? made : null;
}

/**
 * A live run, repeated on the other version with the same clock and chance: what the release under
 * watch and the version before it scored on one question. It is no live run: nobody is answered, and
 * no incident is opened. Null where the skill reaches more than itself, or nothing was scored.
 */
export async function shadow(
  live: Run,
  made: Release,
  house: House,
  signal: AbortSignal,
): Promise<Shadow | null> {
  const isOfRelease = live.version === made.commit;
  const other = await repeatable(isOfRelease ? baseOf(made, house) : made.commit, live, house);
  if (other === null) return null;
  const repeated = await repeat(live, other, house, signal);
  if (repeated.score === null) return null;
  const mine = await scoreOf(live, repeated.score, house, signal);
  if (mine === null) return null;
  return {
    runId: live.id,
    skill: live.skill,
    release: made.commit,
    before: isOfRelease ? repeated.score : mine,
    after: isOfRelease ? mine : repeated.score,
    isSame: sameOutcome(live.trace.outcome, repeated.outcome),
    at: house.now(),
  };
}

/**
 * A score may depend on how fast the run was. Where the two differ, the live version is asked once
 * more as well, so that both ran in the background.
 */
async function scoreOf(
  live: Run,
  others: number,
  house: House,
  signal: AbortSignal,
): Promise<number | null> {
  const score = live.reward.status === "scored" ? live.reward.score : null;
  if (score === others) return score;
  const version = await repeatable(live.version, live, house);
  return version === null ? null : (await repeat(live, version, house, signal)).score;
}

async function repeatable(version: string, { skill }: Run, house: House): Promise<Skill | null> {
  const found = await house.library.at(skill, version);
  return found !== null && isRepeatable(found) ? found : null;
}

async function repeat(
  { input, trace: { environment }, expectation }: Run,
  skill: Skill,
  house: House,
  signal: AbortSignal,
): Promise<{ readonly score: number | null; readonly outcome: Outcome }> {
  const ports = { ...house, versions: nobody };
  const trace = await run({ skill, input, environment }, ports, signal);
  const reward = await house.score({ skill, input, trace, expectation }, signal);
  return { score: reward.status === "scored" ? reward.score : null, outcome: trace.outcome };
}

/** What may be repeated calls no other skill. */
function nobody(name: string): Promise<Skill> {
  throw new Error(`a repeated run calls ${name}`);
}

function sameOutcome(a: Outcome, b: Outcome): boolean {
  if (a.status === "returned" && b.status === "returned") return sameJson(a.value, b.value);
  return sameJson(toldOf(a), toldOf(b));
}

/** Where in a program an error was thrown is no part of what came out. */
function toldOf(outcome: Outcome): Json {
  if ("error" in outcome) return [outcome.status, outcome.error.name, outcome.error.message];
  return [outcome.status];
}
