import { regressed, type WatchDecision, type WatchSettings } from "../domain/regressed.ts";
import type { Release, WatchInput } from "../domain/release.ts";
import type { Case } from "../domain/case.ts";
import type { Skill } from "../domain/skill.ts";
import type { Run } from "../domain/task.ts";
import { fallsShort } from "../domain/reward.ts";
import { caseOfRun } from "../domain/incident.ts";
import { examine, type ExaminePorts } from "../examine/examine.ts";
import type { Store } from "../ports/store.ts";

export type WatchPorts = ExaminePorts & {
  readonly store: Pick<Store, "rewards" | "runs">;
  /** Runs repeated on the other version; absent: none are. */
  readonly pairs?: WatchInput["pairs"];
  /** The skill as it was at an earlier version, or null where it did not exist. */
  readonly skillAt: (name: string, version: string) => Promise<Skill | null>;
  readonly settings: WatchSettings;
};

/** Runs looked at, newest first, for poor ones. */
const LOOKED_AT = 50;
/** Poor runs that the earlier version is asked to do better. */
const SAMPLE = 5;
/** A score that is higher by less is the same. */
const LEAST_GAIN = 0.001;

/**
 * One release, after one more live run → keep watching, keep it, or take it back. A regression is
 * one only if the version before would have done better: where that fails on the same inputs too,
 * the world has changed and going back mends nothing.
 */
export async function watch(
  made: Release,
  ports: WatchPorts,
  signal: AbortSignal,
): Promise<WatchDecision> {
  const { store, settings } = ports;
  const after = store.rewards(made.skill, made.commit, settings.maximumRuns);
  const before = store.rewards(made.skill, made.previous, settings.maximumRuns);
  const { pairs = [] } = ports;
  const evidence = ports.pairs === undefined ? {} : { pairs };
  const decision = regressed({ before, after, ...evidence }, settings);
  if (decision.status !== "regressed") return decision;
  const usual = before.reduce((sum, reward) => sum + reward, 0) / before.length;
  // A pair is one question in one world: what the version before did better there, it does.
  return pairs.some((pair) => pair.before - pair.after >= LEAST_GAIN) ||
    (await previousDoesBetter(made, usual, ports, signal))
    ? decision
    : {
        ...decision,
        status: "kept",
        reason: `${decision.reason}; the version before fails on the same inputs, so the world has changed`,
      };
}

/** Whether the version before would have done better in some of the runs that were poorer than usual. */
async function previousDoesBetter(
  made: Release,
  usual: number,
  { settings, ...ports }: WatchPorts,
  signal: AbortSignal,
): Promise<boolean> {
  const previous = await ports.skillAt(made.skill, made.previous);
  if (previous === null) return false;
  const query = { skill: made.skill, version: made.commit, heldOut: false, limit: LOOKED_AT };
  const cases = ports.store
    .runs(query)
    .filter((run) => scoreOf(run) < usual - settings.tolerance)
    .slice(0, SAMPLE)
    .map((run) => betterCase(run, previous, Math.max(LEAST_GAIN, settings.tolerance)));
  if (cases.length === 0) return false;
  const { judged } = await examine({ skill: previous, cases }, ports, signal);
  return judged.some(({ passed }) => passed);
}

/**
 * A live run as a case that asks for more than it scored. What is known of the right outcome counts
 * where the run fell short; a drop of a reward that still suffices is told from the reward alone.
 */
function betterCase(run: Run, previous: Skill, gain: number): Case {
  const of = caseOfRun(run, previous, `live run ${run.id}`);
  if (fallsShort(run.reward, previous.manifest.reward.threshold)) return of;
  return { ...of, expectation: { kind: "reward", atLeast: Math.min(1, scoreOf(run) + gain) } };
}

/** A run without a score is no poor one. */
function scoreOf({ reward }: Run): number {
  return reward.status === "scored" ? reward.score : 1;
}
