import { canonical } from "../../domain/json.ts";
import type { Answer, Request, Trace } from "../../domain/trace.ts";
import type { CapabilityHost, Delivery } from "../../ports/sandbox.ts";
import { answerTo, unrecorded, type Reply } from "./answering.ts";

/** An answer of the trace: the step in which it was told, and its place there. */
type Recorded = { readonly reply: Reply; readonly step: number; readonly place: number };

type Pending = Recorded & { readonly request: Request };

/**
 * Tells a recorded run again. A request is matched by its kind and arguments, the k-th of them with
 * the k-th recorded. Of what is pending, the answers of the earliest recorded step are told first,
 * together, with the clock of that step: a program that asks the same is told the same, and one
 * that asks in another order is never left waiting for a step that cannot come.
 */
export class ReplayHost implements CapabilityHost {
  readonly #steps: Trace["steps"];
  readonly #recorded: ReadonlyMap<string, (Recorded | null)[]>;
  #pending: Pending[] = [];
  #refused: Answer[] = [];
  #step = -1;
  #now: number;

  constructor(trace: Pick<Trace, "steps" | "environment">) {
    this.#steps = trace.steps;
    this.#recorded = recordedBy(trace);
    this.#now = trace.environment.now;
  }

  async next(requests: readonly Request[], signal: AbortSignal): Promise<Delivery> {
    signal.throwIfAborted();
    for (const request of requests) this.#start(request);
    if (this.#refused.length > 0) return this.#refuse();
    const due = this.#pending.reduce((least, { step }) => Math.min(least, step), Infinity);
    const told = this.#pending
      .filter(({ step }) => step === due)
      .toSorted((a, b) => a.place - b.place);
    this.#pending = this.#pending.filter(({ step }) => step !== due);
    this.#goOnTo(told.length > 0 ? Math.max(due, this.#step) : this.#step + 1);
    return { answers: told.map(({ request, reply }) => answerTo(request, reply)), now: this.#now };
  }

  #start(request: Request): void {
    const recorded = this.#recorded.get(keyOf(request))?.shift();
    if (recorded === undefined) {
      const what = `${request.kind} ${canonical(request.args).slice(0, 200)}`;
      this.#refused.push(answerTo(request, unrecorded(what)));
    } else if (recorded !== null) {
      this.#pending.push({ ...recorded, request });
    }
  }

  #refuse(): Delivery {
    const answers = this.#refused;
    this.#refused = [];
    return { answers, now: this.#now };
  }

  #goOnTo(step: number): void {
    this.#step = step;
    this.#now = Math.max(this.#now, this.#steps[step]?.now ?? this.#now);
  }
}

/** The answers by what was asked, in the order of asking; null where the run ended before. */
function recordedBy({ steps }: Pick<Trace, "steps">): Map<string, (Recorded | null)[]> {
  const answers = new Map(
    steps.flatMap(({ answers }, step) =>
      answers.map(({ id, ...reply }, place) => [id, { reply, step, place }] as const),
    ),
  );
  const recorded = new Map<string, (Recorded | null)[]>();
  for (const request of steps.flatMap((step) => step.requests)) {
    const alike = recorded.get(keyOf(request)) ?? [];
    alike.push(answers.get(request.id) ?? null);
    recorded.set(keyOf(request), alike);
  }
  return recorded;
}

function keyOf({ kind, args }: Request): string {
  return `${kind} ${canonical(args)}`;
}
