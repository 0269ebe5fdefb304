type Verb = (...args: unknown[]) => unknown;

/** When a port's verb is struck: at the n-th call from now on, so many times. */
export type When = { readonly at?: number; readonly times?: number };

/**
 * Puts something in place of a verb of a real port (or of a class), so that everyone who holds the
 * port meets it; taken away again when disposed. `by` is given the real verb.
 */
export function replaced<P extends object>(
  port: P,
  verb: keyof P & string,
  by: (real: Verb, of: unknown) => Verb,
): Disposable {
  const own = Object.getOwnPropertyDescriptor(port, verb);
  const real = port[verb] as Verb;
  const value = function (this: unknown, ...args: unknown[]): unknown {
    return by((...given) => real.apply(this, given), this)(...args);
  };
  Object.defineProperty(port, verb, { value, configurable: true, writable: true });
  return {
    [Symbol.dispose]() {
      if (own === undefined) delete port[verb];
      else Object.defineProperty(port, verb, own);
    },
  };
}

/** Something before a verb does its work: `strike` may throw in its stead, or let it go on. */
export function struck<P extends object>(
  port: P,
  verb: keyof P & string,
  strike: () => unknown,
  when: When = {},
): Disposable {
  const isNow = counting(when);
  return replaced(port, verb, (real) => (...args) => {
    const first = isNow() ? strike() : undefined;
    return first instanceof Promise ? first.then(() => real(...args)) : real(...args);
  });
}

/** Something after a verb has done its work and before anyone hears of it. */
export function struckAfter<P extends object>(
  port: P,
  verb: keyof P & string,
  strike: () => unknown,
  when: When = {},
): Disposable {
  const isNow = counting(when);
  return replaced(port, verb, (real) => (...args) => {
    const done = real(...args);
    if (!isNow()) return done;
    if (done instanceof Promise) {
      return done.then((value: unknown) => {
        strike();
        return value;
      });
    }
    strike();
    return done;
  });
}

function counting({ at = 1, times = 1 }: When): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls >= at && calls < at + times;
  };
}
