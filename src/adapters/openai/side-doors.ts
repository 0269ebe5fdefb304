import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import type { Client } from "./client.ts";

/** What a server tells of itself beside the API; nothing of it is taken for granted. */
export type Told = {
  /** As in `ModelCard.server`. */
  readonly server: string;
  /** Tokens of context; null: it does not say. */
  readonly contextTokens: number | null;
  /** Requests that it works on at a time; null: it does not say. */
  readonly parallel: number | null;
};

/** `owned_by` in the list of models, by server. */
const OWNERS: Readonly<Record<string, string>> = {
  vllm: "vllm",
  sglang: "sglang",
  llamacpp: "llama.cpp",
  library: "ollama",
  organization_owner: "lmstudio",
};

const LOOK_MS = 2_000;

/**
 * Asks the doors that servers have beside `/v1`, all at once: `/props` (llama.cpp), `/api/ps`
 * (Ollama), `/api/v0/models` (LM Studio), `/get_server_info` (SGLang). Four GETs.
 */
export async function askSideDoors(
  client: Client,
  {
    baseUrl,
    model,
    entry,
  }: {
    readonly baseUrl: string;
    readonly model: string;
    readonly entry: JsonObject;
  },
  signal: AbortSignal,
): Promise<Told> {
  const root = baseUrl.replace(/\/v1$/, "");
  const door = async (path: string): Promise<JsonObject> => {
    const asked = await client.look(`${root}${path}`, signal, LOOK_MS);
    return asked.status === "answered" ? asked.answer : {};
  };
  const [props, ps, lm, info] = await Promise.all([
    door("/props"),
    door("/api/ps"),
    door("/api/v0/models"),
    door("/get_server_info"),
  ]);
  const listed = numberIn(entry["max_model_len"]);
  const [slots, running] = [props["total_slots"], info["max_running_requests"]];
  const settings = props["default_generation_settings"];
  const slotContext = isJsonObject(settings) ? numberIn(settings["n_ctx"]) : null;
  const lmEntry = entryIn(lm["data"], "id", model);
  const psEntry = entryIn(ps["models"], "name", model);
  const owner = typeof entry["owned_by"] === "string" ? OWNERS[entry["owned_by"]] : undefined;
  if (slotContext !== null) return told("llama.cpp", slotContext, numberIn(slots));
  if (lmEntry !== null && "state" in lmEntry) {
    return told("lmstudio", numberIn(lmEntry["loaded_context_length"]), null);
  }
  if (Array.isArray(ps["models"])) return told("ollama", contextIn(psEntry), null);
  return told(
    owner ?? (isJsonObject(info) && running !== undefined ? "sglang" : "unknown"),
    listed,
    numberIn(running),
  );
}

function told(server: string, contextTokens: number | null, parallel: number | null): Told {
  return { server, contextTokens, parallel };
}

function contextIn(entry: JsonObject | null): number | null {
  return entry === null ? null : numberIn(entry["context_length"]);
}

function entryIn(list: Json | undefined, key: string, model: string): JsonObject | null {
  if (!Array.isArray(list)) return null;
  const entries = (list as readonly Json[]).filter(isJsonObject);
  return (
    entries.find((each) => [model, `${model}:latest`].some((name) => name === each[key])) ?? null
  );
}

function numberIn(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}
