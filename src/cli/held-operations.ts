import { setTimeout as pause } from "node:timers/promises";
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

/**
 * It is left as well after so many milliseconds of work without an end, for so many others, in which
 * requests wait: a daemon that is started must come in, however many ask.
 */
const TURN_MS = 2_000;
const GAP_MS = 500;

type Held = Reach & AsyncDisposable;

/**
 * The workspace for a long time: each request goes to the daemon, whichever is up then; where none is,
 * the workspace is opened as any command does it, for as long as requests come.
 */
export function heldOperations(invocation: Invocation): HeldOperations {
  let held: Promise<Held> | null = null;
  const users = new Users();
  let timer: NodeJS.Timeout | undefined;
  /** When the workspace was opened here, by the monotonic clock; infinite where it is not. */
  let openedAt = Infinity;
  let turn: Promise<void> | null = null;

  const leave = async (): Promise<void> => {
    const left = held;
    held = null;
    openedAt = Infinity;
    await (await left?.catch(() => null))?.[Symbol.asyncDispose]();
  };
  /** Leaves the workspace once nobody uses it, and takes it again only when others had time to. */
  const giveTurn = async (): Promise<void> => {
    await users.gone();
    await leave();
    await pause(GAP_MS);
    turn = null;
  };
  const open = async (): Promise<Held> => {
    const reach = await reachOf(invocation, invocation.terminal);
    if (reach.through === "workspace") openedAt = performance.now();
    return reach;
  };
  const use = async (ask: (operations: Operations) => Promise<JsonObject>): Promise<JsonObject> => {
    clearTimeout(timer);
    if (performance.now() - openedAt > TURN_MS) turn ??= giveTurn();
    await turn;
    users.come();
    const using = (held ??= open());
    try {
      return await ask((await using).operations);
    } catch (error) {
      // A daemon that went away is looked for again; a workspace that could not be opened as well.
      const isGone = error instanceof HoneError && error.code === "daemon-unreachable";
      if (held === using && (isGone || (await isLost(using)))) await leave();
      throw error;
    } finally {
      users.go();
      if (users.none && (await throughOf(held)) === "workspace") {
        timer = setTimeout(() => {
          if (users.none) void leave();
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

/** How many use something, and when nobody does. */
class Users {
  #count = 0;
  #gone = Promise.withResolvers<void>();

  get none(): boolean {
    return this.#count === 0;
  }

  come(): void {
    this.#count += 1;
  }

  go(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#gone.resolve();
    this.#gone = Promise.withResolvers();
  }

  async gone(): Promise<void> {
    while (this.#count > 0) await this.#gone.promise;
  }
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
