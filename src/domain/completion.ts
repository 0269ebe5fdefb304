import type { JsonObject } from "./json.ts";

/** One turn of a talk with a language model. */
export type Message = {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
};

/** What a completion is paid for; budgets are counted by it. */
type Purpose = {
  readonly kind: "repair" | "skill" | "judge";
  /** The skill that is repaired, run or judged. */
  readonly skill: string;
  /** The incident whose budget pays; null: the day's alone. */
  readonly incident: string | null;
};

/** One request to a language model; one request over the wire, never more. */
export type CompletionRequest = {
  /** What all samples of a group share comes first, byte for byte, so that servers can cache it. */
  readonly messages: readonly Message[];
  /** The JSON Schema of the answer; null: free text. A server may ignore it: validate all the same. */
  readonly answerSchema: JsonObject | null;
  readonly temperature: number;
  readonly seed: number;
  /** Tokens of the answer at most. */
  readonly maxTokens: number;
  readonly purpose: Purpose;
};

/** Tokens as the server counted them. */
export type TokenUsage = {
  readonly prompt: number;
  readonly completion: number;
  /** Of `prompt`, those that the server had in its cache. */
  readonly cached: number;
};

/**
 * What became of a completion. Only `complete` may be read as an answer. `rejected`, `cut-off` and
 * `context-truncated` cost an attempt and name what to change; `unreachable` and `over-budget` say
 * nothing of the request itself.
 */
export type Completion =
  | {
      readonly status: "complete" | "cut-off" | "context-truncated";
      /** The answer's text; where a server puts all into its reasoning field, empty. */
      readonly text: string;
      /** What came in a reasoning field or between `<think>` tags. */
      readonly reasoning: string;
      /** Null where the server did not count. */
      readonly usage: TokenUsage | null;
      /** The model as the server names it. */
      readonly model: string;
      readonly durationMs: number;
      /** One sentence where `status` is not `complete`. */
      readonly reason: string;
    }
  | {
      readonly status: "rejected" | "unreachable" | "over-budget";
      readonly reason: string;
      readonly durationMs: number;
      /** Where a server says so: how long nothing is to be asked of it. */
      readonly retryAfterMs?: number;
      /** No model had anything of it, so that it cost nothing; absent where that is not known. */
      readonly isUnsent?: boolean;
    };
