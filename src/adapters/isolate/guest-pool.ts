import { HoneError } from "../../domain/errors.ts";
import type { PoolState } from "../../ports/sandbox.ts";
import { GuestProcess, type GuestSettings } from "./guest-process.ts";

export type PoolSettings = GuestSettings & {
  /** Guests kept ready. */
  readonly warm: number;
  /** Guests at most, busy ones included, but for those that `take` starts within a run. */
  readonly most: number;
};

/** How often busy guests are looked at, in milliseconds. */
const LOOK_EVERY_MS = 25;

/** A start takes about 0.1 s; a loaded machine may need much longer. */
const START_WITHIN_MS = 30_000;

/** One failed start may be an accident; those that fail together are one. */
const MOST_FAILED_STARTS = 3;

/** A guest that has used this much is replaced: what a program leaves behind must not add up. */
const MOST_EXECUTIONS = 500;
const MOST_IDLE_RSS_BYTES = 300 * 2 ** 20;
/** Well under the limit of the process, which would end it in the middle of a call. */
const MOST_CPU_MS = 5_000;

type Waiter = {
  readonly within: symbol | null;
  readonly resolve: (guest: GuestProcess) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * Guest processes, started ahead and lent one at a time, first come first served. A guest that dies
 * or is given back spent is replaced; the pool never shrinks below its most. Runs may
 * wait for runs within them: each has one of those served at once, if need be by a guest beyond the
 * most, so that the runs which hold the guests go on. There are then at most as many guests more for
 * each level of runs.
 */
export class GuestPool implements AsyncDisposable {
  readonly #settings: PoolSettings;
  readonly #idle: GuestProcess[] = [];
  /** Those that are lent, each with the run that waits for what it does. */
  readonly #busy = new Map<GuestProcess, symbol | null>();
  readonly #all = new Set<GuestProcess>();
  #waiters: readonly Waiter[] = [];
  #starting = 0;
  #failedStarts = 0;
  #watch: NodeJS.Timeout | null = null;
  #disposed = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#fill();
  }

  /**
   * A ready guest, as soon as there is one, for a run of its own or one `within` another. Throws the
   * signal's reason, or `sandbox-unavailable` where no guest can be started.
   */
  async take(signal: AbortSignal, within: symbol | null = null): Promise<GuestProcess> {
    signal.throwIfAborted();
    if (this.#disposed) throw unavailable("the sandbox is closed", "");
    const guest = this.#takeIdle() ?? (await this.#wait(signal, within));
    this.#busy.set(guest, within);
    this.#fill();
    this.#watch ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
    return guest;
  }

  state(): PoolState {
    const { length: idle } = this.#idle;
    return { idle, busy: this.#busy.size, waiting: this.#waiters.length };
  }

  /** Takes a guest back. One that is spent, or has been used enough, is ended and replaced. */
  give(guest: GuestProcess, spent: boolean): void {
    guest.deadlineMs = guest.mostRssBytes = Number.POSITIVE_INFINITY;
    guest.executions += 1;
    this.#busy.delete(guest);
    if (guest.endedUnasked) this.#renew();
    if (this.#busy.size === 0) this.#rest();
    if (spent || isUsedUp(guest) || guest.gone.aborted || this.#disposed) guest.kill("retired");
    else this.#offer(guest);
    this.#fill();
  }

  /** Ends every guest; those who wait are refused. Resolves when no process is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    this.#rest();
    this.#refuse(unavailable("the sandbox is closed", ""));
    await Promise.all(
      [...this.#all].map((guest) => {
        guest.kill("retired");
        return guest.closed;
      }),
    );
  }

  /** The one that was given back last: it may still know what it is asked for next. */
  #takeIdle(): GuestProcess | null {
    for (;;) {
      const guest = this.#idle.pop();
      if (guest === undefined) return null;
      if (!guest.hasEnded) return guest;
    }
  }

  #wait(signal: AbortSignal, within: symbol | null): Promise<GuestProcess> {
    const { promise, resolve, reject } = Promise.withResolvers<GuestProcess>();
    const waiter: Waiter = { within, resolve, reject };
    const leave = (): void => {
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#waiters = [...this.#waiters, waiter];
    this.#fill();
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** What ended one guest from outside may have met those beside it, and they are not gone yet. */
  #renew(): void {
    for (const guest of this.#idle.splice(0)) guest.kill("retired");
  }

  /** Lends a guest to whoever is first to have it, keeps it, or ends it where it is one too many. */
  #offer(guest: GuestProcess): void {
    const isRoom = this.#busy.size + this.#idle.length < this.#settings.most;
    const first = this.#urgent()[0] ?? (isRoom ? this.#firstOfAll() : undefined);
    if (first !== undefined) {
      this.#waiters = this.#waiters.filter((other) => other !== first);
      this.#busy.set(guest, first.within);
      first.resolve(guest);
    } else if (isRoom) this.#idle.push(guest);
    else guest.kill("retired");
  }

  /** Those for whom a run waits that has nothing else going on: one for each such run. */
  #urgent(): readonly Waiter[] {
    const served = new Set(this.#busy.values());
    const firsts = new Map<symbol, Waiter>();
    for (const waiter of this.#waiters) {
      const { within } = waiter;
      if (within === null || served.has(within) || firsts.has(within)) continue;
      firsts.set(within, waiter);
    }
    return [...firsts.values()];
  }

  /** A run within another is first: the time of the other is running. */
  #firstOfAll(): Waiter | undefined {
    return this.#waiters.find(({ within }) => within !== null) ?? this.#waiters[0];
  }

  /**
   * Starts as many guests as are wanted: one for each who waits, and the warm ones, as far as there
   * is room; and one for each who cannot wait.
   */
  #fill(): void {
    const { warm, most } = this.#settings;
    const wanted = Math.max(this.#waiters.length, warm - this.#idle.length);
    const room = most - this.#busy.size - this.#idle.length;
    const missing = Math.max(Math.min(wanted, room), this.#urgent().length) - this.#starting;
    for (let started = 0; started < missing && !this.#disposed; started += 1) void this.#start();
  }

  async #start(): Promise<void> {
    this.#starting += 1;
    const failedBefore = this.#failedStarts;
    const guest = new GuestProcess(this.#settings);
    this.#all.add(guest);
    void guest.closed.then(() => this.#forget(guest));
    const late = setTimeout(() => guest.kill("overdue"), START_WITHIN_MS);
    const frame = await guest.receive();
    clearTimeout(late);
    this.#starting -= 1;
    if (frame?.kind === "ready" && !this.#disposed) {
      this.#failedStarts = 0;
      return this.#offer(guest);
    }
    guest.kill("protocol");
    const { stderr } = await guest.closed;
    if (failedBefore === this.#failedStarts) this.#failedStarts += 1;
    if (this.#failedStarts < MOST_FAILED_STARTS) return this.#fill();
    // Whoever waits is told; the next who asks makes the next attempts.
    this.#failedStarts = 0;
    this.#refuse(unavailable("a guest process could not be started", stderr));
  }

  /** A guest that died while idle leaves a gap; one that never started leaves no wish for more. */
  #forget(guest: GuestProcess): void {
    this.#all.delete(guest);
    const at = this.#idle.indexOf(guest);
    if (at >= 0) this.#idle.splice(at, 1);
    if (at >= 0) this.#fill();
  }

  #refuse(reason: HoneError): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(reason);
  }

  #look(): void {
    const nowMs = performance.now();
    for (const guest of this.#busy.keys()) guest.check(nowMs);
  }

  #rest(): void {
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
  }
}

function isUsedUp(guest: GuestProcess): boolean {
  return (
    guest.executions >= MOST_EXECUTIONS ||
    guest.cpuMs >= MOST_CPU_MS ||
    guest.rssBytes() > MOST_IDLE_RSS_BYTES
  );
}

function unavailable(what: string, stderr: string): HoneError {
  const said = stderr.trim().split("\n", 1)[0] ?? "";
  return new HoneError("sandbox-unavailable", said === "" ? what : `${what}: ${said}`, {
    hint: "Guests need /bin/sh, isolated-vm's native module and room for a process of 1.2 GB.",
    retryable: true,
  });
}
