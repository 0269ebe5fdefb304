import type { Incident } from "../../domain/incident.ts";
import type { House } from "../../ports/house.ts";
import type { Workspace } from "../workspace.ts";

/** How often a model that is missed is looked for, in milliseconds. */
const LOOK_MS = 2_000;

/**
 * Looks for the model while incidents wait for it. Once it is back their pauses are over; only when it
 * was seen to be gone, so that one which is there and fails all the same is left to their pauses.
 */
export function watchModel(
  { house, signal }: Pick<Workspace, "house" | "signal">,
  onBack: () => void,
  lookMs: number = LOOK_MS,
): AsyncDisposable {
  let looking: Promise<void> | null = null;
  // What was before hone started is not known: one try is worth it.
  let wasGone = true;
  const look = async (): Promise<void> => {
    if (house.model === null || waitingIn(house).length === 0) return;
    const { status } = await house.model.state(signal);
    if (signal.aborted) return;
    const isBack = wasGone && status === "ready";
    wasGone = status !== "ready";
    if (!isBack) return;
    for (const { id } of waitingIn(house)) house.store.setIncident(id, { retryAt: house.now() });
    onBack();
  };
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      })
      .finally(() => {
        looking = null;
      });
  }, lookMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await looking;
    },
  };
}

function waitingIn({ store, now }: House): readonly Incident[] {
  return store
    .incidents({ states: ["open"], limit: 200 })
    .filter(({ note, retryAt }) => note.includes("llm_unreachable") && retryAt > now());
}
