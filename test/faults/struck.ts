/** When a port's verb is struck: at the n-th call from now on, so many times. */
export type When = { readonly at?: number; readonly times?: number };

/**
 * Puts something before a verb of a real port, in place, so that everyone who holds the port meets
 * it; taken away again when disposed. `strike` may throw in the verb's stead, or do something and
 * let the verb go on.
 */
export function struck<P extends object, V extends keyof P & string>(
  port: P,
  verb: V,
  strike: (n: number) => unknown,
  { at = 1, times = 1 }: When = {},
): Disposable & { readonly calls: number } {
  const own = Object.getOwnPropertyDescriptor(port, verb);
  const real = port[verb] as (...args: unknown[]) => unknown;
  let calls = 0;
  const wrapped = (...args: unknown[]): unknown => {
    calls += 1;
    const isStruck = calls >= at && calls < at + times;
    const first = isStruck ? strike(calls) : undefined;
    return first instanceof Promise
      ? first.then(() => real.apply(port, args))
      : real.apply(port, args);
  };
  Object.defineProperty(port, verb, { value: wrapped, configurable: true, writable: true });
  return {
    get calls() {
      return calls;
    },
    [Symbol.dispose]() {
      if (own === undefined) delete port[verb];
      else Object.defineProperty(port, verb, own);
    },
  };
}

/** Something put after a verb has done its work and before anyone hears of it. */
export function struckAfter<P extends object, V extends keyof P & string>(
  port: P,
  verb: V,
  strike: () => unknown,
  { at = 1, times = 1 }: When = {},
): Disposable {
  const own = Object.getOwnPropertyDescriptor(port, verb);
  const real = port[verb] as (...args: unknown[]) => unknown;
  let calls = 0;
  const wrapped = (...args: unknown[]): unknown => {
    calls += 1;
    const isStruck = calls >= at && calls < at + times;
    const done = real.apply(port, args);
    if (!isStruck) return done;
    if (!(done instanceof Promise)) {
      strike();
      return done;
    }
    return done.then(async (value: unknown) => {
      await strike();
      return value;
    });
  };
  Object.defineProperty(port, verb, { value: wrapped, configurable: true, writable: true });
  return {
    [Symbol.dispose]() {
      if (own === undefined) delete port[verb];
      else Object.defineProperty(port, verb, own);
    },
  };
}
