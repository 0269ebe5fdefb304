import type { Incident } from "../domain/incident.ts";
import type { House } from "../ports/house.ts";
import type { Settled } from "../records.ts";
import type { Workspace } from "./workspace.ts";

/** What the note of an incident begins with that waits for a container engine. */
const PARKED = "docker: sandbox-unavailable: ";

/** How often an engine that is missed is looked for, in milliseconds. */
const LOOK_MS = 2_000;

/**
 * Where an engine is required and there is none, nothing could be released: the incident waits for
 * it, without a search. Null: go on.
 */
export async function parkedForEngine(incident: Incident, house: House): Promise<Settled | null> {
  const { containers, store, now, settings, tell } = house;
  if (containers?.mode !== "required") return null;
  const state = await containers.state();
  if (state.status === "ready") return null;
  const reason = `${PARKED}${state.reason}`;
  store.setIncident(incident.id, {
    state: "open",
    note: reason,
    retryAt: now() + settings.backoffMs,
  });
  tell("improve.parked", incident.skill, { incident: incident.id, reason });
  const nothing = { commit: null, candidate: null, tried: 0 };
  return { incident: incident.id, result: "infra-error", reason, ...nothing };
}

/** Looks for the engine while incidents wait for it; when it is back, their pauses are over. */
export function watchEngine(
  { house, signal }: Pick<Workspace, "house" | "signal">,
  onBack: () => void,
): AsyncDisposable {
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= look(house, signal, onBack).finally(() => {
      looking = null;
    });
  }, LOOK_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await looking;
    },
  };
}

async function look(house: House, signal: AbortSignal, onBack: () => void): Promise<void> {
  const { containers, store, now } = house;
  const waiting = (): Incident[] =>
    store
      .incidents({ states: ["open"], limit: 200 })
      .filter(({ note, retryAt }) => note.startsWith(PARKED) && retryAt > now());
  if (containers === null || waiting().length === 0) return;
  const { status } = await containers.state();
  if (status !== "ready" || signal.aborted) return;
  for (const { id } of waiting()) store.setIncident(id, { retryAt: now() });
  onBack();
}
