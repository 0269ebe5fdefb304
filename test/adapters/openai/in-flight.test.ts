import assert from "node:assert/strict";
import { test } from "node:test";
import { createInFlight } from "../../../src/adapters/openai/in-flight.ts";
import { failure, modelServer } from "../../support/model-server.ts";
import { aRequest, modelAt } from "../../support/models.ts";

const NEVER = new AbortController().signal;

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  await new Promise((resolve) => setImmediate(resolve));
  return await Promise.race([promise.then(() => true), Promise.resolve(false)]);
}

test("no more requests are in flight than an endpoint takes, and the next goes when one comes back", async () => {
  const inFlight = createInFlight(
    () => 2,
    () => 0,
  );
  const one = await inFlight.enter(NEVER);
  await inFlight.enter(NEVER);

  const third = inFlight.enter(NEVER);
  const isWaiting = !(await isSettled(third));
  one?.[Symbol.dispose]();
  one?.[Symbol.dispose]();

  assert.ok(isWaiting);
  assert.ok(await third);
  assert.ok(!(await isSettled(inFlight.enter(NEVER))), "a place given back twice is one place");
});

test("whoever leaves the queue takes no place in it", async () => {
  const inFlight = createInFlight(
    () => 1,
    () => 0,
  );
  const one = await inFlight.enter(NEVER);
  const leaving = new AbortController();
  const left = inFlight.enter(leaving.signal);
  const stays = inFlight.enter(NEVER);

  leaving.abort(new Error("spent"));
  await assert.rejects(left, /spent/);
  one?.[Symbol.dispose]();

  assert.ok(await stays);
});

test("a refusal for overload halves what is in flight, and answers bring it back (AIMD)", () => {
  let time = 0;
  const inFlight = createInFlight(
    () => 16,
    () => time,
  );

  inFlight.tooMuch(1_000);
  inFlight.tooMuch(1_000);
  const once = inFlight.limit();
  time = 2_000;
  inFlight.tooMuch(1_000);
  const twice = inFlight.limit();
  for (let at = 0; at < 5; at += 1) inFlight.went();
  const up = inFlight.limit();
  for (let at = 0; at < 300; at += 1) inFlight.went();

  assert.deepEqual([once, twice, up, inFlight.limit()], [8, 4, 5, 16]);
});

test("a short pause is waited for, a long one is answered", async () => {
  let time = 0;
  const inFlight = createInFlight(
    () => 4,
    () => time,
  );
  inFlight.tooMuch(30_000);

  assert.equal(await inFlight.enter(NEVER), null);
  assert.equal(inFlight.pausedMs(), 30_000);
  time = 29_990;
  assert.notEqual(await inFlight.enter(NEVER), null);
});

test("nobody makes hone pause for days", () => {
  const inFlight = createInFlight(
    () => 4,
    () => 0,
  );

  inFlight.tooMuch(1e12);

  assert.equal(inFlight.pausedMs(), 600_000);
});

test("a server that takes two at a time is sent fewer after its refusals, each request once", async () => {
  let [inside, most] = [0, 0];
  await using server = await modelServer({
    kind: "vllm",
    answers: async () => {
      inside += 1;
      most = Math.max(most, inside);
      try {
        if (inside > 2) return { ...failure(429, "busy"), headers: { "retry-after": "0" } };
        await new Promise((resolve) => setTimeout(resolve, 20));
        return "an answer";
      } finally {
        inside -= 1;
      }
    },
  });
  await using model = modelAt(server.url);
  await model.card(NEVER);

  const group = async (): Promise<readonly string[]> =>
    await Promise.all(
      Array.from({ length: 16 }, async (_, seed) => {
        return (await model.complete(aRequest({ seed }), NEVER)).status;
      }),
    );
  const first = await group();
  for (let at = 0; at < 4; at += 1) await group();
  most = 0;
  const last = await group();

  assert.ok(first.filter((status) => status === "complete").length < 16);
  assert.ok(last.filter((status) => status === "complete").length > 8, last.join());
  assert.ok(most <= 5, `${most} at a time`);
  assert.equal(server.asked.length, 16 * 6);
});
