import type { GuestFrame, HostFrame } from "../../../sandbox/isolate/protocol.ts";

/** Why hone ended a guest: its own knowledge, which nothing in the guest can forge. */
export type KillReason = "overdue" | "memory" | "protocol" | "retired";

/** How a guest process ended. */
export type GuestEnd = {
  readonly killedFor: KillReason | null;
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  /** The first part of what it wrote to its standard error: the engine's dying words. */
  readonly stderr: string;
};

/** A process that runs programs and speaks in frames, wherever it is. */
export interface Guest {
  /** Moment (as `performance.now()`) at which the guest is overdue; infinite while it is idle. */
  deadlineMs: number;
  /** CPU time of its calls so far, in milliseconds, as it tells it. */
  cpuMs: number;
  /** It has this much more, in milliseconds, to end a call by itself before it is ended. */
  readonly graceMs: number;
  /** Aborted once the process has ended. */
  readonly gone: AbortSignal;
  /** Resolves when the process has ended; rejects where what held it is gone with it. */
  readonly closed: Promise<GuestEnd>;
  send(frame: HostFrame): void;
  /** The next frame; null when the guest is gone. */
  receive(): Promise<GuestFrame | null>;
  /** Ends the guest at once; the first reason given stands. */
  kill(reason: KillReason): void;
}
