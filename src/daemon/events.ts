import { EventEmitter, once } from "node:events";
import type { JsonObject } from "../domain/json.ts";
import type { HoneEvent, Store } from "../ports/store.ts";

/** Where stages' results are told: the ledger first, then whoever listens. */
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
  return {
    tell(kind, skill, detail) {
      const event = { at: now(), kind, skill, detail };
      const id = store.addEvent(event);
      emitter.emit("event", { id, ...event });
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
