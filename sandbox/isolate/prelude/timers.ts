import { hide } from "./clock.ts";
import type { Bare, Intrinsics } from "./intrinsics.ts";
import type { Requests } from "./requests.ts";

/** The timers of the web, as requests of the kind `timer`. Their numbers are those of no request. */
export type Timers = Bare & { readonly clear: () => void };

/** What a timer calls. */
type Callback = (...args: readonly unknown[]) => unknown;

/** Defines setTimeout and its kin; what a callback throws goes to `uncaught`. */
export function bindTimers(
  of: Intrinsics,
  requests: Requests,
  uncaught: (thrown: unknown) => void,
): Timers {
  let running: Bare & Record<number, number> = { __proto__: null };
  let last = 0;

  const call = (callback: Callback, args: readonly unknown[]): void => {
    try {
      of.apply(callback, undefined, args);
    } catch (thrown) {
      uncaught(thrown);
    }
  };
  const run = async (timer: number, ms: number, again: boolean, job: () => void): Promise<void> => {
    for (;;) {
      const { id, promise } = requests.askNumbered("timer", { __proto__: null, ms });
      running[timer] = id;
      await promise;
      if (running[timer] !== id) return;
      if (!again) delete running[timer];
      job();
      if (running[timer] !== id) return;
    }
  };
  const start = (callback: unknown, delay: unknown, again: boolean, args: unknown[]): number => {
    if (typeof callback !== "function") throw new of.errors.TypeError("a timer needs a function");
    const timer = ++last;
    const ms = delayOf(of, delay);
    void run(timer, ms, again, () => call(callback as Callback, args));
    return timer;
  };
  const stop = (timer: unknown): void => {
    const id = typeof timer === "number" ? running[timer] : undefined;
    if (id === undefined) return;
    delete running[timer as number];
    requests.giveUp(id);
  };
  hide(of, globalThis, "setTimeout", (callback: unknown, delay?: unknown, ...args: unknown[]) =>
    start(callback, delay, false, args),
  );
  hide(of, globalThis, "setInterval", (callback: unknown, delay?: unknown, ...args: unknown[]) =>
    start(callback, delay, true, args),
  );
  hide(of, globalThis, "clearTimeout", stop);
  hide(of, globalThis, "clearInterval", stop);
  bindMicrotask(of, call);
  return {
    __proto__: null,
    clear: () => {
      running = { __proto__: null };
      last = 0;
    },
  };
}

function bindMicrotask(
  of: Intrinsics,
  call: (callback: Callback, args: readonly unknown[]) => void,
): void {
  const settled = of.promise.resolve();
  const later = async (callback: Callback): Promise<void> => {
    await settled;
    call(callback, []);
  };
  hide(of, globalThis, "queueMicrotask", (callback: unknown) => {
    if (typeof callback !== "function")
      throw new of.errors.TypeError("queueMicrotask needs a function");
    void later(callback as Callback);
  });
}

/** Milliseconds as setTimeout reads them: at least 1, at most 2^31 - 1, whole. */
export function delayOf(of: Intrinsics, delay: unknown): number {
  const ms = of.trunc(typeof delay === "number" ? delay : +of.text(delay ?? 1));
  return ms >= 1 && ms <= 2_147_483_647 ? ms : 1;
}

/** The functions of this file, which become the text of the prelude. */
export const TIMERS_PARTS = [bindTimers, bindMicrotask, delayOf];
