import type { RunClock } from "./clock.ts";
import { makeCtx } from "./ctx.ts";
import { type Bare, type Intrinsics, put } from "./intrinsics.ts";
import type { Journal } from "./journal.ts";
import { type Written, writePlain } from "./plain-data.ts";
import type { Requests } from "./requests.ts";
import { thrownText } from "./thrown.ts";
import type { Timers } from "./timers.ts";
import type { Witness } from "./witness.ts";

/** All that the prelude keeps of a realm: its own parts, and what became of the current call. */
export type Realm = Bare & {
  readonly of: Intrinsics;
  readonly clock: RunClock;
  readonly journal: Journal;
  readonly requests: Requests;
  readonly timers: Timers;
  readonly witness: Witness;
  /** The skill's function. */
  entry: ((...args: readonly unknown[]) => unknown) | null;
  /** Longest result as JSON, in bytes. */
  longest: number;
  /** Whether errors are told with their stacks, which takes longer than most calls. */
  withStacks: boolean;
  /** JSON text of the outcome; empty while the call is pending. */
  outcome: string;
  /** JSON text of the first error that a timer's callback threw; empty without one. */
  uncaught: string;
};

/** Starts a call with everything set back; it may be pending when this returns. */
export function beginCall(
  realm: Realm,
  question: string,
  takesCtx: string,
  { now, seed }: Bare & { readonly now: number; readonly seed: number },
): string {
  const { clock } = realm;
  realm.outcome = realm.uncaught = "";
  realm.requests.clear();
  realm.timers.clear();
  realm.journal.clear();
  realm.witness.restart();
  clock.start(now, seed);
  callEntry(realm, argumentsFor(realm, question, takesCtx));
  return "";
}

/** New arguments for the entry, with ctx at its place where it takes one. */
export function argumentsFor(realm: Realm, question: string, takesCtx: string): unknown[] {
  const { of } = realm;
  const { args, grants, ctxAt } = of.parse(question) as Question;
  if (takesCtx === "") return args;
  const entry = realm.entry as (...args: readonly unknown[]) => unknown;
  const at = ctxAt ?? laterOf(args.length, entry.length - 1);
  for (let gap = args.length; gap < at; gap += 1) put(of, args, gap, undefined);
  put(of, args, at, makeCtx(realm, grants));
  return args;
}

/** A call's arguments and grants; `ctxAt` says where ctx goes when the program's text tells. */
type Question = {
  readonly args: unknown[];
  readonly grants: readonly string[];
  readonly ctxAt: number | null;
};

function laterOf(a: number, b: number): number {
  return a > b ? a : b;
}

function callEntry(realm: Realm, args: readonly unknown[]): void {
  const { of } = realm;
  let made: unknown;
  try {
    made = of.apply(realm.entry as (...args: readonly unknown[]) => unknown, undefined, args);
  } catch (thrown) {
    settleThrown(realm, thrown);
    return;
  }
  if ((typeof made === "object" && made !== null) || typeof made === "function")
    void follow(realm, made);
  else settleReturned(realm, made);
}

/** `await` is the engine's own: no patched `then`, `constructor` or species has a say in it. */
export async function follow(realm: Realm, made: unknown): Promise<void> {
  let value: unknown;
  try {
    value = await made;
  } catch (thrown) {
    settleThrown(realm, thrown);
    return;
  }
  settleReturned(realm, value);
}

export function settleReturned(realm: Realm, value: unknown): void {
  if (realm.outcome !== "") return;
  const { of, longest } = realm;
  const options = { __proto__: null, root: "result", longest, lenient: false } as const;
  const { text, path, reason } = fitting(of, writePlain(of, value, options), longest);
  if (realm.outcome !== "") return;
  realm.outcome =
    text === null
      ? '{"status":"bad-result","path":' +
        of.stringify(path) +
        ',"reason":' +
        of.stringify(reason) +
        "}"
      : '{"status":"returned","value":' + text + "}";
}

/** The writer counts UTF-16 units; the limit is of bytes, which are at most three times as many. */
function fitting(of: Intrinsics, written: Written, longest: number): Written {
  const { text } = written;
  if (text === null || text.length * 3 <= longest) return written;
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = of.unitAt(text, at);
    // Half of a pair of surrogates is two of its four bytes; lone ones are written as escapes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  if (bytes <= longest) return written;
  const reason = "larger than " + longest + " bytes as JSON";
  return { __proto__: null, text: null, path: "result", reason };
}

export function settleThrown(realm: Realm, thrown: unknown): void {
  const error = thrownText(realm.of, thrown, realm.withStacks);
  if (realm.outcome === "") realm.outcome = '{"status":"threw","error":' + error + "}";
}

/**
 * `E` and the report of a call that has ended; `S` and the requests of one that has ended with
 * effects still to carry out; `A`, the number of requests that wait, `:` and those made since.
 */
export function stateOf(realm: Realm): string {
  const { requests } = realm;
  if (realm.uncaught !== "")
    return "E" + reportOf(realm, '{"status":"unhandled-rejection","error":' + realm.uncaught + "}");
  if (realm.outcome === "") return "A" + requests.waiting() + ":" + requests.take();
  if (requests.hasEffects()) return "S" + requests.take();
  return "E" + reportOf(realm, realm.outcome);
}

/** The members of a report, without braces. */
export function reportOf(realm: Realm, outcome: string): string {
  const hits = realm.witness.text();
  return '"outcome":' + outcome + ',"logs":' + realm.journal.text() + ',"hits":' + hits;
}

/** The functions of this file, which become the text of the prelude. */
export const CALL_PARTS = [
  beginCall,
  argumentsFor,
  laterOf,
  callEntry,
  follow,
  settleReturned,
  fitting,
  settleThrown,
  stateOf,
  reportOf,
];
