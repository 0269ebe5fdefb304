import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { inBackground } from "../../../src/daemon/live/background.ts";
import { HoneError } from "../../../src/domain/errors.ts";

const signal = new AbortController().signal;

test("nothing is begun while live work is under way, and all of it after", async () => {
  let isBusy = true;
  const done: number[] = [];
  await using background = inBackground({ most: 8, load: 1, isBusy: () => isBusy, signal });
  for (let at = 0; at < 3; at += 1) background.add(async () => void done.push(at));

  await pause(100);
  assert.deepEqual(done, []);
  isBusy = false;

  await until(() => done.length === 3);
  assert.deepEqual(done, [0, 1, 2]);
});

test("where too many jobs wait the oldest are let go", async () => {
  const done: number[] = [];
  await using background = inBackground({ most: 2, load: 1, isBusy: () => false, signal });
  for (let at = 0; at < 5; at += 1) background.add(async () => void done.push(at));

  await until(() => done.length === 2);

  assert.deepEqual(done, [3, 4]);
});

test("jobs are one at a time, and pause for as long as their part of the time asks", async () => {
  const times: { readonly from: number; readonly to: number }[] = [];
  await using background = inBackground({ most: 8, load: 0.25, isBusy: () => false, signal });
  for (let at = 0; at < 3; at += 1) {
    background.add(async () => {
      const from = performance.now();
      await pause(40);
      times.push({ from, to: performance.now() });
    });
  }

  await until(() => times.length === 3);

  const pauses = times.slice(1).map(({ from }, at) => from - (times[at]?.to ?? 0));
  assert.ok(pauses.every((ms) => ms >= 3 * 40 - 5));
});

test("a job that the world fails is let go, and the next one is done", async () => {
  let isDone = false;
  await using background = inBackground({ most: 8, load: 1, isBusy: () => false, signal });
  background.add(async () => {
    throw new HoneError("store-failed", "the disk is full");
  });
  background.add(async () => void (isDone = true));

  await until(() => isDone);
});

test("what waits is forgotten at the end, and what is under way is waited for", async () => {
  const done: string[] = [];
  const background = inBackground({ most: 8, load: 1, isBusy: () => false, signal });
  let isBegun = false;
  background.add(async () => {
    isBegun = true;
    await pause(50);
    done.push("first");
  });
  background.add(async () => void done.push("second"));
  await until(() => isBegun);

  await background[Symbol.asyncDispose]();
  await pause(60);

  assert.deepEqual(done, ["first"]);
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}
