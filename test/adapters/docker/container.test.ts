import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { removeContainer } from "../../../src/adapters/docker/container.ts";
import { containersOf, engine, withEngine } from "../../support/containers.ts";
import { honesImage, type Ran, runScript, startScript } from "../../support/run-container.ts";

const OWNER = `test-${process.pid}`;

await withEngine(() => {
  test("of a hundred short containers every exit code and all that they said is told (B51)", async () => {
    const image = await honesImage();
    const numbers = Array.from({ length: 100 }, (_, number) => number);
    const script = (number: number): string =>
      `process.stdout.write("line ".repeat(2000) + ${number}); process.stderr.write("e${number}"); process.exitCode = ${number % 7};`;
    const ran: Ran[] = [];
    const next = async (): Promise<void> => {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
        ran[number] = await runScript(image, script(number));
      }
    };

    await Promise.all(Array.from({ length: 6 }, next));

    assert.equal(ran.length, 100);
    for (const [number, { end, stdout, stderr }] of ran.entries()) {
      assert.deepEqual([end.code, end.isOutOfMemory], [number % 7, false]);
      assert.equal(stdout, "line ".repeat(2000) + number);
      assert.equal(stderr, `e${number}`);
    }
    assert.deepEqual(await containersOf(OWNER), []);
  });

  test("a flood of output ends its container", async () => {
    const image = await honesImage();
    const flood =
      "const line = Buffer.alloc(1 << 20, 'x'); for (;;) require('node:fs').writeSync(1, line);";

    const ending = startScript(image, flood);

    const container = await ending;
    await assert.rejects(container.ended, { code: "sandbox-unavailable" });
    await container.remove();
    assert.deepEqual(await containersOf(OWNER), []);
  });

  test("a program that takes no notice of signals is removed by force, and its children with it (B54)", async () => {
    const image = await honesImage();
    const script = `
      process.on("SIGTERM", () => {});
      require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" }).unref();
      for (;;);`;
    const container = await startScript(image, script);
    await pause(500);
    const startedAt = performance.now();

    await container.remove();

    assert.ok(performance.now() - startedAt < 10_000);
    assert.deepEqual(await containersOf(OWNER), []);
  });

  test("what is not there is removed", async () => {
    await removeContainer(engine, "0".repeat(64));
  });
});
