import type { Json } from "../domain/json.ts";
import type { CapabilityName, Limits, Program } from "../domain/skill.ts";
import type { Answer, Environment, Outcome, Request, Trace } from "../domain/trace.ts";

/** One question put to a program. What is expected is not in it. */
export type Call = {
  readonly args: readonly Json[];
  readonly grants: readonly CapabilityName[];
  readonly environment: Environment;
  /** Answers the guest's requests of this call. */
  readonly host: CapabilityHost;
};

export type Execution = {
  readonly program: Program;
  readonly calls: readonly Call[];
  readonly limits: Limits;
  /** A new isolate for each call; else the calls share one, in order. */
  readonly fresh: boolean;
  /** Stop after the first call that did not return: for search, where one miss ends a candidate. */
  readonly stopAtFirstThrow?: boolean;
  /** A timeout is told after one run, not after a second alone: for search, where it costs little. */
  readonly unconfirmed?: boolean;
  /** The program counts the places it passes (see Editor.instrument); hits come with each result. */
  readonly witness?: boolean;
  /**
   * The run that waits for this execution, the same symbol for all that it waits for. One of them at
   * a time is given a guest at once: a run that holds one must not wait for those who wait for it.
   */
  readonly within?: symbol;
};

export type CallResult = {
  readonly trace: Trace;
  /** Site numbers that ran, where a witness was asked for. */
  readonly hits: readonly number[];
};

/** Many variants of a program, each put to the same calls, in instances of their own. */
export type Sifting = {
  /** As `Editor.variants` makes it. */
  readonly program: Program;
  readonly seats: readonly Seat[];
  readonly calls: readonly SiftedCall[];
  readonly limits: Limits;
  /** Turns of loops and entries into functions that one variant may take for one call. */
  readonly fuel: number;
  /** Time for all of it, in milliseconds: of what is not done then, nothing is known. */
  readonly budgetMs?: number;
  /** What each variant asked for is told. */
  readonly tellsAsked?: boolean;
};

/**
 * `makeHost` makes hosts that are alike: the same requests in the same order are told the same. It
 * is asked once for each course of a call, however many variants take it. What variants ask is
 * answered where all calls have it.
 */
export type SiftedCall = Omit<Call, "host"> & { readonly makeHost?: () => CapabilityHost };

/** A part of a program of variants, and the variant of that part; 0 is the part as it is. */
export type Seat = readonly [part: number, variant: number];

/**
 * What became of each seat at each call: unit n is seat n % seats at call n / seats. A variant that
 * ran out of fuel, or wants more answers than its fuel would ever pay for, has timed out; null where
 * it waits for something that nobody answers, or has had no time. Traces are not kept, and errors have no frames.
 */
export type Sifted = {
  /** Different outcomes. */
  readonly outcomes: readonly (Outcome | null)[];
  /** By the position of an outcome, the requests of each turn, where these were to be told. */
  readonly asked: readonly (readonly (readonly Request[])[])[];
  /** By unit, the position of its outcome. */
  readonly of: readonly number[];
  /** By unit, the fuel that it took. */
  readonly used: readonly number[];
};

/** What a sandbox keeps to run programs in, and how many executions wait for it. */
export type PoolState = {
  readonly idle: number;
  readonly busy: number;
  readonly waiting: number;
};

/** What the host tells the guest when it is quiescent. */
export type Delivery = {
  /** Delivered in this order, in one turn. Empty: nothing will ever come. */
  readonly answers: readonly Answer[];
  /** The run's clock from now on. */
  readonly now: number;
};

/**
 * Answers what one call asks for. `next` is called each time the guest is quiescent, with the
 * requests it made since; it resolves with the answers that arrive next. It rejects for nothing
 * that the guest can cause. The signal is the call's, the same at each turn: it is aborted when the
 * call has ended, so that what is still on its way is given up.
 */
export interface CapabilityHost {
  next(requests: readonly Request[], signal: AbortSignal): Promise<Delivery>;
}

/**
 * Executes a program on some calls, behind a wall. It executes; it does not judge.
 *
 * Contract, kept by `test/contracts/sandbox.contract.ts` for every adapter:
 * - resolves for everything the guest does, endless loops and crashes included, with one result per
 *   call (fewer only when stopAtFirstThrow cut it short);
 * - a call that ran out of time or memory or lost its process is run a second time, alone, and that
 *   run's result is told; its requests are answered from the record of the first (see unconfirmed);
 * - requests of a call's last turn reach its host, their answers reach nobody; timers do not;
 * - a time limit is wall clock from the start of the skill's call, enforced from outside;
 * - rejects with `sandbox-unavailable` only when the wall itself could not be put up, and with the
 *   signal's reason when aborted;
 * - leaves no process and no file behind once disposed.
 */
export interface Sandbox extends AsyncDisposable {
  readonly tier: "isolate" | "docker";
  execute(execution: Execution, signal: AbortSignal): Promise<readonly CallResult[]>;
  /**
   * Sifts many variants, cheaply: what it tells is to be confirmed by `execute` before anything is
   * made of it. A variant sees nothing of those before it: where one leaves something behind in the
   * context, it and its neighbours are run again, in new ones. Resolves for everything the guest
   * does. Absent where a tier has no such way.
   */
  sift?(sifting: Sifting, signal: AbortSignal): Promise<Sifted>;
  /** Its guests now; absent where there is no pool of them. */
  pool?(): PoolState;
}
