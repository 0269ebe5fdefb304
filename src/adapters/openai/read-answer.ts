import type { TokenUsage } from "../../domain/completion.ts";
import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import type { Asked } from "./client.ts";
import { withoutThoughts } from "./thoughts.ts";

/** One choice of an answer. */
export type Choice = {
  readonly text: string;
  readonly reasoning: string;
  /** Where the reasoning stood: a field's name, a tag, or null for none. */
  readonly reasoningAt: string | null;
  readonly finish: string | null;
  readonly hasLogprobs: boolean;
};

/** What of an answer is read; everything else in it is passed over. */
export type Answer = {
  readonly choices: readonly Choice[];
  readonly usage: TokenUsage | null;
  /** Empty where the server does not name it. */
  readonly model: string;
};

/** Reads a chat completion of whatever server, with nothing taken for granted. */
export function readAnswer(answer: JsonObject): Answer {
  const choices = answer["choices"];
  return {
    choices: Array.isArray(choices) ? choices.filter(isJsonObject).map(choiceOf) : [],
    usage: usageOf(answer["usage"]),
    model: textOf(answer["model"]),
  };
}

/** What was answered, where something was. */
export function answerIn(asked: Asked): Answer | null {
  if (asked.status !== "answered") return null;
  const answer = readAnswer(asked.answer);
  return answer.choices.length === 0 ? null : answer;
}

/** Newer servers say `reasoning`, older ones `reasoning_content`. */
const FIELDS = ["reasoning", "reasoning_content"] as const;

function choiceOf(choice: JsonObject): Choice {
  const message = isJsonObject(choice["message"]) ? choice["message"] : {};
  const { text, thoughts, tag } = withoutThoughts(textOf(message["content"]));
  const field = FIELDS.find((name) => textOf(message[name]) !== "");
  const finish = choice["finish_reason"];
  return {
    text: text === "" ? textOf(message["refusal"]) : text,
    reasoning: [field === undefined ? "" : textOf(message[field]), thoughts]
      .filter((part) => part !== "")
      .join("\n"),
    reasoningAt: field ?? tag,
    finish: typeof finish === "string" ? finish : null,
    hasLogprobs: isJsonObject(choice["logprobs"]),
  };
}

/** A text, or the parts of one. */
function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as readonly Json[])
    .map((part) => (isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}

function usageOf(usage: Json | undefined): TokenUsage | null {
  if (!isJsonObject(usage)) return null;
  const [prompt, completion] = [usage["prompt_tokens"], usage["completion_tokens"]];
  if (!isCount(prompt) || !isCount(completion)) return null;
  const details = usage["prompt_tokens_details"];
  const cached = isJsonObject(details) ? details["cached_tokens"] : usage["cached_tokens"];
  return { prompt, completion, cached: isCount(cached) ? cached : 0 };
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
