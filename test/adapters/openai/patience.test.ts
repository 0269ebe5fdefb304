import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Agent, fetch } from "undici";
import { fakeTimers, turns } from "../../support/fake-timers.ts";
import { modelServer, type Reply } from "../../support/model-server.ts";
import { aRequest, modelAt } from "../../support/models.ts";

const NEVER = new AbortController().signal;

// For the whole file, and before the first request; the server has no timers of this kind.
const clock = fakeTimers();
after(() => clock[Symbol.dispose]());

/** What comes of a completion whose answer takes its time, with `timeoutMs` to take. */
async function afterSeconds({
  seconds,
  timeoutMs,
  late = {},
}: {
  seconds: number;
  timeoutMs: number;
  late?: Reply;
}): Promise<{ status: string; reason: string; asked: number; left: number }> {
  const held = Promise.withResolvers<void>();
  await using server = await modelServer({
    answers: () => ({ text: "late", until: held.promise, ...late }),
  });
  await using model = modelAt(server.url, { timeoutMs });
  await model.card(NEVER);
  const completion = model.complete(aRequest(), NEVER);
  while (server.asked.length === 0) await turns();
  await clock.pass(seconds * 1_000);
  held.resolve();
  const { status, reason } = await completion;
  await turns(20);
  return { status, reason, asked: server.asked.length, left: server.left() };
}

test("undici by itself gives up at 300 s: what this test measures is there to be lifted", async () => {
  const held = Promise.withResolvers<void>();
  await using server = await modelServer({ answers: () => ({ until: held.promise }) });
  const agent = new Agent();

  const body = JSON.stringify({ messages: [] });
  const url = `${server.url}/chat/completions`;
  const asked = fetch(url, { method: "POST", body, dispatcher: agent });
  const ended = assert.rejects(asked, ({ cause }: { cause: { code: string } }) => {
    return cause.code === "UND_ERR_HEADERS_TIMEOUT";
  });
  while (server.asked.length === 0) await turns();
  await clock.pass(310_000);

  await ended;
  held.resolve();
  await agent.destroy();
});

test("an answer that takes 400 s is waited for, where 900 s are allowed (B88, T13)", async () => {
  const { status, asked } = await afterSeconds({ seconds: 400, timeoutMs: 900_000 });

  assert.equal(status, "complete");
  assert.equal(asked, 1);
});

test("an answer that takes 700 s is waited for: no limit but the configured one (B89)", async () => {
  const { status, asked } = await afterSeconds({ seconds: 700, timeoutMs: 900_000 });

  assert.equal(status, "complete");
  assert.equal(asked, 1);
});

test("the configured limit is kept to the second, and the connection closed with it (B89)", async () => {
  const { status, reason, left } = await afterSeconds({ seconds: 121, timeoutMs: 120_000 });

  assert.equal(status, "unreachable");
  assert.match(reason, /no answer within 120000 ms; model.timeoutMs sets the limit/);
  assert.equal(left, 1);
});

test("a body that pauses for 400 s after its head is waited for, too (B88)", async () => {
  const held = Promise.withResolvers<void>();
  await using server = await modelServer({
    answers: () => ({ text: "two halves of an answer", pauseMidway: held.promise }),
  });
  await using model = modelAt(server.url, { timeoutMs: 900_000 });
  await model.card(NEVER);

  const completion = model.complete(aRequest(), NEVER);
  while (server.asked.length === 0) await turns();
  await turns(20);
  await clock.pass(400_000);
  held.resolve();

  assert.equal((await completion).status, "complete");
});
