import { regressed, type WatchDecision, type WatchSettings } from "../domain/regressed.ts";
import type { Release } from "../domain/release.ts";
import type { Skill } from "../domain/skill.ts";
import { fallsShort } from "../domain/reward.ts";
import { caseOfRun } from "../domain/incident.ts";
import { examine, type ExaminePorts } from "../examine/examine.ts";
import type { Store } from "../ports/store.ts";

export type WatchPorts = ExaminePorts & {
  readonly store: Pick<Store, "rewards" | "runs">;
  /** The skill as it was at an earlier version, or null where it did not exist. */
  readonly skillAt: (name: string, version: string) => Promise<Skill | null>;
  readonly settings: WatchSettings;
};

/** Failing runs that the earlier version is asked to do better. */
const SAMPLE = 5;

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
  const decision = regressed({ before, after }, settings);
  if (decision.status !== "regressed") return decision;
  return (await previousDoesBetter(made, ports, signal))
    ? decision
    : {
        ...decision,
        status: "kept",
        reason: `${decision.reason}; the version before fails on the same inputs, so the world has changed`,
      };
}

async function previousDoesBetter(
  made: Release,
  ports: WatchPorts,
  signal: AbortSignal,
): Promise<boolean> {
  const previous = await ports.skillAt(made.skill, made.previous);
  if (previous === null) return false;
  const { threshold } = previous.manifest.reward;
  const runs = ports.store
    .runs({ skill: made.skill, version: made.commit, heldOut: false, limit: 50 })
    .filter(({ reward }) => fallsShort(reward, threshold))
    .slice(0, SAMPLE);
  if (runs.length === 0) return false;
  const cases = runs.map((run) => caseOfRun(run, previous, `live run ${run.id}`));
  const { judged } = await examine({ skill: previous, cases }, ports, signal);
  return judged.some(({ passed }) => passed);
}
