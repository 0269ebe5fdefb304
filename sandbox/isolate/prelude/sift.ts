import { argumentsFor, follow, type Realm, settleReturned, settleThrown } from "./call.ts";
import { type Bare, type Intrinsics, type Method, methodOf } from "./intrinsics.ts";
import { isIntact, type Surface, surfaceOf, sweep } from "./surface.ts";
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
  readonly longest: number;
};

/** Positions by the text of an outcome, which is never that of a number. */
type Known = Bare & Record<number, number>;

/** A plan at work, and what is not told of it yet. */
export type Sieve = Bare & {
  readonly plan: Plan;
  readonly parts: readonly Factory[];
  readonly surface: Surface;
  /** Milliseconds that pass outside. */
  readonly wall: () => number;
  readonly spent: () => never;
  readonly exec: Method;
  readonly empty: RegExp;
  from: number;
  /** The unit that runs, or the next one. */
  at: number;
  isRunning: boolean;
  isSwept: boolean;
  left: () => number;
  known: Known;
  count: number;
  outcomes: string;
  indices: string;
  used: string;
};

/** Takes a plan; its program only defines functions. The error as text where it does not. */
export function openSieve(
  realm: Realm,
  text: string,
  planText: string,
  wall: () => number,
): Sieve | string {
  const { of } = realm;
  const plan = of.parse(planText) as Plan;
  const Spent = of.errors.Error;
  realm.longest = plan.longest;
  realm.withStacks = false;
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
      exec: methodOf(RegExp.prototype, "exec"),
      empty: /(?:)/,
      from: 0,
      at: 0,
      isRunning: false,
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

/**
 * Runs units from a position on, at most so many, until the slice is over or one is pending: its
 * jobs run when this has returned. With `goesOn` that one is read and the rest of them is run.
 */
export function siftSome(
  realm: Realm,
  sieve: Sieve,
  {
    from,
    most,
    goesOn,
  }: Bare & { readonly from: number; readonly most: number; readonly goesOn: boolean },
): string {
  const { seats, calls } = sieve.plan;
  const total = seats.length * calls.length;
  const until = from + most < total ? from + most : total;
  // No unit is begun later than this many milliseconds after the first.
  const endsAt = sieve.wall() + 25;
  if (!goesOn) startFrom(sieve, from);
  else record(realm, sieve, "");
  while (sieve.at < until && sieve.outcomes.length < 1_000_000) {
    begin(realm, sieve);
    // No other unit may come between it and its jobs.
    if (realm.outcome === "") return "pending";
    record(realm, sieve, "");
    if (sieve.wall() >= endsAt) break;
  }
  return "";
}

function startFrom(sieve: Sieve, from: number): void {
  sieve.from = sieve.at = from;
  sieve.known = { __proto__: null };
  sieve.count = 0;
  sieve.outcomes = sieve.indices = sieve.used = "";
  sieve.isSwept = true;
}

function begin(realm: Realm, sieve: Sieve): void {
  const { of } = realm;
  const { seats, calls, takesCtx } = sieve.plan;
  const call = calls[of.trunc(sieve.at / seats.length)] as Plan["calls"][number];
  sieve.isRunning = true;
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

/** Notes how the unit that runs has ended; `forced` where that is known from outside. */
function record(realm: Realm, sieve: Sieve, forced: string): void {
  const outcome = forced === "" ? endOf(realm, sieve) : forced;
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

/** A unit that asks for something is left to those who can answer. */
function endOf({ outcome, uncaught, requests }: Realm, sieve: Sieve): string {
  if (sieve.left() < 0) return '{"status":"spent"}';
  if (uncaught !== "") return '{"status":"unhandled-rejection","error":' + uncaught + "}";
  if (requests.hasEffects()) return '{"status":"asks"}';
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
  if (sieve.isRunning || isLate) record(realm, sieve, forced);
  const isClean = sieve.isSwept && isIntact(realm.of, sieve.surface);
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
export const SIFT_PARTS = [
  openSieve,
  siftSome,
  startFrom,
  begin,
  callNow,
  mayBeThenable,
  instantiate,
  record,
  endOf,
  siftedText,
];
