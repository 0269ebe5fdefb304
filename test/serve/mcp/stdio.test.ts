import assert from "node:assert/strict";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { test, type TestContext } from "node:test";
import { DaemonProcess } from "../../support/daemon.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "../../support/workspace.ts";

const LAUNCHER = path.resolve(import.meta.dirname, "../../../bin/hone");

const CHATTY =
  "export function chatty(text: string): string {\n  console.log('from the skill', text);\n  return text;\n}\n";

/** A dependency that prints whenever it can, and ends the process with a bug when it is told to. */
const NOISE = `
setInterval(() => {
  if (process.stdin.listenerCount("data") === 0) return;
  console.log("noise of a dependency");
  process.stdout.write('{"half a line');
}, 5).unref();
process.on("SIGUSR2", () => { throw new Error("a bug"); });
process.on("exit", () => console.log("noise at the end"));
`;

type Message = Readonly<Record<string, unknown>>;

/** \`hone mcp\` with its stdout read line by line, as its client reads it. */
class RawServer implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  #last = 0;

  constructor(workspace: TestWorkspace, t: TestContext) {
    const noise = path.join(workspace.dir, "noise.mjs");
    writeFileSync(noise, NOISE);
    const env = { PATH: process.env["PATH"] ?? "", HOME: workspace.dir, HONE_DOCKER: "off" };
    this.#child = spawn(LAUNCHER, ["mcp"], {
      cwd: workspace.dir,
      env: { ...env, NODE_OPTIONS: `--import=${noise}` },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#closed = once(this.#child, "close");
    this.#child.stderr.resume();
    createInterface(this.#child.stdout).on("line", (line) => this.lines.push(line));
    t.after(() => this.#child.kill("SIGKILL"));
  }

  get messages(): readonly Message[] {
    return this.lines.map((line) => JSON.parse(line) as Message);
  }

  write(text: string): void {
    this.#child.stdin.write(text);
  }

  tell(method: string, params: object = {}): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  async ask(method: string, params: object = {}): Promise<Message> {
    const id = (this.#last += 1);
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return await this.until((message) => message["id"] === id);
  }

  async until(isIt: (message: Message) => boolean): Promise<Message> {
    for (const endsAt = Date.now() + 15_000; ;) {
      const found = this.messages.find(isIt);
      if (found !== undefined) return found;
      assert.ok(Date.now() < endsAt, "it takes too long");
      await pause(10);
    }
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: "raw", version: "1" };
    await this.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    this.tell("notifications/initialized");
  }

  async end(signal: NodeJS.Signals | "stdin"): Promise<number | null> {
    if (signal === "stdin") this.#child.stdin.end();
    else this.#child.kill(signal);
    await this.#closed;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }
}

function isProtocol(lines: readonly string[]): void {
  assert.ok(lines.length > 0);
  for (const line of lines) {
    const message = JSON.parse(line) as Message;
    assert.equal(message["jsonrpc"], "2.0", line);
  }
}

async function chattyWorkspace(t: TestContext): Promise<TestWorkspace> {
  return await aWorkspace(
    t,
    skillFiles("chatty", {
      source: CHATTY,
      cases: [{ name: "a", args: ["a"], expect: "a" }],
      metadata: "  kind: function\n  capabilities: { log: true }",
    }),
  );
}

const CALL = { name: "chatty", arguments: { text: "hi" } };

test("stdout is protocol from boot through reload, a daemon's crash and SIGTERM [T18 B38 B39]", async (t) => {
  const workspace = await chattyWorkspace(t);
  const daemon = await DaemonProcess.start(workspace.dir);
  await using server = new RawServer(workspace, t);

  await server.initialize();
  await server.ask("tools/list");
  const first = (await server.ask("tools/call", CALL))["result"] as Message;
  const source = "export function later(a: number): number {\n  return a;\n}\n";
  workspace.commit(skillFiles("later", { source, cases: [{ name: "a", args: [1], expect: 1 }] }));
  await server.until(({ method }) => method === "notifications/tools/list_changed");
  await daemon.kill();
  const lost = (await server.ask("tools/call", CALL))["result"] as Message;
  const again = (await server.ask("tools/call", CALL))["result"] as Message;
  const code = await server.end("SIGTERM");

  isProtocol(server.lines);
  assert.deepEqual(
    [first["structuredContent"], again["structuredContent"]],
    [{ result: "hi" }, { result: "hi" }],
  );
  assert.equal(lost["isError"], true, "the call during which the daemon went is told");
  assert.equal(code, 0);
});

test("odd lines are passed over; a bug in hone itself ends the connection with a code, and puts no word on stdout [T18 B38]", async (t) => {
  const workspace = await chattyWorkspace(t);
  await using server = new RawServer(workspace, t);
  await server.initialize();
  server.write("this is no message\n{}\n[1]\nnull\n");
  server.tell("notifications/unknown");
  const unknown = await server.ask("no/such/method");
  const called = await server.ask("tools/call", CALL);

  const code = await server.end("SIGUSR2");

  assert.ok("error" in unknown && "result" in called);

  isProtocol(server.lines);
  assert.equal(code, 1);
});
