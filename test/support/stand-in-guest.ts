import { setImmediate } from "node:timers/promises";
import type { Json } from "../../src/domain/json.ts";
import type { Answer, FetchAnswer, Request, Step } from "../../src/domain/trace.ts";
import type { CapabilityHost } from "../../src/ports/sandbox.ts";

/** What a program in a test may ask of its host; each promise settles with the answer. */
export type Asks = {
  readonly ask: (kind: string, args: Json) => Promise<Json>;
  readonly fetch: (
    url: string,
    init?: { readonly method?: string; readonly body?: string },
  ) => Promise<FetchAnswer>;
  readonly sleep: (ms: number) => Promise<Json>;
  readonly now: () => number;
};

export type Told = { readonly steps: readonly Step[]; readonly result: Json | undefined };

/** An error as the guest makes it of a refusal. */
export class Refusal extends Error {
  readonly refusalCause: string;

  constructor({ name, message, cause }: Extract<Answer, { status: "rejected" }>) {
    super(message);
    this.name = name;
    this.refusalCause = cause;
  }
}

/**
 * Runs a program against a host as the isolate does, in this process: the program runs until it is
 * quiescent, its requests go to the host, and it is resumed with the answers. The result is
 * undefined where nothing was left that could settle the program.
 */
export async function runAgainst(
  host: CapabilityHost,
  program: (asks: Asks) => Promise<Json>,
  startNow: number,
): Promise<Told> {
  const waiting = new Map<number, PromiseWithResolvers<Json>>();
  const steps: Step[] = [];
  let asked: Request[] = [];
  let now = startNow;
  let id = 0;
  const ask = (kind: string, args: Json): Promise<Json> => {
    id += 1;
    asked.push({ id, kind, args });
    const settled = Promise.withResolvers<Json>();
    waiting.set(id, settled);
    return settled.promise;
  };
  let ended: { readonly result: Json } | null = null;
  const running = program(asksOf(ask, () => now)).then((result) => (ended = { result }));
  for (;;) {
    await Promise.race([running, setImmediate()]);
    if (ended !== null) return { steps, result: (await running).result };
    const requests = asked;
    asked = [];
    const delivery = await host.next(requests, new AbortController().signal);
    steps.push({ requests, answers: delivery.answers, now: delivery.now });
    if (delivery.answers.length === 0) return { steps, result: undefined };
    now = Math.max(now, delivery.now);
    for (const answer of delivery.answers) {
      const settled = waiting.get(answer.id);
      if (answer.status === "resolved") settled?.resolve(answer.value);
      else settled?.reject(new Refusal(answer));
    }
  }
}

function asksOf(ask: Asks["ask"], now: () => number): Asks {
  return {
    ask,
    now,
    sleep: (ms) => ask("timer", { ms }),
    fetch: async (url, { method = "GET", body } = {}) => {
      const args = { url, method, headers: {}, body: body ?? null };
      return (await ask("fetch", args)) as FetchAnswer;
    },
  };
}
