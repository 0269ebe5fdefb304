import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createEditor } from "../../../src/adapters/morph/process-editor.ts";
import { HoneError } from "../../../src/domain/errors.ts";
import { editorContract } from "../../contracts/editor.contract.ts";
import { aSource, ts } from "../../support/sources.ts";

editorContract("process", () => createEditor());

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilDead(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

test("starts no process before the first request", async () => {
  await using editor = createEditor();

  assert.equal(editor.pid, undefined);
});

test("rejects the request that a process was lost with, and answers the next", async (t) => {
  await using editor = createEditor();
  await editor.inspect(aSource(), t.signal);
  const pid = editor.pid;
  assert.ok(pid !== undefined);

  const lost = editor.newTypeErrors(aSource(), aSource("\r\n"), t.signal);
  const behind = editor.inspect(aSource(), t.signal);
  process.kill(pid, "SIGKILL");

  await assert.rejects(
    lost,
    (error) => error instanceof HoneError && error.code === "editor-failed",
  );
  assert.equal((await behind).status, "sound");
  assert.notEqual(editor.pid, pid);
});

test("ends a request at its deadline, by killing the process", async (t) => {
  await using editor = createEditor({ deadlineMs: 1 });

  const late = editor.inspect(aSource(), t.signal);

  await assert.rejects(late, /no answer in 1 ms/);
});

test("rejects an aborted request at once, and goes on", async () => {
  await using editor = createEditor();
  const controller = new AbortController();

  const asked = editor.inspect(aSource(), controller.signal);
  controller.abort(new Error("enough"));

  await assert.rejects(asked, /enough/);
  assert.equal((await editor.inspect(aSource(), AbortSignal.timeout(60_000))).status, "sound");
});

test("replaces a process above its memory limit, and leaves none behind", async (t) => {
  const editor = createEditor({ memoryMb: 100 });
  const pids: number[] = [];

  for (let round = 0; round < 3; round += 1) {
    const asked = editor.inspect(aSource(), t.signal);
    pids.push(editor.pid ?? 0);
    assert.equal((await asked).status, "sound");
  }
  await editor[Symbol.asyncDispose]();

  assert.equal(new Set(pids).size, 3);
  for (const pid of pids) await untilDead(pid);
});

test("ends a process that has nothing to do, and starts another for the next request", async (t) => {
  await using editor = createEditor({ idleMs: 20 });
  await editor.inspect(aSource(), t.signal);
  const pid = editor.pid ?? 0;

  await untilDead(pid);

  assert.equal((await editor.inspect(aSource(), t.signal)).status, "sound");
});

test("an idle editor does not keep its owner alive, and dies with it", async (t) => {
  const script = `
    const { createEditor } = await import(${JSON.stringify(new URL("../../../src/adapters/morph/process-editor.ts", import.meta.url).href)});
    const editor = createEditor();
    await editor.inspect({ text: "export function f(a: number) { return a; }", language: "ts", entry: null }, new AbortController().signal);
    console.log(editor.pid);`;

  const owner = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
    signal: t.signal,
  });
  let printed = "";
  owner.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const [code] = (await once(owner, "close")) as [number];

  assert.equal(code, 0);
  await untilDead(Number(printed));
});

test("200 patches leave the process under its memory limit", async (t) => {
  await using editor = createEditor();
  const source = aSource("\r\n");
  await editor.inspect(source, t.signal);
  const pid = editor.pid ?? 0;

  for (let round = 0; round < 200; round += 1) {
    const code = `return Number(text.replaceAll(",", "")) + ${round};`;
    const edited = await editor.apply(source, [{ op: "body", target: "toNumber", code }], t.signal);
    assert.ok(edited.status === "edited");
    assert.deepEqual(await editor.newTypeErrors(source, ts(edited.text), t.signal), []);
  }

  const residentKb = Number(
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1],
  );
  assert.equal(editor.pid, pid);
  assert.ok(residentKb < 640 * 1024, `${residentKb} kB`);
});
