import { setTimeout as pause } from "node:timers/promises";
import { HoneError } from "../domain/errors.ts";
import type { Client } from "../serve/http/client.ts";
import { ITEMS } from "./api.ts";
import { SKILL } from "./make-workspace.ts";

/** Tasks that are sent to the daemon one after the other, until it is disposed of. */
export type Traffic = AsyncDisposable & {
  /** Tasks sent, and of those the ones that have been carried out. */
  readonly counts: { readonly sent: number; readonly done: number };
};

/** Customers who each send a few tasks, wait for them, and send the next. */
const CUSTOMERS = 3;
const AT_ONCE = 2;
const PAUSE_MS = 60;
const LOOK_MS = 40;

/** How long a customer waits for the last tasks. */
const PATIENCE_MS = 15_000;

/** Starts the customers. Disposing lets each see the tasks that it has sent through. */
export function startTraffic(client: Client): Traffic {
  const counts = { sent: 0, done: 0 };
  const ending = new AbortController();
  const customers = Array.from({ length: CUSTOMERS }, async (_, number) => {
    let at = number;
    while (!ending.signal.aborted) {
      const tasks = Array.from({ length: AT_ONCE }, () => taskOf((at += CUSTOMERS)));
      const { tasks: ids } = (await client.submit({ tasks })) as { readonly tasks: string[] };
      counts.sent += ids.length;
      for (const id of ids) {
        await carriedOut(id, client);
        counts.done += 1;
      }
      await pause(PAUSE_MS);
    }
  });
  // Without the daemon there is nobody to send tasks to; the step under way says so.
  const ended = customers.map((each) =>
    each.catch((error: unknown) => {
      if (!(error instanceof HoneError)) throw error;
    }),
  );
  return {
    counts,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.race([Promise.all(ended), pause(PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}

function taskOf(at: number): { skill: string; input: { item: string; pieces: number } } {
  const item = ITEMS[at % ITEMS.length] ?? "tea";
  return { skill: SKILL, input: { item, pieces: 1 + (at % 9) } };
}

async function carriedOut(id: string, client: Client): Promise<void> {
  for (;;) {
    const { state } = await client.task({ id });
    if (state === "done" || state === "failed") return;
    await pause(LOOK_MS);
  }
}
