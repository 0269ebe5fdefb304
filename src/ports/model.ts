import type { Completion, CompletionRequest, TokenUsage } from "../domain/completion.ts";
import type { ModelCard } from "../domain/model-card.ts";

/**
 * A language model, wherever it is served. What it writes is untrusted.
 *
 * Contract, kept by `test/contracts/model.contract.ts`:
 * - one call of `complete` is one request over the wire; nothing is retried beneath it;
 * - what the server or the model got wrong is returned, never thrown; only an aborted signal rejects,
 *   and the request is then closed on the wire too;
 * - a prompt is sent whole or not at all: one that does not fit is `rejected` with its size.
 */
export interface Model extends AsyncDisposable {
  /** What is known of the endpoint; probed at the first call and remembered. Null: unreachable. */
  card(signal: AbortSignal): Promise<ModelCard | null>;
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
}

/** A request that no completion pays for: one of those by which an endpoint is probed. */
type MeteredRequest = {
  readonly model: string;
  /** Tokens that it may take, and milliseconds. */
  readonly tokens: number;
  readonly longestMs: number;
};

/**
 * Counts such a request, and sends it where no cap forbids it; a text says which one does. `ask` says
 * what the server counted, null where it did not.
 */
export type Meter = <T>(
  request: MeteredRequest,
  ask: () => Promise<{ readonly answer: T; readonly usage: TokenUsage | null }>,
) => Promise<T | string>;

/** How a model is, found out in a second or two without asking it for anything. */
export type ModelState =
  | { readonly status: "ready"; readonly endpoint: string; readonly model: string }
  /** Its weights are being loaded; it will answer by itself. */
  | { readonly status: "loading"; readonly reason: string }
  | { readonly status: "llm_unreachable"; readonly reason: string };

/** A model that also says how it is, for `hone status` and `hone doctor`. */
export interface WatchedModel extends Model {
  /** Resolves in a few seconds, whatever the endpoint does. */
  state(signal: AbortSignal): Promise<ModelState>;
}
