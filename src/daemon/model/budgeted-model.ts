import type { Caps, ModelCallEnd } from "../../domain/budget.ts";
import { HoneError } from "../../domain/errors.ts";
import type { Completion, CompletionRequest } from "../../domain/completion.ts";
import type { Meter, Model, WatchedModel } from "../../ports/model.ts";
import type { Store } from "../../ports/store.ts";
import { newId } from "../new-id.ts";

type Budget = {
  readonly caps: Caps;
  readonly ledger: Ledger;
  readonly now: () => number;
  /** Time that a request of a kind may take, in milliseconds. */
  readonly longestMs: (kind: string) => number;
};

type Ledger = Pick<Store, "reserveModelCall" | "endModelCall" | "note">;

/**
 * A model within its budget. Each request is written down with the tokens that it may take before it
 * is sent, so that no number of them at once can overstep a cap, and a kill in between leaves it
 * counted; what it took is written down when it comes back. One that would overstep a cap, or comes
 * while repairs are paused, is not sent.
 */
export function budgeted(
  model: WatchedModel,
  { caps, ledger, now, longestMs }: Budget,
): WatchedModel {
  return {
    card: async (signal) => await model.card(signal),
    state: async (signal) => await model.state(signal),
    complete: async (request, signal) => {
      const card = await model.card(signal);
      const isPaused = request.purpose.kind === "repair" && ledger.note("paused") === "yes";
      if (isPaused) return refused("repairs are paused: `hone resume` lets them go on");
      const reserved = reservedFor(request, card);
      const id = newId("call");
      const { purpose } = request;
      const reservedMs = mayTakeMs(purpose, { caps, longestMs });
      const asked = { id, at: now(), ...purpose, model: card?.model ?? "" };
      const words = ledger.reserveModelCall({ ...asked, reserved, reservedMs }, caps);
      if (words.length > 0) return refused(words.join("; "));
      // What is not cut short by a cap ends by itself.
      const isCut = reservedMs < longestMs(purpose.kind);
      const limit = isCut ? AbortSignal.timeout(reservedMs) : NEVER;
      const until = AbortSignal.any([signal, limit]);
      try {
        return await counted(id, () => model.complete(request, until), ledger);
      } catch (thrown) {
        if (signal.aborted || !limit.aborted) throw thrown;
        return refused(`no answer came in the ${Math.ceil(reservedMs / 1_000)} s set aside for it`);
      }
    },
    [Symbol.asyncDispose]: async () => await model[Symbol.asyncDispose](),
  };
}

const NEVER = new AbortController().signal;

/** The requests by which an endpoint is probed, as calls of the kind `probe` in the day's budget. */
export function probesWithin({
  caps,
  ledger,
  now,
}: Pick<Budget, "caps" | "ledger" | "now">): Meter {
  return async ({ model, tokens: reserved, longestMs: reservedMs }, ask) => {
    const id = newId("call");
    const of = { id, at: now(), kind: "probe", skill: "", incident: null, model };
    const words = ledger.reserveModelCall({ ...of, reserved, reservedMs }, caps);
    if (words.length > 0) return words.join("; ");
    const startedAt = performance.now();
    const end = (status: string, tokens: ModelCallEnd["tokens"]): void =>
      noted(ledger, id, { status, durationMs: performance.now() - startedAt, tokens });
    try {
      const { answer, usage } = await ask();
      end("complete", usage);
      return answer;
    } catch (thrown) {
      end("aborted", null);
      throw thrown;
    }
  };
}

/** A request never has more time than a cap has in all. */
function mayTakeMs(
  { kind, incident }: CompletionRequest["purpose"],
  { caps, longestMs }: Pick<Budget, "caps" | "longestMs">,
): number {
  const ofIncident = incident === null ? caps.day.seconds : caps.incident.seconds;
  return Math.min(longestMs(kind), 1_000 * caps.day.seconds, 1_000 * ofIncident);
}

/**
 * The answer, with what it took written down. One that never came costs what was set aside: whoever was
 * at work on it may have been so for long, and may be still.
 */
async function counted(
  id: string,
  ask: () => Promise<Completion>,
  ledger: Ledger,
): Promise<Completion> {
  const startedAt = performance.now();
  try {
    const completion = await ask();
    const { status, durationMs } = completion;
    const usage = "usage" in completion ? completion.usage : null;
    const tokens = "isUnsent" in completion && completion.isUnsent ? NOTHING : usage;
    noted(ledger, id, { status, durationMs, tokens });
    return completion;
  } catch (error) {
    const durationMs = performance.now() - startedAt;
    noted(ledger, id, { status: "aborted", durationMs, tokens: null });
    throw error;
  }
}

/** What came back is used, whatever the ledger can take: what was set aside stays spent. */
function noted(ledger: Ledger, id: string, end: ModelCallEnd): void {
  try {
    ledger.endModelCall(id, end);
  } catch (error) {
    if (!(error instanceof HoneError)) throw error;
  }
}

const NOTHING = { prompt: 0, completion: 0, cached: 0 };

function reservedFor(
  { messages, maxTokens }: CompletionRequest,
  card: Awaited<ReturnType<Model["card"]>>,
): number {
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  return Math.ceil(characters * (card?.tokensPerCharacter ?? 0.5)) + maxTokens;
}

function refused(reason: string): Completion {
  return { status: "over-budget", reason, durationMs: 0 };
}
