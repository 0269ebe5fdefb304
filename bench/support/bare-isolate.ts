import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type ivm from "isolated-vm";

type Question = {
  readonly program: string;
  readonly entry: string;
  readonly args: readonly unknown[];
};

/** The least that a call behind a wall can be: a child that runs what it is sent, and no more. */
export class BareIsolate implements AsyncDisposable {
  readonly #child;

  private constructor() {
    const flags = ["--no-node-snapshot", "--jitless", "--input-type=commonjs", "-"];
    // In a session of its own, as hone's guests are: the kernel schedules by sessions.
    this.#child = spawn(process.execPath, flags, {
      detached: true,
      stdio: ["pipe", "ignore", "inherit", "ipc"],
    });
    this.#child.stdin?.end(bareIsolateText());
  }

  static async start(): Promise<BareIsolate> {
    const made = new BareIsolate();
    await once(made.#child, "message");
    return made;
  }

  async call(question: Question): Promise<unknown> {
    this.#child.send(question);
    const [text] = await once(this.#child, "message");
    return JSON.parse(String(text));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }
}

/** The text of the child's program. */
function bareIsolateText(): string {
  const isolatedVm = createRequire(import.meta.url).resolve("isolated-vm");
  return `(${String(serve)})(require, ${JSON.stringify(isolatedVm)});`;
}

/**
 * For every message one fresh isolate, the program, one
 * call, and the result as JSON. Nothing of hone is in it. Its text is run by a child
 * without a compiler, as hone's guests are.
 */
function serve(load: NodeJS.Require, isolatedVm: string): void {
  const vm = load(isolatedVm) as typeof ivm;
  process.on("message", ({ program, entry, args }: Question) => {
    const isolate = new vm.Isolate({ memoryLimit: 64 });
    const context = isolate.createContextSync();
    context.evalSync(program, { timeout: 2_000 });
    const call = `JSON.stringify(${entry}(...${JSON.stringify(args)}))`;
    const text = context.evalSync(call, { timeout: 2_000 }) as string;
    process.send?.(text);
    isolate.dispose();
  });
  process.send?.("ready");
}
