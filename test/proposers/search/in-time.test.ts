import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { test } from "node:test";
import { inTime, untilLate } from "../../../src/proposers/search/in-time.ts";

const never = (signal: AbortSignal): Promise<string> => wait(60_000, "late", { signal });

test("work that ends in time gives what it gives; what takes longer is given up", async (t) => {
  const may = { leftMs: 20, otherwise: "given up" };

  assert.equal(await inTime(async () => "done", { ...may, leftMs: 60_000 }, t.signal), "done");
  assert.equal(await inTime(never, may, t.signal), "given up");
});

test("a fault of the work is not taken for lateness, nor is an abort", async () => {
  const aborted = AbortSignal.abort(new Error("stopped"));
  const may = { leftMs: 60_000, otherwise: "given up" };

  await assert.rejects(
    inTime(() => Promise.reject(new Error("broken")), may, AbortSignal.any([])),
    {
      message: "broken",
    },
  );
  await assert.rejects(inTime(never, may, aborted), { name: "AbortError" });
});

test("a generator ends when its time is over, in the middle of what it does", async (t) => {
  const yielded: string[] = [];
  const source = async function* (signal: AbortSignal): AsyncGenerator<string> {
    yield "first";
    yield await never(signal);
  };

  for await (const one of untilLate(source, 20, t.signal)) yielded.push(one);

  assert.deepEqual(yielded, ["first"]);
});
