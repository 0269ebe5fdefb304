import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import {
  anExecution,
  answeringHost,
  deafHost,
  execute,
  outcomeOf,
  statusesOf,
} from "../../support/executions.ts";
import { socketOf } from "../../../src/adapters/docker/socket.ts";
import { engineProxy } from "../../support/engine-proxy.ts";
import { containersOf, engine, someContainers, withEngine } from "../../support/containers.ts";

const ADDING = "function skill(n) { return n + 1 }";

const LOOPING = anExecution("function skill() { for (;;); }", { limits: { timeoutMs: 60_000 } });

test("without an engine whoever waits is told at once, as often as they ask", async () => {
  await using containers = someContainers({ socket: "/nonexistent/docker.sock" });
  const startedAt = performance.now();

  for (const _ of [1, 2, 3]) {
    await assert.rejects(outcomeOf(containers.sandbox, ADDING), { code: "sandbox-unavailable" });
  }

  assert.deepEqual(await containers.state(), {
    status: "unavailable",
    reason: "there is no /nonexistent/docker.sock",
  });
  assert.ok(performance.now() - startedAt < 5_000);
});

await withEngine(() => {
  test("each execution has a container of its own, and none is left when it is over", async () => {
    const owner = `pool-${process.pid}-a`;
    await using containers = someContainers({ owner, warm: 1 });
    const planting = `
      globalThis.planted = 1; Array.prototype.planted = 1;
      function skill() { return [typeof planted, [].planted ?? null] }`;
    await outcomeOf(containers.sandbox, planting);
    const [first = ""] = await containersOf(owner);

    const outcome = await outcomeOf(
      containers.sandbox,
      "function skill() { return typeof planted }",
    );
    await until(async () => !(await containersOf(owner)).includes(first));
    await containers[Symbol.asyncDispose]();

    assert.deepEqual(outcome, { status: "returned", value: "undefined" });
    assert.deepEqual(await containersOf(owner), []);
  });

  test("a container that somebody removes in mid-run: no verdict, no effect twice, and the next run works", async () => {
    const owner = `pool-${process.pid}-b`;
    await using containers = someContainers({ owner, warm: 0 });
    const host = answeringHost(() => "answer");
    let removed = 0;
    const removing = {
      next: async (...args: Parameters<typeof host.next>) => {
        const answer = await host.next(...args);
        if (removed++ === 0) await removeAll(owner);
        return answer;
      },
    };
    const text = "async function skill(ctx) { await ctx.kv.set('k', 1); return 'ended' }";

    const outcome = await outcomeOf(containers.sandbox, text, {
      host: removing,
      limits: { timeoutMs: 20_000 },
    }).catch(({ code }: { code: string }) => code);

    // The engine no longer says how it ended: that is no verdict on the program.
    assert.equal(outcome, "sandbox-unavailable");
    assert.deepEqual(
      host.seen.map(({ kind }) => kind),
      ["kv.set"],
    );
    const next = await outcomeOf(containers.sandbox, ADDING, { args: [1] });
    assert.deepEqual(next, { status: "returned", value: 2 });
  });

  test("a container that is killed in mid-run has the run repeated once, in another", async () => {
    const owner = `pool-${process.pid}-c`;
    await using containers = someContainers({ owner, warm: 0 });
    const host = answeringHost(() => "answer");
    let killed = 0;
    const killing = {
      next: async (...args: Parameters<typeof host.next>) => {
        if (killed++ === 0) await killAll(owner);
        return await host.next(...args);
      },
    };
    const text = "async function skill(ctx) { await ctx.kv.set('k', 1); return 'ended' }";

    const outcome = await outcomeOf(containers.sandbox, text, {
      host: killing,
      limits: { timeoutMs: 20_000 },
    });

    assert.deepEqual(outcome, { status: "returned", value: "ended" });
  });

  test("work that breaks in every place leaves the pool as large as it was (B30)", async () => {
    await using containers = someContainers({ owner: `pool-${process.pid}-d`, warm: 1, most: 2 });
    const breaking = [
      anExecution("function skill() { throw new Error('e') }"),
      anExecution("function skill( {"),
      anExecution("async function skill(ctx) { await ctx.kv.get('k') }", {
        host: { next: () => Promise.reject(new Error("the host broke")) },
      }),
      anExecution("async function skill(ctx) { await ctx.kv.get('k') }", {
        host: deafHost(),
        limits: { timeoutMs: 100 },
      }),
      anExecution(ADDING, { program: { entry: "no identifier" } }),
    ];
    for (const round of [...breaking, ...breaking]) {
      await execute(containers.sandbox, round).catch(() => undefined);
    }

    const all = await Promise.all(
      [1, 2, 3, 4].map((n) => outcomeOf(containers.sandbox, ADDING, { args: [n] })),
    );

    assert.deepEqual(
      all.map((outcome) => "value" in outcome && outcome.value),
      [2, 3, 4, 5],
    );
  });

  test("a program that needs more memory than usual has a container with more", async () => {
    await using containers = someContainers({ owner: `pool-${process.pid}-e`, warm: 1, most: 1 });
    const text =
      "function skill(n) { const all = []; for (let i = 0; i < n; i++) all.push(new Array(131072).fill(i)); return all.length }";

    const small = await outcomeOf(containers.sandbox, text, {
      args: [250],
      limits: { timeoutMs: 20_000 },
    });
    const large = await outcomeOf(containers.sandbox, text, {
      args: [250],
      limits: { timeoutMs: 20_000, memoryMb: 400 },
    });

    assert.deepEqual(small, { status: "out-of-memory" });
    assert.deepEqual(large, { status: "returned", value: 250 });
  });

  test("what is going on when it closes is refused, and its containers are gone in ten seconds (B31)", async () => {
    const owner = `pool-${process.pid}-f`;
    const containers = someContainers({ owner, warm: 2, most: 3 });
    const running = [1, 2, 3, 4, 5].map(() =>
      execute(containers.sandbox, LOOPING).then(statusesOf, ({ code }: { code: string }) => code),
    );
    await until(async () => (await containersOf(owner)).length === 3);
    const startedAt = performance.now();

    await containers[Symbol.asyncDispose]();

    assert.ok(performance.now() - startedAt < 10_000);
    assert.deepEqual(await containersOf(owner), []);
    assert.equal((await Promise.all(running)).length, 5);
  });

  test("closing waits no longer than ten seconds for an engine that holds what is being started", async () => {
    const owner = `pool-${process.pid}-k`;
    await using proxy = await engineProxy(await socketOf({ socket: "", env: process.env }));
    const containers = someContainers({ socket: proxy.socket, owner, warm: 2 });
    await containers.image();
    let made = 0;
    proxy.fate = (call) => (call === "POST /containers/create" && ++made > 1 ? "hangs" : "passes");
    const outcome = await outcomeOf(containers.sandbox, ADDING, { args: [1] });
    const startedAt = performance.now();

    await containers[Symbol.asyncDispose]();

    assert.ok(performance.now() - startedAt < 12_000);
    assert.deepEqual(outcome, { status: "returned", value: 2 });
    assert.deepEqual(await containersOf(owner), []);
  });

  test("containers of a process that was killed end with it, and the next start removes them (B31)", async () => {
    const owner = `pool-${process.pid}-g`;
    const file = path.join(import.meta.dirname, "../../support/containers-process.ts");
    const child = spawn(process.execPath, [file, owner], { stdio: ["ignore", "pipe", "inherit"] });
    const [ready] = (await once(createInterface(child.stdout), "line")) as [string];
    assert.equal(ready, "ready");
    const before = await containersOf(owner);
    child.kill("SIGKILL");
    await until(async () => (await runningOf(owner)).length === 0);

    const note = { note: () => "left by another", setNote: () => undefined };
    await using next = someContainers({ owner, notes: note });
    await next.recover();

    assert.ok(before.length > 0);
    assert.deepEqual(await containersOf(owner), []);
  });

  test("text with the line ends of Windows runs as it does in an isolate (B29)", async () => {
    await using containers = someContainers({ owner: `pool-${process.pid}-h`, warm: 0 });
    const text =
      "function skill(n) {\r\n  const text = `a\r\nb`;\r\n  return [n, text.length];\r\n}\r\n";

    const outcome = await outcomeOf(containers.sandbox, text, { args: ["x\r\n"] });

    assert.deepEqual(outcome, { status: "returned", value: ["x\r\n", 3] });
  });

  test("an image of one's own is used by its digest, and one that is not there is named", async () => {
    await using made = someContainers();
    const id = await made.image();
    await using own = someContainers({ image: id, owner: `pool-${process.pid}-j`, warm: 0 });
    await using absent = someContainers({ image: "no-such-image:1" });

    const outcome = await outcomeOf(own.sandbox, ADDING, { args: [1] });

    assert.deepEqual(outcome, { status: "returned", value: 2 });
    assert.equal(await own.image(), id);
    await assert.rejects(outcomeOf(absent.sandbox, ADDING), {
      code: "sandbox-unavailable",
      message: "the engine has no image no-such-image:1",
    });
  });

  test("what leaks into a context makes no code, and reaches no process", async () => {
    await using containers = someContainers({ owner: `pool-${process.pid}-i` });
    const ways = [
      "return import('node:fs').constructor.constructor('return process')()",
      "return await import('node:fs').catch((error) => error.constructor.constructor('return process')().pid)",
      "return this.constructor.constructor('return process')().pid",
      "return (function () { return this })().process.pid",
      "const grown = () => { try { grown() } catch (error) { return error.constructor.constructor('return process')().pid } }; return grown()",
    ];
    for (const way of ways) {
      const outcome = await outcomeOf(containers.sandbox, `async function skill() { ${way} }`);

      assert.notEqual(outcome.status, "returned", `${way}: ${JSON.stringify(outcome)}`);
    }
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > endsAt) throw new Error("it did not come");
    await pause(50);
  }
}

async function runningOf(owner: string): Promise<readonly string[]> {
  const filters = JSON.stringify({ label: [`hone.owner=${owner}`], status: ["running"] });
  const found = await engine.call("list", 10_000, (docker) => docker.listContainers({ filters }));
  return found.map(({ Id }) => Id);
}

async function killAll(owner: string): Promise<void> {
  for (const id of await runningOf(owner)) {
    await engine.call("kill", 10_000, (docker) =>
      docker.getContainer(id).kill({ signal: "SIGKILL" }),
    );
  }
}

async function removeAll(owner: string): Promise<void> {
  for (const id of await containersOf(owner)) {
    await engine.call("remove", 10_000, (docker) =>
      docker.getContainer(id).remove({ force: true }),
    );
  }
}
