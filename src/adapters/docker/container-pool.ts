import type { PoolState } from "../../ports/sandbox.ts";
import { RunnerContainer, type RunnerSpec } from "./runner-container.ts";
import type { Engine } from "./engine.ts";
import { unavailable } from "./unavailable.ts";
import { LONGEST_LIFE_MS } from "./container.ts";
import { USUAL_MEMORY_MB } from "./hardening.ts";

export type PoolSettings = {
  readonly engine: Engine;
  /** Containers kept ready once there was work. */
  readonly warm: number;
  /** Containers at most. */
  readonly most: number;
  /** What a new container is made of. May take a while the first time; throws `sandbox-unavailable`. */
  readonly spec: () => Promise<Omit<RunnerSpec, "memoryMb">>;
};

/** Resolves with the work, or when the time is over. */
export async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, over]);
  clearTimeout(timer);
}

type Waiter = {
  readonly memoryMb: number;
  /** Starts that have failed since it waits. */
  failures: number;
  readonly resolve: (container: RunnerContainer) => void;
  readonly reject: (reason: unknown) => void;
};

/** One failed start may be an accident, or have begun before whoever waits came. */
const MOST_FAILURES = 2;

/** An engine that hangs holds up whoever closes no longer than this, in milliseconds. */
export const CLOSE_WITHIN_MS = 5_000;

/** One that has waited this long, in milliseconds, is replaced. */
const MOST_IDLE_MS = LONGEST_LIFE_MS / 2;

/**
 * Containers, started ahead, each lent once and then removed. There is none before the first is
 * asked for, and none is started again by itself after a start has failed.
 */
export class ContainerPool implements AsyncDisposable {
  readonly #settings: PoolSettings;
  readonly #idle: RunnerContainer[] = [];
  readonly #lent = new Set<RunnerContainer>();
  readonly #removals = new Set<Promise<void>>();
  readonly #starts = new Map<Promise<void>, number>();
  #waiters: Waiter[] = [];
  #disposed = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /** There is nothing of this pool any more. */
  get isEmpty(): boolean {
    return this.#disposed && this.#removals.size === 0 && this.#starts.size === 0;
  }

  state(): PoolState {
    const { length: idle } = this.#idle;
    return { idle, busy: this.#lent.size, waiting: this.#waiters.length };
  }

  /** A container that nobody has used. Throws the signal's reason or `sandbox-unavailable`. */
  async take(signal: AbortSignal, memoryMb: number): Promise<RunnerContainer> {
    signal.throwIfAborted();
    if (this.#disposed) throw unavailable("the sandbox is closed");
    const found = memoryMb === USUAL_MEMORY_MB ? this.#takeIdle() : null;
    if (found !== null) {
      this.#lent.add(found);
      this.#fill();
      return found;
    }
    const { promise, resolve, reject } = Promise.withResolvers<RunnerContainer>();
    const waiter: Waiter = { memoryMb, failures: 0, resolve, reject };
    const leave = (): void => {
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#waiters.push(waiter);
    this.#fill();
    return await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** Takes a container back, which is removed and replaced. Nobody waits for that. */
  retire(container: RunnerContainer): void {
    this.#lent.delete(container);
    this.#remove(container);
    this.#fill();
  }

  /** Starts what is to be ready, if there is an engine to do it. */
  warm(): void {
    this.#fill();
  }

  /** Removes what has been ready for too long; more is started when there is work again. */
  refresh(): void {
    const old = this.#idle.filter(
      ({ startedAtMs }) => performance.now() - startedAtMs > MOST_IDLE_MS,
    );
    for (const container of old) {
      this.#idle.splice(this.#idle.indexOf(container), 1);
      this.#remove(container);
    }
  }

  /**
   * Removes every container; those who wait are refused. Resolves when none is left, or when the
   * engine has been waited for long enough; what is left then is for a sweep.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    this.#refuse(unavailable("the sandbox is closed"));
    for (const container of [...this.#idle, ...this.#lent]) this.#remove(container);
    const gone = Promise.all(this.#starts.keys()).then(() => Promise.all(this.#removals));
    await inTime(gone, CLOSE_WITHIN_MS);
  }

  #takeIdle(): RunnerContainer | null {
    for (;;) {
      const container = this.#idle.shift();
      if (container === undefined) return null;
      if (!container.gone.aborted) return container;
      this.#remove(container);
    }
  }

  /** One for each who waits, and the warm ones, as far as there is room. */
  #fill(): void {
    if (this.#disposed) return;
    for (const memoryMb of this.#missing()) {
      // One that is ready and of no use gives way to one that somebody waits for.
      if (this.#room() <= 0 && memoryMb !== USUAL_MEMORY_MB) this.#giveWay();
      if (this.#room() <= 0) return;
      const start = this.#start(memoryMb).finally(() => {
        this.#starts.delete(start);
        if (this.#waiters.length > 0) this.#fill();
      });
      this.#starts.set(start, memoryMb);
    }
  }

  /** The memory of each container that is wanted and not yet being started. */
  #missing(): readonly number[] {
    const ahead = Math.max(0, this.#settings.warm - this.#idle.length);
    const wanted = [
      ...this.#waiters.map(({ memoryMb }) => memoryMb),
      ...Array<number>(ahead).fill(USUAL_MEMORY_MB),
    ];
    for (const memoryMb of this.#starts.values()) {
      const at = wanted.indexOf(memoryMb);
      if (at >= 0) wanted.splice(at, 1);
    }
    return wanted;
  }

  #room(): number {
    return this.#settings.most - this.#lent.size - this.#idle.length - this.#starts.size;
  }

  #giveWay(): void {
    const container = this.#idle.shift();
    if (container !== undefined) this.#remove(container);
  }

  async #start(memoryMb: number): Promise<void> {
    try {
      const spec = await this.#settings.spec();
      const container = await RunnerContainer.start(this.#settings.engine, { ...spec, memoryMb });
      this.#offer(container, memoryMb);
    } catch (error) {
      for (const waiter of this.#waiters) waiter.failures += 1;
      this.#refuse(error, MOST_FAILURES);
    }
  }

  #offer(container: RunnerContainer, memoryMb: number): void {
    const waiter = this.#waiters.find((one) => one.memoryMb === memoryMb);
    if (waiter !== undefined && !this.#disposed) {
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      this.#lent.add(container);
      waiter.resolve(container);
    } else if (memoryMb === USUAL_MEMORY_MB && !this.#disposed) this.#idle.push(container);
    else this.#remove(container);
  }

  /** One that cannot be removed now is found by a sweep. */
  #remove(container: RunnerContainer): void {
    const removal = container[Symbol.asyncDispose]()
      .catch(() => undefined)
      .finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  #refuse(reason: unknown, failures = 0): void {
    const refused = this.#waiters.filter((waiter) => waiter.failures >= failures);
    this.#waiters = this.#waiters.filter((waiter) => waiter.failures < failures);
    for (const { reject } of refused) reject(reason);
  }
}
