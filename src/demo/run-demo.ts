import { mkdtemp, realpath, rm } from "node:fs/promises";
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Terminal } from "../cli/terminal.ts";
import { startApi } from "./api.ts";
import { startDaemon } from "./daemon-process.ts";
import { makeWorkspace } from "./make-workspace.ts";
import { personIn, type Person } from "./person.ts";
import { HISTORY, report } from "./report.ts";
import { tell } from "./story.ts";
import { startTraffic } from "./traffic.ts";
import { wallsOf } from "./walls.ts";

export type DemoOptions = {
  /** Leave the workspace there and say where. */
  readonly isKept: boolean;
  readonly terminal: Terminal;
  /** Ends the demo at once, in order. */
  readonly signal: AbortSignal;
};

/**
 * Plays the demo: a workspace, an API and a daemon of its own, and the story of `STEPS`. Resolves
 * with the exit code: 0, or 1 when a step did not come to pass, with a sentence saying which. What
 * it started is ended and what it wrote is removed, also when it fails or is interrupted.
 */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { terminal, signal } = options;
  const startedAt = performance.now();
  await using stack = new AsyncDisposableStack();
  const dir = await folderFor(options, stack);
  const api = stack.use(await startApi());
  terminal.progress(`a workspace in ${dir}, a price API on http://${api.host}, a daemon`);
  await makeWorkspace(dir, api.host).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
  const { client } = stack.use(await startDaemon(dir, signal));
  const traffic = stack.use(startTraffic(client));
  const person = personIn(dir);
  const told = await tell({ api, client, person, signal }, terminal);
  await traffic[Symbol.asyncDispose]();
  const log = await historyOf(person);
  const ms = Math.round(performance.now() - startedAt);
  const walls = await wallsOf(told.releases, person);
  report({ ...told, log, walls, tasks: traffic.counts, ms }, terminal);
  return told.steps.every(({ ok }) => ok) ? 0 : 1;
}

/** A folder that goes when the demo ends, however it ends. */
async function folderFor(
  { isKept, terminal }: DemoOptions,
  stack: AsyncDisposableStack,
): Promise<string> {
  const dir = await realpath(await mkdtemp(path.join(os.tmpdir(), "hone-demo-")));
  if (isKept) {
    stack.defer(() => terminal.progress(`the workspace is in ${dir}`));
    return dir;
  }
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  process.once("exit", remove);
  stack.defer(async () => {
    process.off("exit", remove);
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  });
  return dir;
}

async function historyOf(person: Person): Promise<string> {
  return await person.git(...HISTORY);
}
