import type { JsonObject } from "../../domain/json.ts";
import type { WatchedModel } from "../../ports/model.ts";

/** How the model is, for `hone status`: off, ready, loading, or `llm_unreachable` and why. */
export async function modelIn(
  model: WatchedModel | null,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (model === null) return { model: "off" };
  const state = await model.state(signal);
  switch (state.status) {
    case "ready":
      return { model: "ready", served: `${state.model} at ${state.endpoint}` };
    case "loading":
    case "llm_unreachable":
      return { model: state.status, served: state.reason };
  }
}
