import { type Bare, type Intrinsics, put } from "./intrinsics.ts";
import { isAccessor, writePlain } from "./plain-data.ts";
import { stackOf } from "./thrown.ts";

/** A request that waits for its answer. `at` is an error made where it was asked. */
type Pending = Bare & {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly at: object;
};

/** What one call asks of the host: plain data, handed over when the isolate is quiescent. */
export type Requests = Bare & {
  /** Queues a request; the promise settles with its answer. */
  readonly ask: (kind: string, args: unknown) => Promise<unknown>;
  /** As `ask`, and says by which number the request can be given up. */
  readonly askNumbered: (kind: string, args: unknown) => Bare & NumberedAsk;
  /** No longer waits for the answer; the promise stays pending. */
  readonly giveUp: (id: number) => void;
  /** Requests that still wait for an answer. */
  readonly waiting: () => number;
  /** Whether something besides timers is queued. */
  readonly hasEffects: () => boolean;
  /** The requests since the last time, as a JSON array. */
  readonly take: () => string;
  /** Settles what the answers (JSON text) are for, in their order. */
  readonly settle: (answers: string) => void;
  readonly clear: () => void;
};

type NumberedAsk = { readonly id: number; readonly promise: Promise<unknown> };

/** A turn's requests may take a million characters together: more is a RangeError to the skill. */
export function makeRequests(of: Intrinsics): Requests {
  const longestTurn = 1_048_576;
  let pending: Bare & Record<number, Pending> = { __proto__: null };
  let waiting = 0;
  let last = 0;
  let queued = "";
  let effects = false;

  const askNumbered = (kind: string, args: unknown): Bare & NumberedAsk => {
    const options = { __proto__: null, root: kind, longest: longestTurn, lenient: false } as const;
    const { text, path, reason } = writePlain(of, args, options);
    let refusal = text === null ? path + " is " + reason : "";
    if (queued.length > longestTurn || waiting > 10_000) refusal = "too many requests at once";
    const id = ++last;
    const promise = new of.promise<unknown>((resolve, reject) => {
      if (refusal !== "") return reject(new of.errors.TypeError(refusal));
      pending[id] = { __proto__: null, resolve, reject, at: new of.errors.Error("") };
    });
    if (refusal !== "") return { __proto__: null, id, promise };
    waiting += 1;
    if (kind !== "timer") effects = true;
    queued += (queued === "" ? "" : ",") + '{"id":' + id + ',"kind":"' + kind + '","args":';
    queued += text + "}";
    return { __proto__: null, id, promise };
  };
  const giveUp = (id: number): Pending | undefined => {
    const found = pending[id];
    if (found === undefined) return undefined;
    delete pending[id];
    waiting -= 1;
    return found;
  };
  return {
    __proto__: null,
    ask: (kind, args) => askNumbered(kind, args).promise,
    askNumbered,
    giveUp: (id) => void giveUp(id),
    waiting: () => waiting,
    hasEffects: () => effects,
    take: () => {
      const text = "[" + queued + "]";
      queued = "";
      effects = false;
      return text;
    },
    settle: (answers) => settleAll(of, of.parse(answers) as readonly Told[], giveUp),
    clear: () => {
      pending = { __proto__: null };
      waiting = last = 0;
      queued = "";
      effects = false;
    },
  };
}

/** An answer as the host tells it: its members are all there, as own properties. */
type Told = {
  readonly id: number;
  readonly status: string;
  readonly value: unknown;
  readonly name: string;
  readonly message: string;
};

function settleAll(
  of: Intrinsics,
  answers: readonly Told[],
  take: (id: number) => Pending | undefined,
): void {
  for (let at = 0; at < answers.length; at += 1) {
    const answer = answers[at] as Told;
    const asked = take(answer.id);
    if (asked === undefined) continue;
    if (answer.status === "resolved") asked.resolve(answer.value);
    else asked.reject(errorOf(of, answer, asked.at));
  }
}

/** The error of a refused request, with the stack of the place that asked. */
function errorOf(of: Intrinsics, { name, message }: Told, at: object): Error {
  const known = of.descriptorOf(of.errors, name);
  const Class = known === undefined || isAccessor(of, known) ? of.errors.Error : known.value;
  const error = new (Class as ErrorConstructor)(message);
  if (known === undefined) put(of, error, "name", name);
  const stack = stackOf(of, at);
  put(of, error, "stack", name + ": " + message + of.slice(stack, "Error".length));
  return error;
}

/** The functions of this file, which become the text of the prelude. */
export const REQUESTS_PARTS = [makeRequests, settleAll, errorOf];
