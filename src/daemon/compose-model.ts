import { apiKeyIn } from "../adapters/openai/api-key.ts";
import { createOpenAiModel } from "../adapters/openai/openai-model.ts";
import { createPatientExchange } from "../adapters/undici/patient-exchange.ts";
import type { ModelSettings } from "../config-model.ts";
import type { WatchedModel } from "../ports/model.ts";
import type { Store } from "../ports/store.ts";

/** What a model is made with; `env` has the API key and perhaps OPENAI_BASE_URL. */
export type ModelSurroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly notes: Pick<Store, "note" | "setNote">;
  readonly now: () => number;
  /** Time that a model may take to be loaded, in ms; by default ten minutes. */
  readonly loadingMs?: number;
};

/** The model of the configuration, unprobed until it is asked; null where it is off. */
export function modelFor(
  settings: ModelSettings,
  { env, ...surroundings }: ModelSurroundings,
): WatchedModel | null {
  switch (settings.use) {
    case "off":
    case "gguf":
      return null;
    case "auto":
    case "endpoint":
      return endpointModel(settings, { env, ...surroundings });
  }
}

function endpointModel(
  settings: ModelSettings,
  { env, ...surroundings }: ModelSurroundings,
): WatchedModel {
  const key = apiKeyIn(env, settings.key);
  const { exchange, ...web } = createPatientExchange();
  const model = createOpenAiModel({ settings, env, key, exchange, ...surroundings });
  return {
    card: async (signal) => await model.card(signal),
    state: async (signal) => await model.state(signal),
    complete: async (request, signal) => await model.complete(request, signal),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await web[Symbol.asyncDispose]();
    },
  };
}
