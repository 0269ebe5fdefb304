import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Completion } from "../../../src/domain/completion.ts";
import { modelServer, type ModelServerOptions, type Reply } from "../../support/model-server.ts";
import { aRequest, modelAt } from "../../support/models.ts";

const NEVER = new AbortController().signal;

async function outcomeOf(
  reply: Reply,
  { timeoutMs = 5_000, server = {} }: { timeoutMs?: number; server?: ModelServerOptions } = {},
): Promise<{ readonly completion: Completion; readonly left: number; readonly asked: number }> {
  await using running = await modelServer({ kind: "vllm", answers: () => reply, ...server });
  await using model = modelAt(running.url, { timeoutMs });
  const completion = await model.complete(aRequest(), NEVER);
  // What is closed here is heard of there a little later.
  for (let at = 0; at < 200 && reply.endless !== undefined && running.left() === 0; at += 1) {
    await pause(5);
  }
  return { completion, left: running.left(), asked: running.asked.length };
}

function textIn(completion: Completion): string {
  assert.ok("text" in completion, JSON.stringify(completion));
  return completion.text;
}

const WHOLE = JSON.stringify({
  model: "m",
  choices: [
    { index: 0, message: { role: "assistant", content: "grüß dich 😀" }, finish_reason: "stop" },
  ],
});

test("JSON is read as JSON whatever its content type and charset say", async () => {
  for (const type of ["text/html", "text/plain; charset=iso-8859-1", "application/x-ndjson", ""]) {
    const { completion } = await outcomeOf({ body: WHOLE, headers: { "content-type": type } });

    assert.equal(textIn(completion), "grüß dich 😀");
  }
});

test("a byte order mark and keep-alive blanks around the answer are no part of it", async () => {
  const { completion } = await outcomeOf({ body: `\ufeff\n \n \r\n${WHOLE}\n\n` });

  assert.equal(textIn(completion), "grüß dich 😀");
});

test("bytes that are no UTF-8 spoil their character and nothing else", async () => {
  const [before = "", after = ""] = WHOLE.split("😀");
  const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)]);

  const { completion } = await outcomeOf({ body });

  assert.equal(textIn(completion), "grüß dich \ufffd\ufffd");
});

test("a stream that nobody asked for is put together, comments and junk passed over", async () => {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const usage = { prompt_tokens: 9, completion_tokens: 3 };
  const body = [
    ": OPENROUTER PROCESSING\n\n",
    "event: message\nid: 1\n",
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning_content: "so " }),
    "data: {broken\n\n",
    chunk({ content: "one " }),
    chunk({ content: "two" }, "stop"),
    `data: ${JSON.stringify({ choices: [], usage })}\r\n\r\n`,
    "data: [DONE]\n\n",
  ].join("");

  const { completion } = await outcomeOf({
    body,
    headers: { "content-type": "text/event-stream" },
  });

  assert.equal(completion.status, "complete");
  assert.equal(textIn(completion), "one two");
  assert.equal("reasoning" in completion && completion.reasoning, "so ");
  assert.deepEqual("usage" in completion && completion.usage, {
    prompt: 9,
    completion: 3,
    cached: 0,
  });
});

test("a stream that breaks off is a cut-off answer, never a complete one (B84)", async () => {
  const delta = { content: '{"reason": "half' };
  const body = `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;

  const { completion } = await outcomeOf({ body });

  assert.equal(completion.status, "cut-off");
});

const UNREADABLE: readonly (readonly [string, Reply, RegExp])[] = [
  ["a page of another program", { body: "<!doctype html><h1>Hello</h1>" }, /no.* JSON|is not JSON/],
  ["nothing at all", { body: "" }, /is not JSON/],
  ["half a JSON text", { body: WHOLE.slice(0, 40) }, /is not JSON/],
  ["JSON that is a list", { body: "[1, 2]" }, /no JSON object/],
  ["an object without choices", { body: '{"ok": true}' }, /without a choice/],
  ["no choice", { body: '{"choices": []}' }, /without a choice/],
  ["choices that are none", { body: '{"choices": "many"}' }, /without a choice/],
  ["a status without a body", { status: 204, body: "" }, /502/],
  [
    "a redirect",
    { status: 307, headers: { location: "http://127.0.0.1:9/" }, body: "" },
    /redirects to/,
  ],
  ["a socket that is cut at once", { drop: "before" }, /connection broke/],
  ["a socket that is cut in the middle", { drop: "midway", body: WHOLE }, /connection broke/],
];
for (const [what, reply, reason] of UNREADABLE) {
  test(`${what} says nothing of the request, and is asked for once (T12)`, async () => {
    const { completion, asked } = await outcomeOf(reply);

    assert.equal(completion.status, "unreachable");
    assert.match(completion.reason, reason);
    assert.equal(asked, 1);
  });
}

test("a choice of the wrong shape is an empty answer, not a crash", async () => {
  for (const choice of [
    {},
    { message: null },
    { message: { content: { deep: 1 } } },
    { message: [] },
  ]) {
    const { completion } = await outcomeOf({ body: JSON.stringify({ choices: [choice] }) });

    assert.equal(textIn(completion), "");
  }
});

test("usage of the wrong shape is none", async () => {
  for (const usage of [
    [],
    "many",
    { prompt_tokens: -1, completion_tokens: 2 },
    { prompt_tokens: "9" },
  ]) {
    const { completion } = await outcomeOf({
      body: JSON.stringify({ choices: [{ message: { content: "a" } }], usage }),
    });

    assert.equal("usage" in completion && completion.usage, null);
  }
});

test("a body of gigabytes is left after 16 MB, and its connection closed", async () => {
  const { completion, left } = await outcomeOf(
    { endless: " ".repeat(1024 * 1024) },
    { timeoutMs: 60_000 },
  );

  assert.equal(completion.status, "unreachable");
  assert.match(completion.reason, /more than 16777216 bytes/);
  assert.equal(left, 1);
});

test("a body that never ends is left at the configured time (B25)", async () => {
  const { completion, left } = await outcomeOf({ endless: " " }, { timeoutMs: 400 });

  assert.equal(completion.status, "unreachable");
  assert.match(completion.reason, /no answer within 400 ms/);
  assert.equal(left, 1);
});

test("headers of any size end the request, not the process", async () => {
  const { completion } = await outcomeOf({
    body: WHOLE,
    headers: { "x-junk": "j".repeat(100_000) },
  });

  assert.equal(completion.status, "unreachable");
});
