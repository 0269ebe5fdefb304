/**
 * What passes between the daemon (the host) and a guest process: frames of a length (4 bytes, little
 * endian) and as many bytes of JSON, over a socket of their own at descriptor 3. Nothing is read
 * from the guest's standard streams but its dying words.
 */
export const GUEST_DESCRIPTOR = 3;

/** A longer frame from a guest ends it: 32 MiB. */
export const LONGEST_FRAME_BYTES = 33_554_432;

/** Program text in stack traces goes by this name. */
export const PROGRAM_NAME = "hone:program";

/** Put before a strict program, on its first line. */
export const STRICT_PREFIX = '"use strict";';

type GuestProgram = {
  readonly text: string;
  readonly entry: string;
  readonly strict: boolean;
  readonly takesCtx: boolean;
};

/** A call as the guest gets it: `question` is the JSON text of `{args, grants, ctxAt}`. */
export type GuestCall = { readonly question: string; readonly now: number; readonly seed: number };

export type ExecuteFrame = {
  readonly kind: "execute";
  readonly program: GuestProgram;
  readonly calls: readonly GuestCall[];
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly outputBytes: number;
  readonly fresh: boolean;
  readonly stopAtFirstThrow: boolean;
  readonly witness: boolean;
  /** An isolate that an earlier execution left sound may serve again, with a new context. */
  readonly reuse: boolean;
  /** A script that is evaluated before the program, by the number it was told under. */
  readonly surface: number | null;
};

/** Puts each call to each seat of a program of variants; unit n is call n / seats, seat n % seats. */
export type SiftFrame = {
  readonly kind: "sift";
  /** Its text is that of the last `variants` that were told, by their number. */
  readonly program: Pick<GuestProgram, "strict" | "takesCtx"> & { readonly number: number };
  readonly seats: readonly (readonly [part: number, variant: number])[];
  readonly calls: readonly GuestCall[];
  /** Turns of loops and entries into functions that a unit may take. */
  readonly fuel: number;
  /** The host answers what units ask for, see `wants`. */
  readonly isAnswered: boolean;
  /** What units ask for is told with their outcomes. */
  readonly tellsAsked: boolean;
  /** The unit to begin with. */
  readonly from: number;
  /** So many units are run one at a time: one of them has ended an earlier guest. */
  readonly careful: number;
  readonly timeoutMs: number;
  /** No unit is begun after this time; what is left is for another frame. */
  readonly budgetMs: number;
  readonly memoryMb: number;
  readonly outputBytes: number;
  readonly surface: number | null;
};

export type HostFrame =
  | ExecuteFrame
  | SiftFrame
  | { readonly kind: "surface"; readonly number: number; readonly text: string }
  /** A program of variants, for the sifts that name it. */
  | { readonly kind: "variants"; readonly number: number; readonly text: string }
  /** `answers` is the JSON text of an array. */
  | { readonly kind: "deliver"; readonly answers: string; readonly now: number }
  /** Nothing will ever come. */
  | { readonly kind: "abandon" }
  /** To `wants`: `answers` is null where nothing will ever come; `course` is the number of this one. */
  | {
      readonly kind: "told";
      readonly course: number;
      readonly answers: string | null;
      readonly now: number;
    };

/** An error as the guest tells it; the host makes frames of the stack's text. */
export type TellingError = {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
};

export type TellingOutcome =
  | { readonly status: "returned"; readonly value: unknown }
  | {
      readonly status: "threw" | "not-loaded" | "unhandled-rejection";
      readonly error: TellingError;
    }
  | { readonly status: "bad-result"; readonly path: string; readonly reason: string }
  | { readonly status: "timed-out" | "never-settled" | "out-of-memory" };

export type EndedFrame = {
  readonly kind: "ended";
  readonly outcome: TellingOutcome;
  readonly logs: readonly { readonly level: string; readonly text: string }[];
  readonly hits: readonly number[];
  readonly usage: { readonly wallMs: number; readonly cpuMs: number; readonly heapBytes: number };
  /** It ended before the call began: the program's own text did not get through. */
  readonly atLoad: boolean;
};

/** What a call asks the host for. */
type GuestRequest = { readonly id: number; readonly kind: string; readonly args: unknown };

type SiftedStatus =
  | TellingOutcome
  /** It ran out of fuel. */
  | { readonly status: "spent" }
  /** It asked for something, or waits for something that was asked for. */
  | { readonly status: "asks" };

/** `asked`: the requests of each turn, where these are to be told. */
export type SiftedOutcome = SiftedStatus & {
  readonly asked?: readonly (readonly GuestRequest[])[];
};

/** What became of the units from `from` up to `to`. */
export type SiftedFrame = {
  readonly kind: "sifted";
  readonly from: number;
  readonly to: number;
  /** Different from each other. */
  readonly outcomes: readonly SiftedOutcome[];
  /** By unit, the position of its outcome. */
  readonly of: readonly number[];
  /** By unit, the fuel that it took. */
  readonly used: readonly number[];
};

export type GuestFrame =
  | SiftedFrame
  /** A unit waits for these, after a course that was told, or -1; no other unit has asked the same. */
  | {
      readonly kind: "wants";
      readonly call: number;
      readonly after: number;
      readonly requests: readonly GuestRequest[];
    }
  /** The guest cannot go on: the isolate of the next unit, or of one soon after it, is gone. */
  | { readonly kind: "broke" }
  | { readonly kind: "ready" }
  /** The program is loaded; the skill's call starts now. */
  | { readonly kind: "began" }
  | {
      readonly kind: "asks";
      readonly requests: readonly GuestRequest[];
      /** The call has its outcome; only the effects of these are still wanted. */
      readonly settled: boolean;
    }
  | EndedFrame
  /** All calls of the execution that will be run here have been. */
  | {
      readonly kind: "done";
      /** Processor time of a sift, in milliseconds. */
      readonly cpuMs?: number;
    };
