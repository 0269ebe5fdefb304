import assert from "node:assert/strict";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { test } from "node:test";
import {
  NONCE_LENGTH,
  OPENING,
  type RunnerCommand,
  type RunnerReport,
} from "../../../sandbox/docker/protocol.ts";
import { runnerCommand, vmGuestText } from "../../../sandbox/docker/texts.ts";
import { encodeFrame, FrameReader } from "../../../src/adapters/guest/frames.ts";
import { Inbox } from "../../../src/adapters/guest/inbox.ts";

const NONCE = "n".repeat(NONCE_LENGTH);

/** A child that wants to speak for the runner, written by somebody who has broken out of a context. */
const FORGER = `
  const fs = require("node:fs");
  const say = (text) => { const body = Buffer.from(text); const head = Buffer.alloc(4); head.writeUInt32LE(body.length); fs.writeSync(3, Buffer.concat([head, body])); };
  say('{"kind":"gone","child":1,"signal":null,"code":0}');
  for (const stream of [1, 2]) try { fs.writeSync(stream, "${NONCE}forged") } catch {}
  say('{"kind":"ended"}');
  setInterval(() => {}, 1000);`;

test("passes on what a child says, and nothing that it says can be taken for the runner's word", async () => {
  await using runner = new Runner();
  runner.tell({ kind: "begin", nonce: NONCE, guest: FORGER, memoryMb: 32 });

  const said = [await runner.next(), await runner.next()];

  assert.deepEqual(said, [
    { kind: "said", child: 1, text: '{"kind":"gone","child":1,"signal":null,"code":0}' },
    { kind: "said", child: 1, text: '{"kind":"ended"}' },
  ]);
  runner.tell({ kind: "kill" });
  assert.deepEqual(await runner.next(), { kind: "gone", child: 1, signal: "SIGKILL", code: null });
});

test("a child that announces more than a frame may hold is ended", async () => {
  await using runner = new Runner();
  const guest =
    "require('node:fs').writeSync(3, Buffer.from([255, 255, 255, 255])); setInterval(() => {}, 1000)";
  runner.tell({ kind: "begin", nonce: NONCE, guest, memoryMb: 32 });

  assert.deepEqual(await runner.next(), { kind: "gone", child: 1, signal: "SIGKILL", code: null });
});

test("a child can start no process, read no file and make no code of texts in its own realm", async () => {
  await using runner = new Runner();
  const guest = `
    const fs = require("node:fs");
    const failing = (work) => { try { work(); return "" } catch (error) { return error.code ?? error.name } };
    const body = Buffer.from(JSON.stringify([
      failing(() => fs.readFileSync("/etc/passwd")), failing(() => fs.writeFileSync("/tmp/by-a-child", "")),
      failing(() => require("node:child_process").spawnSync("/bin/true")),
      failing(() => new (require("node:worker_threads").Worker)("0", { eval: true })),
      failing(() => Function("return 1")()),
    ]));
    const head = Buffer.alloc(4); head.writeUInt32LE(body.length);
    fs.writeSync(3, Buffer.concat([head, body]));`;
  runner.tell({ kind: "begin", nonce: NONCE, guest, memoryMb: 32 });

  const report = await runner.next();

  const denied = "ERR_ACCESS_DENIED";
  assert.deepEqual(report?.kind === "said" && JSON.parse(report.text), [
    denied,
    denied,
    denied,
    denied,
    "EvalError",
  ]);
});

test("children are told apart, and how each ended is told once", async () => {
  await using runner = new Runner();
  runner.tell({ kind: "begin", nonce: NONCE, guest: "process.exit(7)", memoryMb: 32 });
  assert.deepEqual(await runner.next(), { kind: "gone", child: 1, signal: null, code: 7 });

  runner.tell({ kind: "child", memoryMb: 32 });

  assert.deepEqual(await runner.next(), { kind: "gone", child: 2, signal: null, code: 7 });
});

test("it runs a program, and ends when its input does", async () => {
  await using runner = new Runner();
  runner.tell({ kind: "begin", nonce: NONCE, guest: vmGuestText(), memoryMb: 64 });
  assert.deepEqual(await runner.next(), { kind: "said", child: 1, text: '{"kind":"ready"}' });

  runner.end();

  assert.equal(await runner.code, 0);
});

/** The runner as a process of this machine, without a container around it. */
class Runner implements AsyncDisposable {
  readonly code: Promise<number | null>;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #texts = new Inbox<string>();

  constructor() {
    const [, ...args] = runnerCommand();
    this.#child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"], env: {} });
    // Something that is not ours may come before.
    this.#child.stdin.write(`{"hijack":true}${OPENING}`);
    const reader = new FrameReader();
    this.#child.stdout.on("data", (chunk: Buffer) => {
      for (const text of reader.push(chunk) ?? ["too much"]) this.#texts.put(text);
    });
    this.code = once(this.#child, "close").then(([code]) => code as number | null);
    void this.code.then(() => this.#texts.close());
  }

  tell(command: RunnerCommand): void {
    this.#child.stdin.write(encodeFrame(JSON.stringify(command)));
  }

  /** What it reports next; throws where that does not begin with the nonce. */
  async next(): Promise<RunnerReport | null> {
    const text = await this.#texts.next();
    if (text === null) return null;
    assert.equal(text.slice(0, NONCE_LENGTH), NONCE);
    return JSON.parse(text.slice(NONCE_LENGTH)) as RunnerReport;
  }

  end(): void {
    this.#child.stdin.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    await this.code;
  }
}
