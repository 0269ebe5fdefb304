/**
 * What a probe does in the guest: it notes what is in scope at each hole, each time the hole is
 * passed, and puts other values there where it is told to. These functions become text of a program
 * and may use only their parameters and each other; they write values as `values.ts` reads them.
 */

/** What a probe is to do in one call, by the number of the hole. */
export type ProbePlan = {
  /** 1 for each hole that is counted, noted or forced; the others cost nearly nothing. */
  readonly watch: readonly number[];
  /** Turns of a hole that are noted: those below the first number, and from the second on. */
  readonly keep: readonly (readonly [below: number, from: number])[];
  /** What to put into a hole, turn by turn as written values, and in all further turns. */
  readonly force: {
    readonly hole: number;
    readonly turns: readonly unknown[];
    readonly rest: unknown;
  } | null;
  /** Turns of loops and entries into functions. */
  readonly fuel: number;
};

type Note = { readonly hole: number; readonly turn: number; atoms: unknown[]; was: unknown };

/** All that a probe keeps of one call. */
type Recorder = {
  plan: ProbePlan;
  counts: number[];
  notes: Note[];
  room: number;
  fuel: number;
};

/** A recorder that notes nothing: code at the top of a program may run before any call. */
function newRecorder(): Recorder {
  return {
    plan: { watch: [], keep: [], force: null, fuel: 1e9 },
    counts: [],
    notes: [],
    room: 0,
    fuel: 1e9,
  };
}

/** Marks that a hole is passed; the mark stands for this turn. */
function markAt(
  recorder: Recorder,
  hole: number,
  atomsHere: () => (() => unknown)[],
): { readonly turn: number; readonly note: Note | null } {
  const turn = recorder.counts[hole] ?? 0;
  recorder.counts[hole] = turn + 1;
  const kept = recorder.plan.keep[hole];
  const isKept = kept !== undefined && (turn < kept[0] || turn >= kept[1]);
  if (!isKept || recorder.room <= 0) return { turn, note: null };
  const note: Note = { hole, turn, atoms: writtenAtoms(recorder, atomsHere()), was: { x: 0 } };
  recorder.notes.push(note);
  return { turn, note };
}

function writtenAtoms(recorder: Recorder, thunks: (() => unknown)[]): unknown[] {
  return thunks.map((thunk) => {
    try {
      const value = writtenValue(thunk(), 300);
      recorder.room -= 1 + sizeOfWritten(value);
      return value;
    } catch {
      // A name that is not initialised yet, a member of nothing: no value here.
      return { x: 0 };
    }
  });
}

/** The value of a hole as it goes on: its own, or the one that is forced. */
function settledAt(
  recorder: Recorder,
  hole: number,
  mark: { readonly turn: number; readonly note: Note | null },
  own: unknown,
): unknown {
  const { force } = recorder.plan;
  let value = own;
  if (force !== null && force.hole === hole) {
    const forced = mark.turn < force.turns.length ? force.turns[mark.turn] : force.rest;
    value = readValue(forced, own);
  }
  if (mark.note !== null) mark.note.was = writtenValue(value, 300);
  return value;
}

/** A value as text can carry it, of at most so many parts. */
function writtenValue(value: unknown, most: number): unknown {
  let left = most;
  const write = (one: unknown, depth: number): unknown => {
    left -= 1;
    if (left < 0 || depth > 8) return { x: 0 };
    if (one === null || typeof one === "boolean") return one;
    if (typeof one === "string") return one.length <= 400 ? one : { x: 0 };
    if (typeof one === "undefined") return { u: 0 };
    if (typeof one === "number") {
      if (Object.is(one, -0)) return { n: "-0" };
      return Number.isFinite(one) ? one : { n: String(one) };
    }
    if (typeof one !== "object") return { x: 0 };
    if (Array.isArray(one)) {
      return one.length <= 120 ? Array.from(one, (item) => write(item, depth + 1)) : { x: 0 };
    }
    const prototype: unknown = Object.getPrototypeOf(one);
    if (prototype !== null && prototype !== Object.prototype) return { x: 0 };
    return { o: Object.entries(one).map(([key, item]) => [key, write(item, depth + 1)]) };
  };
  return write(value, 0);
}

/** Texts count by their length, everything else by its parts. */
function sizeOfWritten(written: unknown): number {
  if (typeof written === "string") return 1 + written.length / 8;
  if (typeof written !== "object" || written === null) return 1;
  return Object.values(written).reduce((sum: number, one) => sum + sizeOfWritten(one), 1);
}

/** A written value; `{k: 0}` is the hole's own. */
function readValue(written: unknown, own: unknown): unknown {
  if (typeof written !== "object" || written === null) return written;
  if (Array.isArray(written)) return written.map((one) => readValue(one, own));
  const { o, u, n, k } = written as Record<string, unknown>;
  if (k === 0) return own;
  if (u === 0) return undefined;
  if (typeof n === "string") return Number(n);
  const members = (Array.isArray(o) ? o : []) as [string, unknown][];
  return Object.fromEntries(members.map(([key, one]) => [key, readValue(one, own)]));
}

/** Starts a call by a plan; the promise of an async skill is followed. */
function recordedCall(
  recorder: Recorder,
  plan: ProbePlan,
  { call, fuelLeft }: { readonly call: () => unknown; readonly fuelLeft: () => number },
): unknown {
  recorder.plan = plan;
  recorder.counts = [];
  recorder.notes = [];
  recorder.room = 20_000;
  recorder.fuel = plan.fuel;
  const told = (outcome: unknown[]): unknown => {
    const { counts, notes } = recorder;
    const used = plan.fuel - fuelLeft();
    return { outcome, counts: Array.from(counts, (count) => count ?? 0), notes, used };
  };
  const returned = (value: unknown): unknown => told(["returned", writtenValue(value, 5_000)]);
  const threw = (error: unknown): unknown => {
    if (recorder.fuel < 0) return told(["spent"]);
    const { name, message } = Object(error) as {
      readonly name: unknown;
      readonly message: unknown;
    };
    return told(["threw", String(name), String(message)]);
  };
  let made: unknown;
  try {
    made = call();
  } catch (error) {
    return threw(error);
  }
  const isPromise = typeof made === "object" && made !== null && "then" in made;
  return isPromise ? (made as Promise<unknown>).then(returned, threw) : returned(made);
}

/** The functions of this file, which become text of a probe. */
const PARTS = [
  newRecorder,
  markAt,
  writtenAtoms,
  settledAt,
  writtenValue,
  sizeOfWritten,
  readValue,
  recordedCall,
];

/** Text that notes at a hole what some expressions are, where the hole is watched; else nothing. */
export function markText(hole: number, atoms: readonly string[]): string {
  const thunks = atoms.map((text) => `()=>(${text})`).join();
  return `(__hone_watch[${hole}]?__hone_at(${hole},()=>[${thunks}]):0)`;
}

/**
 * Text to put behind a program: what marks call, `__hone_was` for the values of holes, `__hone_spent`
 * for its fuel, and `__hone_probe`, its entry with a plan before its arguments. Declarations only,
 * so that they are there before the program's first statement; a function holds what is watched.
 */
export function recorderText(entry: string): string {
  return `
;var __hone_recorder,__hone_fuel;
function __hone_watch(){}
function __hone_get(){return __hone_recorder??=(()=>{${PARTS.map(String).join("\n")}
const recorder=newRecorder();return{recorder,markAt,settledAt,recordedCall};})();}
function __hone_at(hole,atoms){const{recorder,markAt}=__hone_get();return markAt(recorder,hole,atoms);}
function __hone_was(hole,mark,own){if(mark===0)return own;
const{recorder,settledAt}=__hone_get();return settledAt(recorder,hole,mark,own);}
function __hone_spent(){__hone_get().recorder.fuel=-1;throw new Error("the fuel is spent");}
function __hone_probe(plan,...args){
const{recorder,recordedCall}=__hone_get();
__hone_fuel=plan.fuel;
plan.watch.forEach((isWatched,hole)=>{__hone_watch[hole]=isWatched;});
return recordedCall(recorder,plan,{call:()=>${entry}(...args),fuelLeft:()=>__hone_fuel});
}
if(typeof ${entry}==="function")Object.defineProperty(__hone_probe,"length",{value:${entry}.length+1});
`;
}
