import path from "node:path";
import type { Completion } from "../../domain/completion.ts";
import type { ModelCard } from "../../domain/model-card.ts";
import type { Answer, ModelFacts } from "./protocol.ts";

/** What the process told, as a completion. `ms` is the time since the call. */
export function completionOf(
  answer: Answer,
  of: { readonly gguf: string; readonly facts: ModelFacts | null; readonly ms: number },
): Completion {
  const durationMs = of.ms;
  switch (answer.status) {
    case "complete":
    case "cut-off":
      return { ...answer, model: nameOf(of.gguf, of.facts), durationMs };
    case "rejected":
      return { ...answer, durationMs };
    case "failed":
      return { status: "unreachable", reason: answer.reason, durationMs };
  }
}

/** The card of an embedded model: nothing about it is found by trying. */
export function cardOf(gguf: string, facts: ModelFacts, probedAt: number): ModelCard {
  return {
    endpoint: `gguf:${gguf}`,
    model: nameOf(gguf, facts),
    server: "embedded",
    mode: "grammar",
    reasoning: facts.thinksAloud ? "<think>" : null,
    contextTokens: facts.contextTokens,
    tokensPerCharacter: facts.tokensPerCharacter,
    parallel: facts.parallel,
    supports: { n: false, seed: true, logprobs: false, usage: true },
    degraded: facts.device === "cpu" ? [ON_CPU] : [],
    probedAt,
  };
}

const ON_CPU = "The model runs on the CPU; with a GPU and its driver it answers many times faster.";

function nameOf(gguf: string, facts: ModelFacts | null): string {
  return facts === null || facts.name === "" ? path.basename(gguf, ".gguf") : facts.name;
}
