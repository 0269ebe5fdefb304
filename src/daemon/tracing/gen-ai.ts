import { SpanKind, type Attributes } from "@opentelemetry/api";
import type { Completion, CompletionRequest } from "../../domain/completion.ts";
import type { WatchedModel } from "../../ports/model.ts";
import { inSpan } from "./in-span.ts";

/**
 * A model whose completions are spans after OpenTelemetry's conventions for generative AI (in
 * development: names may change with them, in this file alone). No prompt and no answer is in them.
 */
export function tracedModel(model: WatchedModel): WatchedModel {
  return {
    card: (signal) => model.card(signal),
    state: (signal) => model.state(signal),
    complete: async (request, signal) =>
      await inSpan("chat", { kind: SpanKind.CLIENT, attributes: asked(request) }, async (span) => {
        const completion = await model.complete(request, signal);
        span.setAttributes(answered(completion));
        if ("model" in completion) span.updateName(`chat ${completion.model}`);
        return completion;
      }),
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

function asked({
  temperature,
  seed,
  maxTokens,
  purpose,
  answerSchema,
}: CompletionRequest): Attributes {
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.output.type": answerSchema === null ? "text" : "json",
    "gen_ai.request.temperature": temperature,
    "gen_ai.request.seed": seed,
    "gen_ai.request.max_tokens": maxTokens,
    "hone.purpose": purpose.kind,
    "hone.skill": purpose.skill,
  };
}

function answered(completion: Completion): Attributes {
  const { status } = completion;
  if (!("model" in completion)) return { "error.type": status };
  const { model, usage } = completion;
  return {
    "gen_ai.response.model": model,
    "gen_ai.response.finish_reasons": [status === "complete" ? "stop" : "length"],
    ...(usage === null
      ? {}
      : {
          "gen_ai.usage.input_tokens": usage.prompt,
          "gen_ai.usage.output_tokens": usage.completion,
          "gen_ai.usage.cache_read.input_tokens": usage.cached,
        }),
    ...(status === "complete" ? {} : { "error.type": status }),
  };
}
