import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { jsonValue, sample } from "../../support/property.ts";
import { createIsolateSandbox } from "../../../src/adapters/isolate/isolate-sandbox.ts";
import { canonical } from "../../../src/domain/json.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";
import { sandboxContract } from "../../contracts/sandbox.contract.ts";
import { hostileContract } from "../../contracts/sandbox-hostile.contract.ts";
import { childrenOf } from "../../support/child-processes.ts";
import {
  aCall,
  anExecution,
  answeringHost,
  execute,
  outcomeOf,
  statusesOf,
} from "../../support/executions.ts";

const make = (): Sandbox => createIsolateSandbox({ warm: 2, most: 3 });

sandboxContract("isolate", make);
hostileContract("isolate", make);

test("no process is left once disposed, whatever was going on", async () => {
  const before = childrenOf(process.pid);
  const sandbox = make();
  const looping = anExecution("function skill() { for (;;); }", { limits: { timeoutMs: 30_000 } });
  const running = [1, 2, 3, 4].map(() => execute(sandbox, looping).catch(() => "refused"));
  await sleep(300);

  await sandbox[Symbol.asyncDispose]();

  assert.deepEqual(await Promise.all(running), Array(4).fill("refused"));
  assert.deepEqual(childrenOf(process.pid), before);
});

test("a guest that dies by a signal is replaced and its call repeated (B47)", async () => {
  await using sandbox = createIsolateSandbox({ warm: 1, most: 1 });
  await outcomeOf(sandbox, "function skill() {}");
  const guests = childrenOf(process.pid);
  const running = outcomeOf(
    sandbox,
    "function skill() { for (let i = 0; i < 1e7; i++); return 'ended' }",
    { limits: { timeoutMs: 20_000 } },
  );
  await sleep(50);

  for (const guest of guests) process.kill(guest, "SIGSEGV");

  assert.deepEqual(await running, { status: "returned", value: "ended" });
});

test("a guest that dies twice in the same call has crashed (B47)", async () => {
  await using sandbox = createIsolateSandbox({ warm: 1, most: 1 });
  const host = answeringHost(() => null);
  const deadly = {
    next: async (...args: Parameters<typeof host.next>) => {
      for (const guest of childrenOf(process.pid)) process.kill(guest, "SIGSEGV");
      await sleep(1_000);
      return host.next(...args);
    },
  };

  const outcome = await outcomeOf(sandbox, "async function skill(ctx) { await ctx.kv.get('k') }", {
    host: deadly,
  });

  assert.deepEqual(outcome, {
    status: "crashed",
    reason: "the guest process ended by SIGSEGV",
  });
});

test("a call that was only held up is not called timed out", async () => {
  await using sandbox = createIsolateSandbox({ warm: 1, most: 1 });
  await outcomeOf(sandbox, "function skill() {}");
  const guests = childrenOf(process.pid);
  const running = outcomeOf(
    sandbox,
    "function skill() { for (let i = 0; i < 1e7; i++); return 'ended' }",
    { limits: { timeoutMs: 3_000 } },
  );
  await sleep(50);

  for (const guest of guests) process.kill(guest, "SIGSTOP");

  assert.deepEqual(await running, { status: "returned", value: "ended" });
});

test("guests that die while idle are replaced", async () => {
  await using sandbox = make();
  await outcomeOf(sandbox, "function skill() {}");
  for (const guest of childrenOf(process.pid)) process.kill(guest, "SIGKILL");

  const results = await Promise.all(
    Array.from({ length: 6 }, () => execute(sandbox, anExecution("function skill() {}"))),
  );

  assert.deepEqual(results.flatMap(statusesOf), Array(6).fill("returned"));
});

test("carries any JSON value there and back", async () => {
  await using sandbox = make();
  const values = sample(jsonValue(), 300).filter(
    (value) => !/"(__proto__|constructor|prototype)"/.test(JSON.stringify(value)),
  );

  const results = await execute(
    sandbox,
    anExecution("function skill(value) { return {value} }", {
      calls: values.map((value) => aCall({ args: [value] })),
    }),
  );

  assert.deepEqual(
    results.map(({ trace: { outcome } }) => "value" in outcome && canonical(outcome.value)),
    values.map((value) => canonical({ value: value })),
  );
});

test("a compiler may be had instead of the missing executable memory", async () => {
  await using sandbox = createIsolateSandbox({ warm: 1, most: 1, jitless: false });

  assert.deepEqual(await outcomeOf(sandbox, "function skill() { return 1 }"), {
    status: "returned",
    value: 1,
  });
});
