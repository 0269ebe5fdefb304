/** A signal that ends with another one or after a time, and which of the two it was. */
export type Deadline = Disposable & {
  readonly signal: AbortSignal;
  readonly isOver: () => boolean;
};

/** Limits work to `limitMs`; disposed of, it holds neither a timer nor the outer signal. */
export function deadline(outer: AbortSignal, limitMs: number): Deadline {
  const inner = new AbortController();
  let isOver = false;
  const onAbort = (): void => inner.abort(outer.reason);
  const timer = setTimeout(() => {
    isOver = true;
    inner.abort(new Error(`no answer within ${limitMs} ms`));
  }, limitMs);
  if (outer.aborted) onAbort();
  else outer.addEventListener("abort", onAbort, { once: true });
  return {
    signal: inner.signal,
    isOver: () => isOver && !outer.aborted,
    [Symbol.dispose]() {
      clearTimeout(timer);
      outer.removeEventListener("abort", onAbort);
    },
  };
}

/** Resolves after a time; rejects with the signal's reason, having left no timer. */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** A promise that others wait for too, as far as one's own signal lets it be waited for. */
export async function waitingFor<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([shared, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
