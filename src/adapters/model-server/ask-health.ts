import { messageOf } from "../../domain/errors.ts";
import type { Answering, AskHealth } from "../../ports/model-server.ts";

/** How long a server may take to say how it is, in milliseconds. */
const ANSWER_MS = 10_000;

/**
 * Asks `GET /health`, which vLLM, SGLang and llama.cpp answer with 200 once the weights are loaded,
 * and then which models there are, which every OpenAI-compatible server answers. `key` is sent
 * where it is not empty.
 */
export function askHealth(key: string): AskHealth {
  return async (baseUrl) => {
    try {
      const health = await got(new URL("/health", baseUrl), key);
      // Ollama and LM Studio have no such path.
      if (!health.ok && health.status !== 404) return loading(health.status);
      const listed = await got(new URL(`${baseUrl.replace(/\/$/, "")}/models`), key);
      if (listed.status === 401 || listed.status === 403) return { status: "ready", models: [] };
      if (!listed.ok) return loading(listed.status);
      return { status: "ready", models: namesIn(await listed.json()) };
    } catch (thrown) {
      return { status: "silent", reason: reasonOf(thrown) };
    }
  };
}

async function got(url: URL, key: string): Promise<Response> {
  const headers = key === "" ? {} : { authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(ANSWER_MS);
  return await fetch(url, { headers, signal, redirect: "error" });
}

function loading(status: number): Answering {
  return { status: "loading", reason: `it answers ${status}` };
}

function namesIn(listed: unknown): readonly string[] {
  const { data } = (listed ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data)) return [];
  return data.flatMap((each: { readonly id?: unknown } | null) =>
    typeof each?.id === "string" ? [each.id] : [],
  );
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(thrown: unknown): string {
  const { cause } = thrown as { readonly cause?: { readonly code?: unknown } };
  if (cause?.code === "ECONNREFUSED") return "nobody answers yet";
  return cause === undefined ? messageOf(thrown) : messageOf(cause);
}
