import type { Caps, ModelCallEnd } from "../domain/budget.ts";
import { HoneError } from "../domain/errors.ts";
import type { Completion, CompletionRequest } from "../domain/completion.ts";
import type { Model, WatchedModel } from "../ports/model.ts";
import type { Store } from "../ports/store.ts";
import { newId } from "./new-id.ts";

type Ledger = Pick<Store, "reserveModelCall" | "endModelCall" | "note">;

/**
 * A model within its budget. Each request is written down with the tokens that it may take before it
 * is sent, so that no number of them at once can overstep a cap, and a kill in between leaves it
 * counted; what it took is written down when it comes back. One that would overstep a cap, or comes
 * while repairs are paused, is not sent.
 */
export function budgeted(
  model: WatchedModel,
  {
    caps,
    ledger,
    now,
  }: { readonly caps: Caps; readonly ledger: Ledger; readonly now: () => number },
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
      const call = { id, at: now(), ...purpose, model: card?.model ?? "", reserved };
      const words = ledger.reserveModelCall(call, caps);
      if (words.length > 0) return refused(words.join("; "));
      return await counted(id, () => model.complete(request, signal), ledger);
    },
    [Symbol.asyncDispose]: async () => await model[Symbol.asyncDispose](),
  };
}

/** The answer, with what it took written down. One that never came costs what was set aside. */
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
    const tokens = status === "unreachable" ? NOTHING : usage;
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
