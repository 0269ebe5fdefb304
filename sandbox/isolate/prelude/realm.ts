import { beginCall, type Realm, reportOf, stateOf } from "./call.ts";
import { bindTime, makeClock } from "./clock.ts";
import { takeIntrinsics } from "./intrinsics.ts";
import { bindConsole, makeJournal } from "./journal.ts";
import { makeRequests } from "./requests.ts";
import { siftedText } from "./sift-report.ts";
import { openSieve, type Sieve, siftSome } from "./sift.ts";
import { thrownText } from "./thrown.ts";
import { bindTimers } from "./timers.ts";
import { makeWitness } from "./witness.ts";

/** The only way in from the guest process: texts and numbers in, text out. */
// oxlint-disable-next-line max-params
export type Door = (
  verb: string,
  text?: string,
  more?: string,
  now?: number,
  seed?: number,
) => string;

/** Prepares the global scope and returns the door. The skill's text comes after this. */
function openRealm(): Door {
  const of = takeIntrinsics();
  const wall = Date.now;
  let sieve: Sieve | null = null;
  const clock = makeClock();
  const journal = makeJournal(of);
  const requests = makeRequests(of);
  const realm: Realm = {
    __proto__: null,
    of,
    clock,
    journal,
    requests,
    timers: bindTimers(of, requests, (thrown) => noteUncaught(realm, thrown)),
    witness: makeWitness(of),
    entry: null,
    longest: 0,
    withStacks: true,
    outcome: "",
    uncaught: "",
  };
  bindTime(of, clock);
  bindConsole(of, journal);
  closeWindows();
  // oxlint-disable-next-line max-params
  return (verb, text = "", more = "", now = 0, seed = 0) => {
    switch (verb) {
      case "load":
        clock.start(now, seed);
        return loadProgram(realm, text, more);
      case "begin":
        return beginCall(realm, text, more, { __proto__: null, now, seed });
      case "resume":
        clock.advance(now);
        requests.settle(text);
        return "";
      case "left":
        // In a guest that is no isolate of isolated-vm, `text` is the reason of a rejection itself.
        noteUncaught(realm, text);
        return "";
      case "state":
        return stateOf(realm);
      case "plan": {
        const opened = openSieve(realm, { __proto__: null, text, more, wall, before: sieve });
        sieve = typeof opened === "string" ? null : opened;
        return typeof opened === "string" ? opened : "";
      }
      case "sift": {
        const slice = { __proto__: null, from: now, most: seed, how: text, forced: more } as const;
        return siftSome(realm, sieve as Sieve, slice);
      }
      case "sifted":
        return siftedText(realm, sieve as Sieve, text);
      default:
        return reportOf(realm, text);
    }
  };
}

/** The first of them stands. */
function noteUncaught(realm: Realm, thrown: unknown): void {
  if (realm.uncaught === "") realm.uncaught = thrownText(realm.of, thrown);
}

/** Takes away what sees threads, the collector or raw machine code, and hooks into stacks. */
function closeWindows(): void {
  const windows = [
    "WebAssembly",
    "SharedArrayBuffer",
    "Atomics",
    "WeakRef",
    "FinalizationRegistry",
  ];
  for (const name of windows) Reflect.deleteProperty(globalThis, name);
  const ignored = (): void => {};
  Reflect.defineProperty(Error, "prepareStackTrace", {
    get: () => undefined,
    set: ignored,
  });
}

/** Evaluates the program, whose value is the skill's function. The error as text; empty if none. */
function loadProgram(realm: Realm, text: string, options: string): string {
  const { of } = realm;
  const { longest, witness } = of.parse(options) as { longest: number; witness: boolean };
  realm.longest = longest;
  if (witness) realm.witness.install();
  try {
    const entry = of.evaluate(text);
    if (typeof entry !== "function")
      return '{"name":"ReferenceError","message":"the program defines no such function","stack":""}';
    realm.entry = entry as Realm["entry"];
    realm.witness.keepLoaded();
    return "";
  } catch (thrown) {
    return thrownText(of, thrown);
  }
}

/** The functions of this file, which become the text of the prelude. */
export const REALM_PARTS = [openRealm, noteUncaught, closeWindows, loadProgram];
