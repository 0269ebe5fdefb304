import type { Completion } from "../../domain/completion.ts";
import type { Asked } from "./client.ts";
import { inShort } from "./find-endpoint.ts";
import { isLoading } from "./loading.ts";
import { limitIn } from "./probe-context.ts";
import type { Probed } from "./probe.ts";
import { readAnswer, type Answer, type Choice } from "./read-answer.ts";

/** What was sent, as far as its answer is judged by it. */
export type Sent = {
  /** Tokens of the prompt by hone's own estimate, on the low side. */
  readonly leastTokens: number;
  readonly estimate: number;
  readonly maxTokens: number;
  readonly durationMs: number;
};

type Said = Extract<Completion, { readonly text: string }>;
type Unsaid = Exclude<Completion, Said>;

/** What became of one request, by what came back. */
export function outcomeOf(asked: Asked, sent: Sent, { card, countsCached }: Probed): Completion {
  switch (asked.status) {
    case "answered":
      return answered(readAnswer(asked.answer), sent, { card, countsCached });
    case "refused":
      return refused(asked, sent, card.endpoint);
    case "failed":
      return {
        ...unsaid("unreachable", sent, failureText(asked, card.endpoint)),
        ...(asked.fault === "refused" ? { isUnsent: true } : {}),
      };
  }
}

function answered(
  { choices, usage, model }: Answer,
  sent: Sent,
  { card, countsCached }: Pick<Probed, "card" | "countsCached">,
): Completion {
  const [choice] = choices;
  if (choice === undefined) {
    return unsaid("unreachable", sent, `${card.endpoint} gave an answer without a choice`);
  }
  const { text, reasoning, finish } = choice;
  if (finish === "abort" || finish === "error") {
    return unsaid("unreachable", sent, `the server gave the answer up (${finish})`);
  }
  if (finish === "content_filter") {
    return unsaid("rejected", sent, "the server's filter withheld the answer");
  }
  const { durationMs } = sent;
  const common = { text, reasoning, usage, model: model === "" ? card.model : model, durationMs };
  if (usage !== null && countsCached && usage.prompt < sent.leastTokens) {
    return { ...common, status: "context-truncated", reason: truncation(usage.prompt, sent) };
  }
  if (isCutOff(choice, usage?.completion ?? 0, sent.maxTokens)) {
    const reason = `the answer was cut off at ${usage?.completion ?? sent.maxTokens} tokens: ask for a smaller one, or raise model.maxTokens`;
    return { ...common, status: "cut-off", reason };
  }
  return { ...common, status: "complete", reason: "" };
}

/** `length` in whatever words; and no reason at all where the limit was reached. */
function isCutOff({ finish }: Choice, completion: number, maxTokens: number): boolean {
  if (finish === null || finish === "") return completion >= maxTokens;
  return /length|max_tokens|limit/.test(finish);
}

function truncation(counted: number, { estimate }: Sent): string {
  return `the server saw ${counted} tokens of a prompt of about ${estimate}: it cuts without a word; give it more context (Ollama: OLLAMA_CONTEXT_LENGTH)`;
}

type Refusal = Extract<Asked, { readonly status: "refused" }>;

function refused(asked: Refusal, sent: Sent, endpoint: string): Completion {
  const { code } = asked;
  const said = inShort(asked.message);
  // What fails with 500 may have been at work for long.
  const taken = code >= 500 && !isLoading(asked) ? {} : { isUnsent: true };
  const rejected = (reason: string): Unsaid => ({ ...unsaid("rejected", sent, reason), ...taken });
  const unreachable = (reason: string): Unsaid => {
    const { retryAfterMs } = asked;
    const plain = { ...unsaid("unreachable", sent, `${endpoint} ${reason}`), ...taken };
    return retryAfterMs === null ? plain : { ...plain, retryAfterMs };
  };
  if (isTooLong(asked)) {
    const limit = limitIn(asked);
    const context = limit === null ? "" : ` of ${limit} tokens`;
    return rejected(
      `a prompt of about ${sent.estimate} tokens is too long for the context${context}: ${said}`,
    );
  }
  if (isLoading(asked)) return unreachable(`is not ready (${code}): ${said}`);
  if (code === 429) return unreachable(`wants fewer requests${waitText(asked)}: ${said}`);
  if (code === 401 || code === 403) {
    return unreachable(`refuses the API key (${code}); model.key names its environment variable`);
  }
  if (code === 404) return unreachable(`has no such model or path: ${said}`);
  if (code >= 500 && !blamesOutput(asked)) return unreachable(`failed with ${code}: ${said}`);
  return rejected(`the server refused the request with ${code}: ${said}`);
}

function waitText({ retryAfterMs }: Refusal): string {
  return retryAfterMs === null ? "" : ` for ${Math.ceil(retryAfterMs / 1_000)} s`;
}

/** Whether a prompt was too long, in the words of the servers. */
export function isTooLong({ code, message }: Refusal): boolean {
  if (code === 413) return true;
  return (
    [400, 422, 500].includes(code) &&
    /context (?:length|window|size)|n_ctx|exceeds? the (?:available )?context|too (?:long|many tokens)|max_model_len/i.test(
      message,
    )
  );
}

/** Whether a server fails over what the model wrote, or over the shape that was asked for. */
export function blamesOutput({ message }: { readonly message: string }): boolean {
  return /grammar|schema|response_format|structured|guided|json|pars(?:e|ing)|template|output|unexpected token|tool.?call/i.test(
    message,
  );
}

function failureText(
  asked: Extract<Asked, { readonly status: "failed" }>,
  endpoint: string,
): string {
  const late = asked.fault === "late" ? "; model.timeoutMs sets the limit" : "";
  return `${endpoint}: ${inShort(asked.message)}${late}`;
}

function unsaid(status: "rejected" | "unreachable", { durationMs }: Sent, reason: string): Unsaid {
  return { status, reason, durationMs };
}
