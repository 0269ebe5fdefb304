import type { GuestFrame, HostFrame } from "../../../sandbox/isolate/protocol.ts";
import type { Guest, GuestEnd, KillReason } from "../guest/guest.ts";
import { Inbox } from "../guest/inbox.ts";
import { readGuestFrame } from "../guest/frames.ts";
import type { ContainerEnd } from "./container.ts";

/** What a guest needs of the container that it is in. */
export type Surroundings = {
  readonly say: (text: string) => void;
  /** Has the runner kill the child. */
  readonly killChild: () => void;
  /** Ends the container by force. */
  readonly destroy: () => void;
};

/** A runner that has not killed a child after this time, in milliseconds, has its container ended. */
const KILL_WITHIN_MS = 1_500;

/** A child process in a container that runs programs. */
export class ContainerGuest implements Guest {
  deadlineMs = Number.POSITIVE_INFINITY;
  cpuMs = 0;
  /** A child does not end its calls by itself; the way to it takes some time. */
  readonly graceMs = 100;
  readonly closed: Promise<GuestEnd>;
  /** Numbers of the scripts it has been told. */
  readonly surfaces = new Set<number>();

  readonly #around: Surroundings;
  readonly #frames = new Inbox<GuestFrame>();
  readonly #gone = new AbortController();
  readonly #end = Promise.withResolvers<GuestEnd>();
  #killedFor: KillReason | null = null;

  constructor(around: Surroundings) {
    this.#around = around;
    this.closed = this.#end.promise;
    this.closed.catch(() => undefined);
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  send(frame: HostFrame): void {
    this.#around.say(JSON.stringify(frame));
  }

  receive(): Promise<GuestFrame | null> {
    return this.#frames.next();
  }

  kill(reason: KillReason): void {
    if (this.gone.aborted || this.#killedFor !== null) return;
    this.#killedFor = reason;
    this.#around.killChild();
    const late = setTimeout(() => this.#around.destroy(), KILL_WITHIN_MS);
    this.gone.addEventListener("abort", () => clearTimeout(late), { once: true });
  }

  /** Ends the guest where it is overdue. */
  check(nowMs: number): void {
    if (nowMs > this.deadlineMs) this.kill("overdue");
  }

  /** What the child said. */
  take(text: string): void {
    const frame = readGuestFrame(text);
    if (frame === "malformed") this.kill("protocol");
    else this.#frames.put(frame);
  }

  /** The child has ended. A kill that hone did not ask for is that of a system without memory. */
  childEnded(signal: string | null, code: number | null): void {
    const killedFor = this.#killedFor ?? killedBySystem(signal);
    this.#close({ killedFor, signal: signal as NodeJS.Signals | null, code, stderr: "" });
  }

  /** The container has ended, and the child with it: by itself, or as somebody wished. */
  containerEnded({ code, isOutOfMemory }: ContainerEnd): void {
    const killedFor = this.#killedFor ?? (isOutOfMemory ? "memory" : null);
    const signal = SIGNALS.get(code) ?? null;
    this.#close({ killedFor, signal, code, stderr: "" });
  }

  /** Nobody knows what became of it; where hone ended it, that is known. */
  lost(error: unknown): void {
    const killedFor = this.#killedFor;
    if (killedFor !== null) return this.#close({ killedFor, signal: null, code: null, stderr: "" });
    this.#end.reject(error);
    this.#close(null);
  }

  #close(end: GuestEnd | null): void {
    if (this.gone.aborted) return;
    if (end !== null) this.#end.resolve(end);
    this.#gone.abort();
    this.#frames.close();
  }
}

/** Exit codes of a process that a signal has ended, as shells count them. */
const SIGNALS: ReadonlyMap<number, NodeJS.Signals> = new Map([
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

function killedBySystem(signal: string | null): KillReason | null {
  if (signal === "SIGKILL") return "memory";
  // Its seconds of processor time are used up.
  return signal === "SIGXCPU" ? "overdue" : null;
}
