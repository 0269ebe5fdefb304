import assert from "node:assert/strict";
import { test } from "node:test";
import { tracedModel } from "../../src/daemon/tracing/gen-ai.ts";
import type { Completion, CompletionRequest } from "../../src/domain/completion.ts";
import type { WatchedModel } from "../../src/ports/model.ts";
import { SpanCollector } from "../support/span-collector.ts";

const REQUEST: CompletionRequest = {
  messages: [{ role: "user", content: "a secret of the skill" }],
  answerSchema: null,
  temperature: 0.7,
  seed: 3,
  maxTokens: 200,
  purpose: { kind: "repair", skill: "area", incident: null },
};

function modelThat(completion: Completion): WatchedModel {
  return {
    card: async () => null,
    state: async () => ({ status: "llm_unreachable", reason: "" }),
    complete: async () => completion,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

test("a completion is a span by the conventions for generative AI, without what was said", async () => {
  using collector = new SpanCollector();
  const { signal } = new AbortController();
  const usage = { prompt: 90, completion: 12, cached: 40 };
  const answer: Completion = {
    status: "complete",
    text: "an answer",
    reasoning: "",
    usage,
    model: "qwen",
    durationMs: 8,
    reason: "",
  };

  await tracedModel(modelThat(answer)).complete(REQUEST, signal);

  const [span] = collector.spans;
  assert.equal(span?.name, "chat qwen");
  assert.equal(span?.attributes["gen_ai.operation.name"], "chat");
  assert.equal(span?.attributes["gen_ai.usage.input_tokens"], 90);
  assert.equal(span?.attributes["gen_ai.usage.output_tokens"], 12);
  assert.equal(span?.attributes["gen_ai.request.temperature"], 0.7);
  assert.deepEqual(span?.attributes["gen_ai.response.finish_reasons"], ["stop"]);
  assert.doesNotMatch(JSON.stringify(span), /secret|an answer/);
});

test("one that did not come is told by how it ended", async () => {
  using collector = new SpanCollector();
  const { signal } = new AbortController();
  const answer = { status: "unreachable", reason: "nobody there", durationMs: 3 } as Completion;

  await tracedModel(modelThat(answer)).complete(REQUEST, signal);

  assert.equal(collector.spans[0]?.attributes["error.type"], "unreachable");
  assert.equal(collector.spans[0]?.ended, 1);
});
