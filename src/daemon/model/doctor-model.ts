import type { Config } from "../../config.ts";
import { HoneError } from "../../domain/errors.ts";
import type { ModelCard } from "../../domain/model-card.ts";
import { modelFor } from "../compose-model.ts";

/** A row of `hone doctor` about the model. */
export type ModelFinding = {
  readonly status: "ok" | "note" | "failed";
  readonly found: string;
  readonly hint: string;
};

/** Time for the probe of a slow endpoint. */
const LIMIT_MS = 300_000;

/** Asks the configured model anew, without the ledger: its card, and what is degraded of it. */
export async function examineModel(
  { model: settings }: Config,
  {
    dir,
    env,
    signal,
  }: {
    readonly dir: string | null;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly card: ModelCard | null; readonly findings: readonly ModelFinding[] }> {
  const notes = { note: () => null, setNote: () => undefined };
  try {
    await using model = modelFor(settings, { dir, env, notes, now: Date.now, loadingMs: 0 });
    if (model === null) return { card: null, findings: [ok("off")] };
    const within = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    const card = await model.card(within);
    if (card !== null) return { card, findings: findingsOf(card) };
    const state = await model.state(within);
    const found = state.status === "ready" ? "it went away while it was asked" : state.reason;
    return {
      card: null,
      findings: [note(found, "Repairs go on without a model until it answers.")],
    };
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof HoneError) return { card: null, findings: [failed(thrown)] };
    if (!(thrown instanceof DOMException)) throw thrown;
    return { card: null, findings: [note("the probe did not end", "The model is very slow.")] };
  }
}

function findingsOf(card: ModelCard): readonly ModelFinding[] {
  return [ok(inOneLine(card)), ...card.degraded.map((sentence) => note(sentence, ""))];
}

function inOneLine(card: ModelCard): string {
  const { endpoint, model, server, mode, reasoning, contextTokens, parallel, supports } = card;
  const able = Object.entries(supports).flatMap(([name, isAble]) => (isAble ? [name] : []));
  return [
    `${model} by ${server} at ${endpoint}`,
    `answers as ${mode}`,
    ...(reasoning === null ? [] : [`reasoning in ${reasoning}`]),
    `${contextTokens} tokens of context`,
    `${parallel} in flight`,
    `has ${able.join(", ") || "no extras"}`,
  ].join("; ");
}

function ok(found: string): ModelFinding {
  return { status: "ok", found, hint: "" };
}

function note(found: string, hint: string): ModelFinding {
  return { status: "note", found, hint };
}

function failed({ message, hint }: HoneError): ModelFinding {
  return { status: "failed", found: message, hint };
}
