import type { JsonObject } from "../../domain/json.ts";
import { wilson } from "../../domain/interval.ts";
import type { House } from "../../ports/house.ts";
import type { Activity, Period, Reckoning } from "../../ports/activity.ts";
import type { Operations } from "../../ports/operations.ts";
import { pauseIn } from "../model/spending.ts";
import { whoAmI } from "../who.ts";
import type { Workspace } from "../workspace.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Days that are looked back upon where nobody says how many. */
const DAYS = 7;

/** Steps of the rewards, in minutes; the finest that gives no more than `MOST_STEPS` is taken. */
const STEPS = [1, 5, 15, 60, 180, 360, 720, 1_440] as const;
const MOST_STEPS = 100;

const MOST_RELEASES = 60;
const MOST_REFUSALS = 20;
const MOST_TRENDS = 12;

/** What happened in the last days, and how the days before them compare. */
export function activityOf({ house }: Pick<Workspace, "house">): Pick<Operations, "activity"> {
  return {
    activity: async ({ days = DAYS }) => activityIn(house, days),
  };
}

function activityIn({ store, now }: Pick<House, "store" | "now">, days: number): JsonObject {
  const { activity } = store;
  // The minute that is not over yet belongs to it.
  const to = now() + 1;
  const period = { from: to - days * DAY_MS, to };
  const before = { from: period.from - days * DAY_MS, to: period.from };
  const stepMs = stepFor(period, activity);
  return {
    schemaVersion: 1,
    ...period,
    days,
    stepMs,
    rewards: activity.rewards(period, stepMs).map((one) => ({ ...one })),
    counts: { ...activity.counts(period), before: { ...activity.counts(before) } },
    trends: activity.trends(period, MOST_TRENDS).map(({ before: then, ...trend }) => ({
      ...trend,
      before: { ...then },
    })),
    releases: activity.releaseEffects(period, MOST_RELEASES).map((one) => ({
      ...one,
      before: withInterval(one.before),
      after: withInterval(one.after),
    })),
    refusals: activity.refusals(period, MOST_REFUSALS).map((one) => ({
      ...one,
      gates: one.gates.map((gate) => ({ ...gate })),
    })),
    refusedBy: activity.refusedBy(period).map((one) => ({ ...one })),
    paused: pauseIn(store),
    you: whoAmI(),
    lastEvent: activity.lastEvent(),
  };
}

/** A ledger that is young is shown as finely as its age allows. */
function stepFor(period: Period, activity: Activity): number {
  const from = activity.firstRunIn(period) ?? period.from;
  const minutes = (period.to - from) / MINUTE_MS;
  const step = STEPS.find((each) => minutes / each <= MOST_STEPS) ?? 1_440;
  return step * MINUTE_MS;
}

function withInterval(reckoning: Reckoning): JsonObject {
  const interval = wilson(reckoning.meanReward, reckoning.scored);
  return { ...reckoning, interval: interval === null ? null : { ...interval } };
}
