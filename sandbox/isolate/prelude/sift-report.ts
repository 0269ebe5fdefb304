import type { Realm } from "./call.ts";
import type { Sieve } from "./sift.ts";
import { isIntact, sweep } from "./surface.ts";

/** Forgets what was told, and begins with a unit. */
export function startFrom(sieve: Sieve, from: number): void {
  sieve.from = sieve.at = from;
  sieve.known = { __proto__: null };
  sieve.count = 0;
  sieve.outcomes = sieve.indices = sieve.used = "";
  sieve.isSwept = true;
}

/** Notes how the unit that runs has ended; `forced` where that is known from outside. */
export function record(realm: Realm, sieve: Sieve, forced: string): void {
  const outcome = withAsked(realm, sieve, forced === "" ? endOf(realm, sieve) : forced);
  // An object without a prototype: whatever the text is, it is an own member or none.
  const key = outcome as unknown as number;
  let index = sieve.known[key];
  if (index === undefined) {
    index = sieve.known[key] = sieve.count++;
    sieve.outcomes += (index === 0 ? "" : ",") + outcome;
  }
  const comma = sieve.at === sieve.from ? "" : ",";
  sieve.indices += comma + index;
  sieve.used += comma + (sieve.plan.fuel - sieve.left());
  if (!sieve.plan.strict && !sweep(realm.of, sieve.surface)) sieve.isSwept = false;
  sieve.at += 1;
  sieve.isRunning = false;
}

/** The requests since the last time as a JSON array; what is to be told of them is kept. */
export function takeAsked(requests: Realm["requests"], sieve: Sieve): string {
  const text = requests.take();
  if (sieve.plan.tellsAsked && text.length > 2) {
    const comma = sieve.asked === "" ? "" : ",";
    sieve.asked += comma + text;
  }
  return text;
}

/** Puts what is to be told of the requests into the text of an outcome. */
function withAsked({ of, requests }: Realm, sieve: Sieve, outcome: string): string {
  if (!sieve.plan.tellsAsked) return outcome;
  takeAsked(requests, sieve);
  if (sieve.asked === "") return outcome;
  return of.slice(outcome, 0, -1) + ',"asked":[' + sieve.asked + "]}";
}

/**
 * The effects of a unit that has ended reach nobody, as in a world that is thrown away. A unit that
 * asks for something that nobody answers is left to those who can.
 */
function endOf({ outcome, uncaught, requests }: Realm, sieve: Sieve): string {
  if (sieve.left() < 0) return '{"status":"spent"}';
  if (uncaught !== "") return '{"status":"unhandled-rejection","error":' + uncaught + "}";
  if (!sieve.plan.isAnswered && requests.hasEffects()) return '{"status":"asks"}';
  if (outcome === "") {
    return requests.waiting() > 0 ? '{"status":"asks"}' : '{"status":"never-settled"}';
  }
  return outcome;
}

/** The members of a report on the units run since `siftSome`, the one that runs included. */
export function siftedText(realm: Realm, sieve: Sieve, forced: string): string {
  // The only unit had returned before what it left undone came to light.
  const isLate = forced !== "" && !sieve.isRunning && sieve.at === sieve.from + 1;
  if (isLate) startFrom(sieve, sieve.from);
  // What was left undone by one that has ended, of several: nobody can tell which.
  const isStray = forced !== "" && !sieve.isRunning && !isLate;
  if (sieve.isRunning || isLate) record(realm, sieve, forced);
  const isClean = !isStray && sieve.isSwept && isIntact(realm.of, sieve.surface);
  return (
    (isClean ? "C" : "P") +
    '"from":' +
    sieve.from +
    ',"to":' +
    sieve.at +
    ',"outcomes":[' +
    sieve.outcomes +
    '],"of":[' +
    sieve.indices +
    '],"used":[' +
    sieve.used +
    "]"
  );
}

/** The functions of this file, which become the text of the prelude. */
export const SIFT_REPORT_PARTS = [startFrom, record, takeAsked, withAsked, endOf, siftedText];
