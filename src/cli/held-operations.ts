import { HoneError } from "../domain/errors.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Operations } from "../ports/operations.ts";
import { daemonOf, reachOf, type Reach } from "./with-operations.ts";
import type { Invocation } from "./invocation.ts";

/** The operations that a program needs which stays for hours. */
export type HeldOperations = Pick<Operations, "call" | "report" | "status" | "tools"> & {
  /** Whether a daemon answers, so that asking it costs little. */
  readonly isServed: () => Promise<boolean>;
} & AsyncDisposable;

/** The workspace is left again after so many milliseconds without work: others wait for it. */
const IDLE_MS = 1_500;

type Held = Reach & AsyncDisposable;

/**
 * The workspace for a long time: each request goes to the daemon, whichever is up then; where none is,
 * the workspace is opened as any command does it, for as long as requests come.
 */
export function heldOperations(invocation: Invocation): HeldOperations {
  let held: Promise<Held> | null = null;
  let users = 0;
  let timer: NodeJS.Timeout | undefined;

  const leave = async (): Promise<void> => {
    const left = held;
    held = null;
    await (await left?.catch(() => null))?.[Symbol.asyncDispose]();
  };
  const use = async (ask: (operations: Operations) => Promise<JsonObject>): Promise<JsonObject> => {
    clearTimeout(timer);
    users += 1;
    const using = (held ??= reachOf(invocation, invocation.terminal));
    try {
      return await ask((await using).operations);
    } catch (error) {
      // A daemon that went away is looked for again; a workspace that could not be opened as well.
      const isGone = error instanceof HoneError && error.code === "daemon-unreachable";
      if (held === using && (isGone || (await isLost(using)))) await leave();
      throw error;
    } finally {
      users -= 1;
      if (users === 0 && (await throughOf(held)) === "workspace") {
        timer = setTimeout(() => {
          if (users === 0) void leave();
        }, IDLE_MS);
      }
    }
  };
  return {
    call: (request) => use((operations) => operations.call(request)),
    report: (request) => use((operations) => operations.report(request)),
    status: () => use((operations) => operations.status()),
    tools: (request) => use((operations) => operations.tools(request)),
    isServed: async () => (await throughOf(held)) !== null || (await isDaemonUp(invocation)),
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await leave();
    },
  };
}

async function isLost(reach: Promise<Reach>): Promise<boolean> {
  return await reach.then(
    () => false,
    () => true,
  );
}

async function throughOf(reach: Promise<Reach> | null): Promise<Reach["through"] | null> {
  return (await reach?.catch(() => null))?.through ?? null;
}

async function isDaemonUp(invocation: Invocation): Promise<boolean> {
  const client = await daemonOf(invocation).catch(() => null);
  await client?.[Symbol.asyncDispose]();
  return client !== null;
}
