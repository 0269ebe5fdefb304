import { messageOf } from "../../domain/errors.ts";
import type { Answering } from "../../ports/model-server.ts";

/** How long a server may take to say how it is, in milliseconds. */
const ANSWER_MS = 10_000;

/**
 * Asks `GET /health`, which vLLM, SGLang and llama.cpp answer with 200 once the weights are loaded,
 * and then which models there are, which every OpenAI-compatible server answers. It is asked without
 * a key, since anybody may listen there; one that wants a key is ready, and does not say its models.
 */
export async function askHealth(baseUrl: string): Promise<Answering> {
  try {
    const health = await got(new URL("/health", baseUrl));
    if (wantsKey(health)) return { status: "ready", models: [] };
    // Ollama and LM Studio have no such path.
    if (!health.ok && health.status !== 404) return loading(health.status);
    const listed = await got(new URL(`${baseUrl.replace(/\/$/, "")}/models`));
    if (wantsKey(listed)) return { status: "ready", models: [] };
    if (!listed.ok) return loading(listed.status);
    return { status: "ready", models: namesIn(await listed.json()) };
  } catch (thrown) {
    const { code } = ((thrown as Error).cause ?? {}) as { readonly code?: unknown };
    if (NOBODY.has(code)) return { status: "absent", reason: "nobody answers yet" };
    return { status: "silent", reason: reasonOf(thrown) };
  }
}

/** What says that no connection was taken. */
const NOBODY = new Set<unknown>([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

async function got(url: URL): Promise<Response> {
  return await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS), redirect: "error" });
}

function wantsKey({ status }: Response): boolean {
  return status === 401 || status === 403;
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
  const { cause } = thrown as { readonly cause?: unknown };
  return cause === undefined ? messageOf(thrown) : messageOf(cause);
}
