import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";

/** Whether a body is a stream of server-sent events (WHATWG HTML, 9.2), whatever its type says. */
export function isEventStream(text: string): boolean {
  return /^(?::|data:|event:|id:|retry:)/.test(text);
}

/**
 * One completion of a stream that nobody asked for: some proxies send one all the same. Comments,
 * keep-alives and lines that are no JSON are passed over; usage may come last, with no choices.
 */
export function completionOfStream(text: string): JsonObject {
  const parts: Parts = { content: "", reasoning: "", field: "reasoning_content", finish: null };
  let model: Json = "";
  let usage: Json = null;
  let error: Json = null;
  for (const event of eventsIn(text)) {
    model = event["model"] ?? model;
    usage = event["usage"] ?? usage;
    error = event["error"] ?? error;
    const [choice] = Array.isArray(event["choices"]) ? (event["choices"] as Json[]) : [];
    if (isJsonObject(choice)) add(choice, parts);
  }
  const { content, reasoning, field, finish } = parts;
  const message = {
    role: "assistant",
    content,
    ...(reasoning === "" ? {} : { [field]: reasoning }),
  };
  return {
    model,
    // A stream without a reason for its end was broken off.
    choices: [{ index: 0, message, finish_reason: finish ?? "length" }],
    ...(usage === null ? {} : { usage }),
    ...(error === null ? {} : { error }),
  };
}

type Parts = {
  content: string;
  reasoning: string;
  field: "reasoning" | "reasoning_content";
  finish: Json;
};

function add(choice: JsonObject, parts: Parts): void {
  const delta = choice["delta"] ?? choice["message"];
  if (isJsonObject(delta)) {
    if (typeof delta["content"] === "string") parts.content += delta["content"];
    for (const field of ["reasoning", "reasoning_content"] as const) {
      if (typeof delta[field] !== "string") continue;
      parts.field = field;
      parts.reasoning += delta[field];
    }
  }
  parts.finish = choice["finish_reason"] ?? parts.finish;
}

function* eventsIn(text: string): Generator<JsonObject> {
  for (const line of text.split(/\r\n|\r|\n/)) {
    const data = /^data: ?(.*)$/.exec(line)?.[1];
    if (data === undefined || data === "[DONE]") continue;
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      continue;
    }
    if (isJsonObject(value as Json)) yield value as JsonObject;
  }
}
