import {
  Event,
  EventTarget,
  getEventAttributeValue,
  setEventAttributeValue,
} from "event-target-shim";

/** Only this file makes signals and aborts them. */
let isMaking = false;
let abortSignal: (signal: AbortSignal, reason: unknown) => void;

/**
 * AbortSignal of the DOM standard. The polyfills to be had lack `AbortSignal.abort` or fire twice,
 * so this stands on the maintained EventTarget alone.
 */
export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason: unknown = undefined;
  /** Signals made by `any` that follow this one. */
  readonly #followers = new Set<AbortSignal>();

  static {
    abortSignal = (signal: AbortSignal, reason: unknown): void => signal.#abort(reason);
  }

  constructor() {
    if (!isMaking) throw new TypeError("Illegal constructor");
    super();
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = makeSignal();
    signal.#abort(reason);
    return signal;
  }

  static timeout(ms: number): AbortSignal {
    const signal = makeSignal();
    const late = "The operation was aborted due to timeout";
    setTimeout(() => signal.#abort(new DOMException(late, "TimeoutError")), ms);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const follower = makeSignal();
    const sources = [...signals];
    const aborted = sources.find((source) => source.#aborted);
    if (aborted !== undefined) follower.#abort(aborted.#reason);
    else for (const source of sources) source.#followers.add(follower);
    return follower;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  get onabort(): unknown {
    return getEventAttributeValue(this, "abort");
  }

  set onabort(listener: unknown) {
    setEventAttributeValue(this, "abort", listener);
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  get [Symbol.toStringTag](): string {
    return "AbortSignal";
  }

  /** Followers are aborted before any listener hears of it (DOM, signal abort). */
  #abort(reason: unknown): void {
    const fallen = this.#fall(
      reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason,
    );
    for (const signal of fallen) signal.dispatchEvent(new Event("abort"));
  }

  #fall(reason: unknown): readonly AbortSignal[] {
    if (this.#aborted) return [];
    this.#aborted = true;
    this.#reason = reason;
    const followers = [...this.#followers];
    this.#followers.clear();
    return [this, ...followers.flatMap((follower) => follower.#fall(reason))];
  }
}

/** AbortController of the DOM standard. */
export class AbortController {
  readonly #signal = makeSignal();

  get signal(): AbortSignal {
    return this.#signal;
  }

  abort(reason?: unknown): void {
    abortSignal(this.#signal, reason);
  }

  get [Symbol.toStringTag](): string {
    return "AbortController";
  }
}

function makeSignal(): AbortSignal {
  isMaking = true;
  try {
    return new AbortSignal();
  } finally {
    isMaking = false;
  }
}
