import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after, test, type TestContext } from "node:test";
import {
  createEmbeddedModel,
  type EmbeddedModel,
  type EmbeddedSettings,
} from "../../../src/adapters/llama/embedded-model.ts";
import type { Completion, CompletionRequest } from "../../../src/domain/completion.ts";
import { aFolder } from "../../support/hone.ts";
import { SMALL_GGUF, withoutEmbedded } from "../../support/small-model.ts";

const skip = withoutEmbedded();
const NEVER = new AbortController().signal;

/** Loaded once, for the tests that leave it as it was. */
const shared = { model: embedded({}) };
after(() => shared.model[Symbol.asyncDispose]());

test(
  "an answer has the form that its schema asks for, whatever the model would have written",
  { skip },
  async () => {
    const { model } = shared;

    const answer = answered(await model.complete(asking({ answerSchema: EDITS }), NEVER));

    assert.equal(answer.status, "complete");
    const value = JSON.parse(answer.text) as { reason: unknown; edits: { op: unknown }[] };
    assert.deepEqual(Object.keys(value), ["reason", "edits"]);
    assert.equal(typeof value.reason, "string");
    for (const { op } of value.edits) assert.ok(op === "replace" || op === "add");
    assert.equal(answer.model, "Smollm2 135M 8k Lc100K Mix1 Ep2");
  },
);

test(
  "a schema that is no grammar is held to JSON, so that what comes can be read all the same",
  { skip },
  async () => {
    const { model } = shared;
    const answerSchema = { type: "array", minItems: 100_000, items: { type: "integer" } };

    const answer = answered(await model.complete(asking({ answerSchema }), NEVER));

    assert.equal(answer.status, "complete");
    JSON.parse(answer.text);
  },
);

test("the same seed gives the same answer, another seed another", { skip }, async () => {
  const { model } = shared;
  const textOf = async (seed: number): Promise<string> =>
    answered(await model.complete(asking({ seed, maxTokens: 40 }), NEVER)).text;

  const [first, again, other] = [await textOf(1), await textOf(1), await textOf(2)];

  assert.equal(again, first);
  assert.notEqual(other, first);
});

test("an answer that is not at its end is cut off, and says why (B84)", { skip }, async () => {
  const { model } = shared;

  const answer = answered(await model.complete(asking({ maxTokens: 5 }), NEVER));

  assert.equal(answer.status, "cut-off");
  assert.match(answer.reason, /did not end within 5 tokens/);
  assert.equal(answer.usage?.completion, 5);
});

test("tokens are counted, and what two prompts share is read once", { skip }, async (t) => {
  const model = anEmbedded(t);
  const shared = "These are the rules of the house. ".repeat(20);
  const asked = (last: string): CompletionRequest =>
    asking({ maxTokens: 4, messages: [{ role: "system", content: shared }, user(last)] });

  const first = answered(await model.complete(asked("Say one."), NEVER));
  const second = answered(await model.complete(asked("Say two."), NEVER));

  assert.ok(first.usage !== null && second.usage !== null);
  assert.ok(first.usage.prompt > 140);
  assert.ok(first.usage.cached < 5);
  assert.ok(second.usage.cached > 140, `${second.usage.cached} tokens were in the cache`);
});

test(
  "a prompt that does not fit is refused whole, with its size, before anything is generated",
  { skip },
  async () => {
    const { model } = shared;

    const answer = await model.complete(
      asking({ messages: [user("word ".repeat(20_000))] }),
      NEVER,
    );

    assert.equal(answer.status, "rejected");
    assert.match(answer.reason, /the prompt has 2\d{4} tokens and the context 8192/);
  },
);

test(
  "the card says what is embedded, and is made without asking the model anything",
  { skip },
  async () => {
    const { model } = shared;

    const card = await model.card(NEVER);

    assert.equal(card?.endpoint, `gguf:${SMALL_GGUF}`);
    assert.equal(card.server, "embedded");
    assert.equal(card.mode, "grammar");
    assert.equal(card.contextTokens, 8_192);
    assert.ok(card.tokensPerCharacter > 0.1 && card.tokensPerCharacter < 0.6);
    assert.deepEqual(card.supports, { n: false, seed: true, logprobs: false, usage: true });
  },
);

test("an aborted request rejects at once, and its generation stops", { skip }, async () => {
  const { model } = shared;
  await model.card(NEVER);
  const { pid } = model;
  const stopping = new AbortController();

  const long = model.complete(asking({ maxTokens: 4_000, answerSchema: ENDLESS }), stopping.signal);
  setTimeout(() => stopping.abort(new Error("enough")), 300);
  await assert.rejects(long, { message: "enough" });
  const next = await model.complete(asking({ maxTokens: 4 }), NEVER);

  // 4,000 tokens take the small model most of a minute: the next answer is not behind them.
  assert.equal(next.status, "cut-off");
  assert.ok(next.durationMs < 20_000, `${next.durationMs} ms`);
  assert.equal(model.pid, pid, "the process was stopped gently");
});

test(
  "where a long prompt is being read, an aborted request ends the process, and those behind it are answered by the next",
  { skip },
  async (t) => {
    const model = anEmbedded(t);
    await model.card(NEVER);
    const { pid } = model;
    const stopping = new AbortController();

    const long = model.complete(
      asking({ messages: [user("word ".repeat(7_500))] }),
      stopping.signal,
    );
    const behind = model.complete(asking({ maxTokens: 4 }), NEVER);
    setTimeout(() => stopping.abort(new Error("enough")), 300);
    await assert.rejects(long, { message: "enough" });

    assert.equal((await behind).status, "cut-off");
    assert.notEqual(model.pid, pid);
  },
);

test(
  "a completion that takes too long is no answer, and the process is replaced",
  { skip },
  async (t) => {
    const model = anEmbedded(t, { timeoutMs: 500 });

    const late = await model.complete(asking({ maxTokens: 4_000, answerSchema: ENDLESS }), NEVER);

    assert.equal(late.status, "unreachable");
    assert.match(late.reason, /no answer in 500 ms/);
  },
);

test(
  "a process that dies costs the request at work, and the next one has another",
  { skip },
  async (t) => {
    const model = anEmbedded(t);
    await model.card(NEVER);

    const lost = model.complete(asking({ maxTokens: 4_000, answerSchema: ENDLESS }), NEVER);
    process.kill(Number(model.pid), "SIGKILL");

    assert.equal((await lost).status, "unreachable");
    assert.equal((await model.complete(asking({ maxTokens: 4 }), NEVER)).status, "cut-off");
  },
);

test("requests are generated side by side where that is asked for", { skip }, async (t) => {
  const model = anEmbedded(t, { sequences: 2 });

  const answers = await Promise.all(
    [1, 2, 3].map((seed) => model.complete(asking({ seed, maxTokens: 8 }), NEVER)),
  );

  assert.equal((await model.card(NEVER))?.parallel, 2);
  assert.deepEqual(
    answers.map(({ status }) => status),
    ["cut-off", "cut-off", "cut-off"],
  );
});

test(
  "a model that had nothing to do gives its memory back, and comes again",
  { skip },
  async (t) => {
    const model = anEmbedded(t, { idleMs: 50 });
    await model.complete(asking({ maxTokens: 2 }), NEVER);

    while (model.pid !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));

    assert.equal((await model.complete(asking({ maxTokens: 2 }), NEVER)).status, "cut-off");
  },
);

test("a file that is no model is unreachable in one sentence, and has no card", async (t) => {
  const dir = await aFolder(t);
  const gguf = path.join(dir, "no-model.gguf");
  await writeFile(gguf, "not a model");
  const model = anEmbedded(t, { gguf });

  const answer = await model.complete(asking({}), NEVER);

  assert.equal(answer.status, "unreachable");
  assert.match(answer.reason, skip === false ? /no-model\.gguf cannot be loaded/ : /install/);
  assert.equal(await model.card(NEVER), null);
  assert.equal(model.problem, answer.reason);
});

const EDITS = {
  type: "object",
  properties: {
    reason: { type: "string", maxLength: 40 },
    edits: {
      type: "array",
      minItems: 1,
      maxItems: 2,
      items: {
        type: "object",
        properties: {
          op: { enum: ["replace", "add"] },
          target: { type: "string", maxLength: 20 },
          code: { type: "string", maxLength: 40 },
        },
        required: ["op", "target", "code"],
        additionalProperties: false,
      },
    },
  },
  required: ["reason", "edits"],
  additionalProperties: false,
};

/** An answer that cannot end early. */
const ENDLESS = { type: "array", minItems: 1_000, items: { type: "integer" } };

function asking(parts: Partial<CompletionRequest>): CompletionRequest {
  return {
    messages: [
      { role: "system", content: "You repair code." },
      user("function add(a, b) { return a - b } gives a wrong sum. What is wrong?"),
    ],
    answerSchema: null,
    temperature: 0.8,
    seed: 7,
    maxTokens: 200,
    purpose: { kind: "repair", skill: "add", incident: null },
    ...parts,
  };
}

function user(content: string): CompletionRequest["messages"][number] {
  return { role: "user", content };
}

function answered(completion: Completion): Extract<Completion, { readonly text: string }> {
  if ("text" in completion) return completion;
  return assert.fail(`${completion.status}: ${completion.reason}`);
}

function anEmbedded(t: TestContext, settings: Partial<EmbeddedSettings> = {}): EmbeddedModel {
  const model = embedded(settings);
  t.after(() => model[Symbol.asyncDispose]());
  return model;
}

function embedded(settings: Partial<EmbeddedSettings>): EmbeddedModel {
  return createEmbeddedModel({
    gguf: SMALL_GGUF,
    timeoutMs: 120_000,
    env: process.env,
    now: Date.now,
    ...settings,
  });
}
