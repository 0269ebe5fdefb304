import assert from "node:assert/strict";
import { test } from "node:test";
import { GuestPool } from "../../../src/adapters/isolate/guest-pool.ts";
import { guestText } from "../../../sandbox/isolate/guest-text.ts";

const never = new AbortController().signal;
const settings = { warm: 1, most: 1, jitless: true, text: guestText() };

test("serves those who wait in the order in which they came", async () => {
  await using pool = new GuestPool(settings);
  const order: number[] = [];
  const wait = async (number: number): Promise<void> => {
    const guest = await pool.take(never);
    order.push(number);
    pool.give(guest, false);
  };

  await Promise.all([1, 2, 3, 4].map(wait));

  assert.deepEqual(order, [1, 2, 3, 4]);
});

test("replaces a guest that is given back spent", async () => {
  await using pool = new GuestPool(settings);
  const first = await pool.take(never);
  pool.give(first, true);

  const second = await pool.take(never);

  assert.notEqual(second, first);
  assert.equal((await first.closed).killedFor, "retired");
  pool.give(second, false);
});

test("one who is no longer interested leaves the queue", async () => {
  await using pool = new GuestPool(settings);
  const guest = await pool.take(never);
  const controller = new AbortController();
  const impatient = pool.take(controller.signal);
  const patient = pool.take(never);

  controller.abort(new Error("gone"));
  pool.give(guest, false);

  await assert.rejects(impatient, /gone/);
  pool.give(await patient, false);
});

test("says why no guest can be started, and tries again for the next", async () => {
  await using pool = new GuestPool({
    ...settings,
    text: "process.stderr.write('no module\\n'); process.exitCode = 3;",
  });
  const unavailable = { code: "sandbox-unavailable", message: /no module/ };

  await assert.rejects(pool.take(never), unavailable);
  await assert.rejects(pool.take(never), unavailable);
});

test("a guest that does not keep to the protocol is ended", async () => {
  const frame = (text: string): string =>
    `frame = Buffer.alloc(4 + ${String(text.length)}); frame.writeUInt32LE(${String(text.length)});
     frame.write(${JSON.stringify(text)}, 4); fs.writeSync(3, frame);`;
  const text = `const fs = require("node:fs"); let frame; ${frame('{"kind":"ready"}')}
    ${frame('{"kind":"ended","outcome":{"status":"passed"}}')} setInterval(() => {}, 1000);`;
  await using pool = new GuestPool({ ...settings, text });

  const guest = await pool.take(never);

  assert.equal((await guest.closed).killedFor, "protocol");
  pool.give(guest, true);
});
