/**
 * What passes between the daemon and a container, over the container's standard streams: frames of
 * a length (4 bytes, little endian) and as many bytes of text. In the container the runner speaks;
 * the program it runs is in a child process, which has a channel to the runner and none to the
 * outside. What the runner says begins with a nonce of its container, so that no other process there
 * can say it.
 */
export const NONCE_LENGTH = 32;

/**
 * Comes before the first frame. What is before it is not ours: a proxy in front of the engine may
 * let the body of the request that attached us through as if it were input.
 */
export const OPENING = "hone: frames from here on\n";

/** What the daemon tells the runner. */
export type RunnerCommand =
  /** First of all. A child is started ahead. */
  | {
      readonly kind: "begin";
      readonly nonce: string;
      /** The program of the children, see `vmGuestText`. */
      readonly guest: string;
      readonly memoryMb: number;
    }
  /** Ends the child that is there and starts another. */
  | { readonly kind: "child"; readonly memoryMb: number }
  /** A frame for the child. */
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "kill" };

/** What the runner reports of the children, which it numbers from 1. */
export type RunnerReport =
  | { readonly kind: "said"; readonly child: number; readonly text: string }
  | {
      readonly kind: "gone";
      readonly child: number;
      readonly signal: string | null;
      readonly code: number | null;
    };
