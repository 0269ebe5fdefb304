import type { HoneEvent } from "../../ports/store.ts";

/** The ledger's events after `since`, and those to come; it ends when the signal aborts. */
export type EventSource = (since: number, signal: AbortSignal) => AsyncIterable<HoneEvent>;

/** A comment this often shows both ends that the other is still there. */
const HEARTBEAT_MS = 15_000;

/**
 * Events as server-sent events (WHATWG HTML, "Server-sent events"): `id` is the event's number, by
 * which a reader that lost the connection goes on. An event is read only when the last was taken.
 * `onEnd` is called once, when the reader has gone or there is no more.
 */
export function eventStream(
  events: EventSource,
  since: number,
  closing: AbortSignal,
  onEnd: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, closing]);
  const iterator = events(since, signal)[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<HoneEvent>> | null = null;
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd();
    isOver = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        next ??= iterator.next();
        const result = await orHeartbeat(next).catch((thrown: unknown) => {
          end();
          throw thrown;
        });
        if (result === "heartbeat") return stream.enqueue(encoder.encode(":\n\n"));
        next = null;
        if (result.done !== true) return stream.enqueue(encoder.encode(frameOf(result.value)));
        end();
        stream.close();
      },
      async cancel() {
        gone.abort();
        end();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

function frameOf(event: HoneEvent): string {
  return `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
}

async function orHeartbeat<T>(next: Promise<T>): Promise<T | "heartbeat"> {
  const { promise, resolve } = Promise.withResolvers<"heartbeat">();
  const timer = setTimeout(() => resolve("heartbeat"), HEARTBEAT_MS);
  try {
    return await Promise.race([next, promise]);
  } finally {
    clearTimeout(timer);
  }
}
