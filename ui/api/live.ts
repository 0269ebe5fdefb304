import { signal } from "@preact/signals";
import type { HoneEvent } from "../../src/ports/store.ts";
import type { Activity } from "./answers.ts";
import { ask, Refusal } from "./ask.ts";
import { readEvents } from "./read-events.ts";

/** Events that are kept to be shown. */
const KEPT = 500;

/** Events of the past that a new page begins with. */
const PAST = 200;

/** Pages ask again at most this often, however much happens. */
const CALM_MS = 1_000;

/** The longest pause before the connection is tried again. */
const LONGEST_PAUSE_MS = 10_000;

const UNREACHABLE = "The daemon cannot be reached.";

export type Connection = "connecting" | "open" | "lost";

/** How the event stream stands. */
export const connection = signal<Connection>("connecting");

/** Why there is no stream, where there is none. */
export const trouble = signal("");

/** The latest events, the newest first. */
export const events = signal<readonly HoneEvent[]>([]);

/** Grows when something happened, so that what is shown is asked for again. */
export const changes = signal(0);

/** Follows the daemon's events for as long as the page is open, and takes up again what broke off. */
export function followEvents(): void {
  void (async () => {
    let last: number | null = null;
    for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        last ??= await start();
        for await (const event of readEvents(`/v1/events?since=${last}`, opened)) {
          last = event.id === 0 ? last : event.id;
          take(event);
          pauseMs = 500;
        }
        trouble.value = UNREACHABLE;
      } catch (error) {
        // Whatever broke it off: it is tried again, and the page says that it is not up to date.
        trouble.value = error instanceof Refusal ? `${error.message} ${error.hint}` : UNREACHABLE;
      }
      connection.value = "lost";
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
}

async function start(): Promise<number> {
  const { lastEvent } = await ask<Activity>("activity", { days: 1 });
  return Math.max(0, lastEvent - PAST);
}

function opened(): void {
  const wasLost = connection.peek() === "lost";
  connection.value = "open";
  if (wasLost) changes.value += 1;
}

let isDue = false;

function take(event: HoneEvent): void {
  events.value = [event, ...events.peek()].slice(0, KEPT);
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    changes.value += 1;
  }, CALM_MS);
}
