import { argumentsFor, follow, type Realm, settleReturned, settleThrown } from "./call.ts";
import { type Bare, type Intrinsics, type Method, methodOf } from "./intrinsics.ts";
import { record, startFrom, takeAsked } from "./sift-report.ts";
import { type Surface, surfaceOf } from "./surface.ts";
import { thrownText } from "./thrown.ts";

/** Makes an instance of one variant: its entry, and how much fuel it has left. */
type Factory = (
  variant: number,
  fuel: number,
  spent: () => never,
) => readonly [Realm["entry"] | undefined, () => number];

/** What is sifted: each call is put to each seat; their pairs are the units, by call, then seat. */
type Plan = {
  readonly seats: readonly (readonly [part: number, variant: number])[];
  readonly calls: readonly {
    readonly question: string;
    readonly now: number;
    readonly seed: number;
  }[];
  readonly fuel: number;
  readonly takesCtx: boolean;
  /** Strict code cannot make a global name by writing to one that is not there. */
  readonly strict: boolean;
  /** Somebody answers what is asked for; else such a unit is left to those who can. */
  readonly isAnswered: boolean;
  /** What a unit asked for is told with its outcome. */
  readonly tellsAsked: boolean;
  readonly longest: number;
};

/** Positions by the text of an outcome, which is never that of a number. */
type Known = Bare & Record<number, number>;

/** A plan at work, and what is not told of it yet. */
export type Sieve = Bare & {
  plan: Plan;
  readonly parts: readonly Factory[];
  readonly surface: Surface;
  /** Milliseconds that pass outside. */
  readonly wall: () => number;
  readonly spent: () => never;
  /** Its text may leave jobs behind when it has returned: they are run before the next unit. */
  readonly leavesJobs: boolean;
  readonly exec: Method;
  readonly empty: RegExp;
  from: number;
  /** The unit that runs, or the next one. */
  at: number;
  isRunning: boolean;
  /** What the unit that runs has asked for: JSON texts with commas between them. */
  asked: string;
  isSwept: boolean;
  left: () => number;
  known: Known;
  count: number;
  outcomes: string;
  indices: string;
  used: string;
};

/**
 * Takes a plan; its program only defines functions. Without one, the plan is for that of the sieve
 * before. The error as text where there is none.
 */
export function openSieve(
  realm: Realm,
  { text, more, wall, before }: Bare & SieveText,
): Sieve | string {
  const { of } = realm;
  const plan = of.parse(more) as Plan;
  const Spent = of.errors.Error;
  realm.longest = plan.longest;
  realm.withStacks = false;
  if (text === "" && before !== null) {
    before.plan = plan;
    return before;
  }
  try {
    return {
      __proto__: null,
      plan,
      parts: of.evaluate(text) as readonly Factory[],
      surface: surfaceOf(of),
      wall,
      spent: () => {
        throw new Spent("the fuel is spent");
      },
      leavesJobs: /\b(?:async|Promise|then|queueMicrotask|set(?:Timeout|Interval))\b/.test(text),
      exec: methodOf(RegExp.prototype, "exec"),
      empty: /(?:)/,
      from: 0,
      at: 0,
      isRunning: false,
      asked: "",
      isSwept: true,
      left: () => 0,
      known: { __proto__: null },
      count: 0,
      outcomes: "",
      indices: "",
      used: "",
    };
  } catch (thrown) {
    return thrownText(of, thrown);
  }
}

type SieveText = {
  readonly text: string;
  /** JSON text of a plan. */
  readonly more: string;
  /** Milliseconds that pass outside. */
  readonly wall: () => number;
  readonly before: Sieve | null;
};

/**
 * Runs units from a position on, at most so many, until the slice is over or one is `pending`: its
 * jobs run when this has returned. Then `on` reads that one: what it waits for is told as its
 * number, `:` and the requests; else its end is noted, or the one that is `forced`, and the rest is
 * run; `last` does the same where there is no time for the rest.
 */
export function siftSome(
  realm: Realm,
  sieve: Sieve,
  { from, most, how, forced }: Bare & Slice,
): string {
  const { seats, calls } = sieve.plan;
  const total = seats.length * calls.length;
  const until = from + most < total ? from + most : total;
  // No unit is begun later than this many milliseconds after the first.
  const endsAt = sieve.wall() + 25;
  if (how === "") startFrom(sieve, from);
  else {
    const asked = forced === "" ? askedIn(realm, sieve) : "";
    if (asked !== "") return asked;
    record(realm, sieve, forced);
    if (how === "last") return "";
  }
  while (sieve.at < until && sieve.outcomes.length < 1_000_000) {
    begin(realm, sieve);
    // No other unit may come between it and its jobs.
    if (realm.outcome === "" || sieve.leavesJobs) return "pending";
    record(realm, sieve, "");
    if (sieve.wall() >= endsAt) break;
  }
  return "";
}

type Slice = {
  readonly from: number;
  readonly most: number;
  /** Empty, or `on` or `last` where a unit is pending. */
  readonly how: string;
  /** JSON text of the end of the unit that runs, where that is known from outside; else empty. */
  readonly forced: string;
};

/** What the unit that runs has asked for and waits for; empty where it waits for nothing. */
function askedIn({ outcome, uncaught, requests }: Realm, sieve: Sieve): string {
  const hasEnded = outcome !== "" || uncaught !== "" || sieve.left() < 0;
  if (!sieve.plan.isAnswered || hasEnded || requests.waiting() === 0) return "";
  return sieve.at + ":" + takeAsked(requests, sieve);
}

function begin(realm: Realm, sieve: Sieve): void {
  const { of } = realm;
  const { seats, calls, takesCtx } = sieve.plan;
  const call = calls[of.trunc(sieve.at / seats.length)] as Plan["calls"][number];
  sieve.isRunning = true;
  sieve.asked = "";
  sieve.left = () => 0;
  realm.entry = null;
  realm.outcome = realm.uncaught = "";
  realm.requests.clear();
  realm.timers.clear();
  realm.journal.clear();
  realm.clock.start(call.now, call.seed);
  // What the last match before was can be seen through RegExp.$1 and its kin.
  of.apply(sieve.exec, sieve.empty, [""]);
  const error = instantiate(realm, sieve, seats[sieve.at % seats.length] as Plan["seats"][number]);
  if (error === "") callNow(realm, argumentsFor(realm, call.question, takesCtx ? "ctx" : ""));
  else realm.outcome = '{"status":"not-loaded","error":' + error + "}";
}

/** Calls the entry. What cannot be a promise is its result at once: most units end within one turn. */
function callNow(realm: Realm, args: readonly unknown[]): void {
  const { of } = realm;
  let made: unknown;
  try {
    made = of.apply(realm.entry as Method, undefined, args);
  } catch (thrown) {
    settleThrown(realm, thrown);
    return;
  }
  if (mayBeThenable(of, made)) void follow(realm, made);
  else settleReturned(realm, made);
}

function mayBeThenable(of: Intrinsics, made: unknown): boolean {
  if (typeof made === "function") return true;
  let holder = typeof made === "object" ? made : null;
  for (let steps = 0; holder !== null; steps += 1) {
    if (steps > 32 || of.descriptorOf(holder, "then") !== undefined) return true;
    holder = of.prototypeOf(holder);
  }
  return false;
}

/** The error as text; empty if none. */
function instantiate(realm: Realm, sieve: Sieve, seat: Plan["seats"][number]): string {
  const { of } = realm;
  try {
    const factory = sieve.parts[seat[0]] as unknown as Method;
    const given = [seat[1], sieve.plan.fuel, sieve.spent];
    const made = of.apply(factory, globalThis, given) as ReturnType<Factory>;
    sieve.left = made[1];
    realm.entry = made[0] ?? null;
  } catch (thrown) {
    return thrownText(of, thrown, false);
  }
  if (realm.entry !== null) return "";
  return '{"name":"ReferenceError","message":"the program defines no such function","stack":""}';
}

/** The functions of this file, which become the text of the prelude. */
export const SIFT_PARTS = [
  openSieve,
  siftSome,
  askedIn,
  begin,
  callNow,
  mayBeThenable,
  instantiate,
];
