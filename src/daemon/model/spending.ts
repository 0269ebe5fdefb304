import { HoneError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Caps, Cost } from "../../domain/budget.ts";
import type { Operations } from "../../ports/operations.ts";
import type { Store } from "../../ports/store.ts";
import type { Workspace } from "../workspace.ts";

/** Incidents told, at most: those that cost the most; and ways to ask a model. */
const MOST = 20;
const MOST_ARMS = 60;

/** What repairs cost, and the switch that stops them. */
export function spendingOf({
  house,
  config,
}: Workspace): Pick<Operations, "budget" | "pause" | "resume"> {
  const { store, now, tell } = house;
  const { budget: caps, use } = config.model;
  return {
    async budget() {
      const { day } = store.modelCost({ incident: null, now: now() });
      return {
        schemaVersion: 1,
        model: use,
        paused: pauseIn(store),
        day: rowOf(day, caps.day),
        incidents: incidentRows(store, now(), caps),
        arms: store.arms(MOST_ARMS),
      };
    },
    async pause({ by, reason = "" }) {
      if (pauseIn(store) !== null) throw new HoneError("refused", "repairs are paused already");
      store.setNote("paused-why", reason === "" ? by : `${by}: ${reason}`);
      store.setNote("paused", "yes");
      tell("repairs.paused", null, { by, reason });
      return { schemaVersion: 1, paused: pauseIn(store) };
    },
    async resume({ by }) {
      if (pauseIn(store) === null) throw new HoneError("refused", "repairs are not paused");
      store.setNote("paused", "no");
      tell("repairs.resumed", null, { by });
      return { schemaVersion: 1, paused: null };
    },
  };
}

/** Who paused repairs and why; null while they go on. */
export function pauseIn(store: Pick<Store, "note">): string | null {
  return store.note("paused") === "yes" ? (store.note("paused-why") ?? "") : null;
}

/** Throws `refused` while repairs are paused. */
export function refuseWhilePaused(store: Pick<Store, "note">): void {
  const pause = pauseIn(store);
  if (pause === null) return;
  throw new HoneError("refused", `repairs are paused by ${pause}`, {
    hint: "`hone resume` lets them go on.",
  });
}

function incidentRows(store: Store, now: number, caps: Caps): JsonObject[] {
  return store.costliestIncidents(now, MOST).map(({ incident, skill }) => {
    const { incident: whole } = store.modelCost({ incident, now });
    return { incident, skill, ...rowOf(whole ?? NOTHING, caps.incident) };
  });
}

const NOTHING: Cost = { requests: 0, tokens: 0, seconds: 0 };

/** `12 of 64`, by kind of cost. */
function rowOf(cost: Cost, cap: Cost): JsonObject {
  return {
    requests: cost.requests,
    ofRequests: cap.requests,
    tokens: cost.tokens,
    ofTokens: cap.tokens,
    seconds: Math.round(cost.seconds),
    ofSeconds: cap.seconds,
  };
}
