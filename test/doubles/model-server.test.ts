import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";
import {
  markerPrompt,
  PROBE_SCHEMA,
  shapePrompt,
  wordsPrompt,
} from "../../src/adapters/openai/probe-prompts.ts";
import type { Message } from "../../src/domain/completion.ts";
import { failure, modelServer, tokensIn, type ModelServer } from "../support/model-server.ts";

/** Asks as any program would that has the `openai` package. */
async function ask(
  { url }: ModelServer,
  messages: readonly Message[],
  more: object = {},
): Promise<OpenAI.ChatCompletion> {
  const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0, logLevel: "off" });
  const asked = { model: "m", messages: [...messages], ...more };
  return await client.chat.completions.create({ ...asked, stream: false });
}

const QUESTION: readonly Message[] = [{ role: "user", content: "What is wrong?" }];

test("a scripted model server answers what is scripted, and keeps what it was asked", async () => {
  await using server = await modelServer({
    answers: ({ messages, index }) => `${index}: ${messages[0]?.content}`,
  });

  const first = await ask(server, QUESTION);
  const second = await ask(server, QUESTION, { n: 2 });

  assert.equal(first.choices[0]?.message.content, "0: What is wrong?");
  assert.deepEqual(
    second.choices.map(({ message }) => message.content),
    ["1: What is wrong?", "1: What is wrong?"],
  );
  assert.equal(server.asked.length, 2);
  assert.deepEqual(server.requests, ["POST /v1/chat/completions", "POST /v1/chat/completions"]);
});

test("a scripted model server answers probes as its quirks say, without the script", async () => {
  await using server = await modelServer({
    answers: () => assert.fail("a probe is not for the script"),
    quirks: {
      modes: ["json_schema"],
      refused: ["json_object"],
      contextTokens: 500,
      tooLong: "cut",
    },
  });
  const schema = { name: "probe", schema: PROBE_SCHEMA };

  const enforced = await ask(server, shapePrompt(), {
    response_format: { type: "json_schema", json_schema: schema },
  });
  const free = await ask(server, shapePrompt());
  const short = await ask(server, markerPrompt("walnut", 300));
  const cut = await ask(server, markerPrompt("walnut", 8_000));

  assert.deepEqual(JSON.parse(enforced.choices[0]?.message.content ?? ""), {
    hue: "red",
    count: 7,
  });
  assert.match(free.choices[0]?.message.content ?? "", /^Sure!/);
  assert.equal(short.choices[0]?.message.content, "walnut");
  assert.notEqual(cut.choices[0]?.message.content, "walnut");
  assert.equal(cut.usage?.prompt_tokens, 500);
  assert.ok(tokensIn(markerPrompt("walnut", 8_000)) > 1_900);
  await assert.rejects(
    ask(server, shapePrompt(), { response_format: { type: "json_object" } }),
    /400 'response_format.type' must not be json_object/,
  );
  assert.equal(server.asked.length, 0);
  assert.equal(server.probes.length, 5);
});

test("a scripted model server misbehaves where it is told to", async () => {
  const replies = [failure(503, "Loading model"), { text: null, reasoning: "{}" }, "ready"];
  await using server = await modelServer({
    answers: () => replies.shift() ?? { drop: "midway", text: "half of an answer" },
  });

  await assert.rejects(ask(server, wordsPrompt().slice(1)), /503 Loading model/);
  const reasoned = await ask(server, QUESTION);
  const ready = await ask(server, QUESTION);
  await assert.rejects(ask(server, QUESTION));

  assert.deepEqual(reasoned.choices[0]?.message, {
    role: "assistant",
    content: null,
    reasoning_content: "{}",
  });
  assert.equal(ready.choices[0]?.message.content, "ready");
});
