import { existsSync } from "node:fs";
import path from "node:path";
import { createEmbeddedModel } from "../adapters/llama/embedded-model.ts";
import { apiKeyIn } from "../adapters/openai/api-key.ts";
import { createOpenAiModel } from "../adapters/openai/openai-model.ts";
import { createPatientExchange } from "../adapters/undici/patient-exchange.ts";
import { modelCallsInMemory } from "../adapters/sqlite/calls-in-memory.ts";
import { baseUrlOf, type ModelSettings } from "../config-model.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Meter, Model, ModelState, WatchedModel } from "../ports/model.ts";
import type { Store } from "../ports/store.ts";
import { isOwnPort } from "./compose-model-server.ts";
import { keyGuarded } from "./model/key-guard.ts";
import { breaking } from "./model/breaking-model.ts";
import { budgeted, probesWithin } from "./model/budgeted-model.ts";

/** What a model is made with. */
export type ModelSurroundings = {
  /** What the name of a GGUF file is relative to; null: the working folder. */
  readonly dir: string | null;
  /** Has the API key, and perhaps OPENAI_BASE_URL. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly notes: Pick<Store, "note" | "setNote">;
  readonly now: () => number;
  /** Time that a model may take to be loaded, in ms; by default ten minutes. */
  readonly loadingMs?: number;
  /** Counts the requests of a probe; absent: they are in no budget. */
  readonly meter?: Meter;
};

/**
 * The model of the configuration, not asked anything yet; null where it is off. Throws `bad-config`
 * for an address or an API key that cannot be one.
 */
export function modelFor(
  settings: ModelSettings,
  surroundings: ModelSurroundings,
): WatchedModel | null {
  switch (settings.use) {
    case "off":
      return null;
    case "auto":
    case "endpoint":
      return servedModel(settings, surroundings);
    case "gguf":
      return embeddedModel(settings, surroundings);
  }
}

/**
 * The model as everybody in a house has it: within its budget, and let be for a while where it does
 * not answer. Outside one (`store` is null) it is counted in memory and asked whatever came before,
 * since what is measured there is the model. Null where it is off.
 */
export function houseModel(
  settings: ModelSettings,
  {
    dir,
    store,
    tell,
  }: {
    readonly dir: string | null;
    readonly store: Store | null;
    readonly tell: Tell | null;
  },
): WatchedModel | null {
  const ledger = store ?? modelCallsInMemory();
  const { budget: caps, timeoutMs, groupMs } = settings;
  const now = Date.now;
  const meter = probesWithin({ caps, ledger, now });
  const served = modelFor(settings, { dir, env: process.env, notes: ledger, now, meter });
  if (served === null) return null;
  const longestMs = (kind: string): number =>
    kind === "repair" ? Math.min(timeoutMs, groupMs) : timeoutMs;
  const within = budgeted(served, { caps, ledger, now, longestMs });
  if (tell === null) return within;
  return breaking(within, {
    now: () => performance.now(),
    tell: (kind, detail) => tell(kind, null, detail),
  });
}

type Tell = (kind: string, skill: string | null, detail: JsonObject) => void;

function servedModel(
  settings: ModelSettings,
  { dir, env, notes, now, loadingMs, meter }: ModelSurroundings,
): WatchedModel {
  const key = apiKeyIn(env, settings.key);
  const web = createPatientExchange();
  const limits = {
    ...(loadingMs === undefined ? {} : { loadingMs }),
    ...(meter === undefined ? {} : { meter }),
  };
  const isOurs = async (port: number): Promise<boolean> =>
    await isOwnPort(path.resolve(dir ?? ""), port);
  const exchange = key === null ? web.exchange : keyGuarded(web.exchange, settings, isOurs);
  const at = { ...settings, url: baseUrlOf(settings) };
  const model = createOpenAiModel({ settings: at, env, key, exchange, notes, now, ...limits });
  return watched(model, async (signal) => await model.state(signal), web);
}

function embeddedModel(
  settings: ModelSettings,
  { dir, env, now }: ModelSurroundings,
): WatchedModel {
  const gguf = path.resolve(dir ?? "", settings.gguf);
  const { timeoutMs } = settings;
  const model = createEmbeddedModel({ gguf, timeoutMs, env, now });
  const state = (): ModelState =>
    existsSync(gguf)
      ? { status: "ready", endpoint: `gguf:${gguf}`, model: path.basename(gguf) }
      : { status: "llm_unreachable", reason: `there is no file ${gguf}` };
  return watched(model, async () => state(), null);
}

/** A model with what says how it is, and with what is to be closed after it. */
function watched(
  model: Model,
  state: WatchedModel["state"],
  under: AsyncDisposable | null,
): WatchedModel {
  return {
    state,
    card: async (signal) => await model.card(signal),
    complete: async (request, signal) => await model.complete(request, signal),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await under?.[Symbol.asyncDispose]();
    },
  };
}
