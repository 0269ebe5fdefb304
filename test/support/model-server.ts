import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { PROBE_SYSTEM } from "../../src/adapters/openai/probe-prompts.ts";
import type { Message } from "../../src/domain/completion.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/domain/json.ts";
import type { StructuredMode } from "../../src/domain/model-card.ts";

/** A completion that was asked for over the wire. */
export type Asked = {
  readonly messages: readonly Message[];
  /** The whole body of the request. */
  readonly body: JsonObject;
  readonly headers: IncomingHttpHeaders;
  /** From 0, probes not counted. */
  readonly index: number;
};

/** What the server gives back; a text alone is a whole answer. */
export type Reply = {
  /** `null` as some servers have it who put all into the reasoning field. */
  readonly text?: Json;
  readonly reasoning?: string;
  readonly reasoningField?: "reasoning" | "reasoning_content";
  readonly finish?: string | null;
  /** Null: none; absent: counted by the server's own measure. */
  readonly usage?: JsonObject | null;
  /** More members of the message, such as `tool_calls`. */
  readonly message?: JsonObject;
  /** More members of the choice, such as `logprobs`. */
  readonly choice?: JsonObject;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of everything above: these very bytes. */
  readonly body?: string | Buffer;
  /** Waited for before the first byte. */
  readonly until?: Promise<unknown>;
  readonly afterMs?: number;
  /** Waited for in the middle of the body. */
  readonly pauseMidway?: Promise<unknown>;
  /** The socket is cut: before the answer, or in the middle of it. */
  readonly drop?: "before" | "midway";
  /** The body never ends: this text again and again. */
  readonly endless?: string;
};

/** How the server treats what it is asked; each has a usual value. */
export type Quirks = {
  /** Ways to ask for JSON that are enforced. */
  readonly modes?: readonly (StructuredMode | "json_object+schema")[];
  /** Ways to ask for JSON that are refused with 400; what is neither is ignored. */
  readonly refused?: readonly StructuredMode[];
  readonly contextTokens?: number;
  /** What it says of its context; by default the truth. */
  readonly toldContextTokens?: number;
  /** What becomes of a prompt that does not fit. */
  readonly tooLong?: "refused" | "cut" | "failed";
  readonly reasoning?: "reasoning" | "reasoning_content" | "<think>" | null;
  readonly usage?: boolean;
  /** Whether tokens of a prompt are counted that were read before. */
  readonly countsCached?: boolean;
  readonly n?: boolean;
  readonly seed?: boolean;
  readonly logprobs?: boolean;
  /** The API key without which nothing is answered. */
  readonly key?: string;
};

type ProbeScript = (asked: Asked) => string | Reply | null;

export type ModelServerOptions = {
  /** The answer to a request that is no probe. */
  readonly answers?: (asked: Asked) => string | Reply | Promise<string | Reply>;
  /** Instead of its own answers to the parts of a probe; null: its own. */
  readonly shapes?: ProbeScript;
  readonly words?: ProbeScript;
  readonly markers?: ProbeScript;
  /** Whose habits it has: what `/v1/models` and the side doors tell. */
  readonly kind?: "vllm" | "sglang" | "llama.cpp" | "ollama" | "lmstudio" | "unknown";
  readonly model?: string;
  readonly quirks?: Quirks;
  /** Before anything else: a reply to any path, or undefined. For loading phases and the like. */
  readonly intercept?: (method: string, path: string) => Reply | undefined;
  /** 0: any free one. */
  readonly port?: number;
};

export type ModelServer = AsyncDisposable & {
  readonly origin: string;
  /** As `model.url` wants it. */
  readonly url: string;
  /** Completions asked for so far, probes left out. */
  readonly asked: readonly Asked[];
  /** Probes so far. */
  readonly probes: readonly Asked[];
  /** Every request so far, as `GET /v1/models`. */
  readonly requests: readonly string[];
  /** Connections that the client closed before it had its whole answer. */
  readonly left: () => number;
};

/**
 * A scripted OpenAI-compatible server on 127.0.0.1. It answers the probe of an endpoint by itself,
 * as `quirks` say, and everything else by `answers`. All its connections are cut in the end.
 */
export async function modelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const asked: Asked[] = [];
  const probes: Asked[] = [];
  const requests: string[] = [];
  let left = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push(`${request.method} ${path}`);
    response.on("close", () => {
      if (!response.writableFinished) left += 1;
    });
    void replyTo(request, path, { options, asked, probes })
      .catch((error: unknown) => ({ status: 500, body: String(error) }))
      .then(async (reply) => await send(reply, response));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/v1`,
    asked,
    probes,
    requests,
    left: () => left,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Scene = {
  readonly options: ModelServerOptions;
  readonly asked: Asked[];
  readonly probes: Asked[];
};

async function replyTo(request: IncomingMessage, path: string, scene: Scene): Promise<Reply> {
  const { options } = scene;
  const text = await textOf(request);
  const intercepted = options.intercept?.(request.method ?? "GET", path);
  if (intercepted !== undefined) return intercepted;
  const { key } = options.quirks ?? {};
  if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
    return failure(401, "invalid api key");
  }
  if (request.method === "GET") return sideDoor(path, options);
  if (path !== "/v1/chat/completions") return failure(404, "Not Found");
  return await complete(JSON.parse(text) as JsonObject, request.headers, scene);
}

async function complete(
  body: JsonObject,
  headers: IncomingHttpHeaders,
  { options, asked, probes }: Scene,
): Promise<Reply> {
  const messages = body["messages"] as unknown as readonly Message[];
  const isProbe = messages[0]?.content === PROBE_SYSTEM;
  const kept = isProbe ? probes : asked;
  const one = { messages, body, headers, index: kept.length };
  kept.push(one);
  const quirks = options.quirks ?? {};
  const refusal = refusalOf(one, quirks);
  if (refusal !== null) return refusal;
  const answer = isProbe
    ? (scriptOf(one, options)?.(one) ?? probeAnswer(one, quirks))
    : await (options.answers ?? (() => "a scripted answer"))(one);
  const reply = typeof answer === "string" ? { text: answer } : answer;
  if (reply.body !== undefined) return reply;
  const isKnown = kept.slice(0, -1).some(({ messages: seen }) => sameStart(seen, messages));
  return asBody(reply, one, { ...options, isKnown });
}

function scriptOf(
  { messages }: Asked,
  { shapes, words, markers }: ModelServerOptions,
): ProbeScript | undefined {
  const text = messages.at(-1)?.content ?? "";
  if (text.includes("in the first line?")) return markers;
  return text.includes("as JSON") ? shapes : words;
}

function sameStart(one: readonly Message[], other: readonly Message[]): boolean {
  return one.at(-1)?.content.slice(0, 200) === other.at(-1)?.content.slice(0, 200);
}

function refusalOf({ messages, body }: Asked, quirks: Quirks): Reply | null {
  const mode = modeOf(body);
  if (quirks.refused?.includes(mode) === true) {
    return failure(400, `'response_format.type' must not be ${mode}`);
  }
  const context = quirks.contextTokens ?? Number.POSITIVE_INFINITY;
  const tokens = tokensIn(messages);
  const tooLong = quirks.tooLong ?? "refused";
  if (tokens <= context || tooLong === "cut") return null;
  return tooLong === "failed"
    ? failure(500, "Context size has been exceeded.")
    : failure(
        400,
        `This model's maximum context length is ${context} tokens. However, you requested ${tokens} tokens.`,
      );
}

/** What a sound but weak model says to a probe, as far as the server's quirks let it. */
function probeAnswer({ messages, body, index }: Asked, quirks: Quirks): Reply {
  const context = quirks.contextTokens ?? Number.POSITIVE_INFINITY;
  const seen = messages
    .map(({ content }) => content)
    .join("\n")
    .slice(-context * CHARACTERS_A_TOKEN);
  const marker = /^The word is (\w+)\.$/m.exec(seen)?.[1];
  const reasons = quirks.reasoning ?? null;
  const thought = "The user wants something.";
  const text = textFor(seen, marker, { body, index, quirks });
  const choice = body["logprobs"] === true && quirks.logprobs !== false;
  return {
    text: reasons === "<think>" ? `<think>${thought}</think>\n${text}` : text,
    ...(reasons === null || reasons === "<think>"
      ? {}
      : { reasoning: thought, reasoningField: reasons }),
    ...(choice ? { choice: { logprobs: { content: [{ token: "a", logprob: -0.1 }] } } } : {}),
  };
}

function textFor(
  seen: string,
  marker: string | undefined,
  { body, index, quirks }: { body: JsonObject; index: number; quirks: Quirks },
): string {
  if (seen.includes("in the first line?")) return marker ?? "I do not know";
  if (!seen.includes("as JSON")) {
    const fixed = quirks.seed !== false && body["seed"] !== undefined;
    return `word${fixed ? String(body["seed"]) : index} another third`;
  }
  const mode = modeOf(body);
  const format = body["response_format"];
  const modes = quirks.modes ?? ["json_schema"];
  if (modes.includes("json_object+schema") && isJsonObject(format) && "schema" in format) {
    return '{"hue": "red", "count": 7}';
  }
  if (!modes.includes(mode)) return 'Sure! ```json\n{"a": 1}\n```';
  return mode === "json_object" ? '{"colour": "red"}' : '{"hue": "red", "count": 7}';
}

function modeOf(body: JsonObject): StructuredMode {
  const format = body["response_format"] as { readonly type?: string } | undefined;
  if (format?.type === "json_schema") return "json_schema";
  if ("json_schema" in body || "structured_outputs" in body) return "grammar";
  return format?.type === "json_object" ? "json_object" : "text";
}

function asBody(
  reply: Reply,
  { messages, body }: Asked,
  options: ModelServerOptions & { readonly isKnown: boolean },
): Reply {
  const { quirks = {}, isKnown } = options;
  const { text = "", reasoning, reasoningField = "reasoning_content" } = reply;
  const message = {
    role: "assistant",
    content: text,
    ...(reasoning === undefined ? {} : { [reasoningField]: reasoning }),
    ...reply.message,
  };
  const count = quirks.n === false ? 1 : Number(body["n"] ?? 1);
  const finish = reply.finish === undefined ? "stop" : reply.finish;
  const choices = Array.from({ length: count }, (_, index) => ({
    index,
    message,
    finish_reason: finish,
    ...reply.choice,
  }));
  const whole = Math.min(tokensIn(messages), quirks.contextTokens ?? Number.POSITIVE_INFINITY);
  const prompt = isKnown && quirks.countsCached === false ? 1 : whole;
  const counted = {
    prompt_tokens: prompt,
    completion_tokens: Math.ceil(String(text).length / CHARACTERS_A_TOKEN),
    total_tokens: prompt + 1,
  };
  const usage = reply.usage === undefined && quirks.usage !== false ? counted : reply.usage;
  const completion = {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: modelOf(options),
    choices,
    ...(usage === null || usage === undefined ? {} : { usage }),
  };
  return { ...reply, body: JSON.stringify(completion) };
}

const CHARACTERS_A_TOKEN = 4;

/** Tokens of a prompt by the server's own measure: four characters each. */
export function tokensIn(messages: readonly Message[]): number {
  return Math.ceil(
    messages.reduce((sum, { content }) => sum + content.length + 1, 0) / CHARACTERS_A_TOKEN,
  );
}

/** What the paths beside completions tell, by the server's kind. */
function sideDoor(path: string, options: ModelServerOptions): Reply {
  const { kind = "unknown", quirks = {} } = options;
  const id = modelOf(options);
  const context = quirks.toldContextTokens ?? quirks.contextTokens ?? 32_768;
  const entry = { id, object: "model", created: 1 };
  switch (`${kind} ${path}`) {
    case "vllm /v1/models":
    case "sglang /v1/models":
      return listOf({ ...entry, owned_by: kind, root: id, max_model_len: context });
    case "llama.cpp /v1/models":
      return listOf({ ...entry, owned_by: "llamacpp", meta: { n_ctx_train: 131_072 } });
    case "ollama /v1/models":
      return listOf({ ...entry, owned_by: "library" });
    case "lmstudio /v1/models":
      return listOf({ ...entry, owned_by: "organization_owner" });
    case "unknown /v1/models":
      return listOf(entry);
    case "llama.cpp /props":
      return json({ default_generation_settings: { n_ctx: context }, total_slots: 4 });
    case "ollama /api/version":
    case "vllm /version":
      return json({ version: "0.12.6" });
    case "vllm /health":
    case "sglang /health":
      return { body: "" };
    case "llama.cpp /health":
      return json({ status: "ok" });
    case "sglang /get_server_info":
      return json({ max_running_requests: 32, version: "0.5.4" });
    case "lmstudio /api/v0/models":
      return json({ data: [{ id, state: "loaded", loaded_context_length: context }] });
    default:
      return failure(404, "Not Found");
  }
}

function modelOf({ model = "scripted-model" }: ModelServerOptions): string {
  return model;
}

function listOf(entry: JsonObject): Reply {
  return json({ object: "list", data: [entry] });
}

function json(value: JsonObject): Reply {
  return { body: JSON.stringify(value) };
}

/** An answer that refuses, in the form most servers use. */
export function failure(status: number, message: string): Reply {
  return { status, body: JSON.stringify({ error: { message, type: "error", code: status } }) };
}

async function send(reply: Reply, response: ServerResponse): Promise<void> {
  await reply.until;
  if (reply.afterMs !== undefined) await pause(reply.afterMs, undefined, { ref: false });
  if (reply.drop === "before") return void response.destroy();
  const body = reply.body ?? "";
  response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
  if (reply.drop === "midway") {
    response.write(body.slice(0, body.length / 2), () => response.destroy());
    return;
  }
  if (reply.pauseMidway !== undefined) {
    response.write(body.slice(0, body.length / 2));
    await reply.pauseMidway;
    return void response.end(body.slice(body.length / 2));
  }
  if (reply.endless === undefined) return void response.end(body);
  while (!response.destroyed) {
    response.write(reply.endless);
    await pause(1, undefined, { ref: false });
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
