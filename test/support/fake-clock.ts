import type { Clock } from "../../src/daemon/schedules/time-keeper.ts";

type Timer = { readonly at: number; readonly call: () => void };

/** A machine whose time passes as a test says. Its timers go by work, its clock by the wall. */
export class FakeClock implements Clock {
  /** Times that somebody was woken. */
  wakings = 0;
  #worked = 0;
  #ahead: number;
  readonly #timers = new Set<Timer>();

  constructor(start: string) {
    this.#ahead = Date.parse(start);
  }

  readonly now = (): number => this.#worked + this.#ahead;

  readonly wake = (afterMs: number, call: () => void): Disposable => {
    const timer = { at: this.#worked + Math.max(1, Math.ceil(afterMs)), call };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  };

  /** Work goes on for so long; each timer is on time. */
  async pass(ms: number): Promise<void> {
    const until = this.#worked + ms;
    for (;;) {
      const next = [...this.#timers].toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > until) break;
      this.#worked = Math.max(this.#worked, next.at);
      await this.#fire(next);
    }
    this.#worked = until;
  }

  /** The process does nothing for so long: no timer is on time. */
  async block(ms: number): Promise<void> {
    this.#worked += ms;
    await this.pass(0);
  }

  /** The wall clock jumps and no timer knows: the machine was asleep, or somebody set the clock. */
  jump(ms: number): void {
    this.#ahead += ms;
  }

  async #fire(timer: Timer): Promise<void> {
    this.#timers.delete(timer);
    this.wakings += 1;
    timer.call();
    for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
  }
}
