import { EventEmitter, once } from "node:events";
import { HoneError } from "../domain/errors.ts";
import type { JsonObject } from "../domain/json.ts";
import type { HoneEvent, Store } from "../ports/store.ts";

/** Where stages' results are told: the ledger first, then whoever listens. To tell never fails. */
export type Events = {
  readonly tell: (kind: string, skill: string | null, detail: JsonObject) => void;
  /** The events after a number, and those to come, until the signal aborts. */
  readonly since: (id: number, signal: AbortSignal) => AsyncGenerator<HoneEvent>;
  readonly onEvent: (listener: (event: HoneEvent) => void) => void;
};

/** Events read at a time. */
const PAGE = 200;

export function eventsOf(store: Pick<Store, "addEvent" | "events">, now: () => number): Events {
  const emitter = new EventEmitter({ captureRejections: false });
  emitter.setMaxListeners(0);
  // What a ledger that is full could not take is heard all the same, by those who listen now.
  const recorded = (event: Omit<HoneEvent, "id">): number => {
    try {
      return store.addEvent(event);
    } catch (error) {
      if (error instanceof HoneError) return 0;
      throw error;
    }
  };
  return {
    tell(kind, skill, detail) {
      const event = { at: now(), kind, skill, detail };
      emitter.emit("event", { id: recorded(event), ...event });
    },
    async *since(start, signal) {
      let last = start;
      for (;;) {
        const page = store.events(last, PAGE);
        for (const event of page) yield event;
        last = page.at(-1)?.id ?? last;
        if (page.length === PAGE) continue;
        if (signal.aborted) return;
        if (store.events(last, 1).length > 0) continue;
        await once(emitter, "event", { signal }).catch(() => null);
      }
    },
    onEvent: (listener) => void emitter.on("event", listener),
  };
}
