import type { ModelCard } from "../../domain/model-card.ts";
import type { ProbedContext } from "./probe-context.ts";

/** Tokens below which a repair's prompt has to leave evidence out. */
const GOOD_CONTEXT = 16_384;

/** How to give more context, by server. */
const MORE_CONTEXT: Readonly<Record<string, string>> = {
  vllm: "Start it with a larger --max-model-len.",
  sglang: "Start it with a larger --context-length.",
  "llama.cpp": "Start it with a larger -c (it is divided among the slots of --parallel).",
  ollama: "Set OLLAMA_CONTEXT_LENGTH=32768 for the server, or num_ctx in a Modelfile.",
  lmstudio: "Load the model with a larger context length.",
};

/** How to have more requests in flight, by server. */
const MORE_PARALLEL: Readonly<Record<string, string>> = {
  "llama.cpp": "Start it with --parallel 8 and a -c eight times as large.",
};

type Known = Omit<ModelCard, "degraded">;

type Evidence = {
  readonly context: ProbedContext;
  readonly countsCached: boolean;
  /** The server named its context. */
  readonly isTold: boolean;
};

/** What is less than it could be, each as a sentence with its remedy. */
export function degradations(card: Known, evidence: Evidence): readonly string[] {
  return [
    ...structuredIn(card),
    ...contextIn(card, evidence),
    ...countingIn(card, evidence),
    ...parallelIn(card),
  ];
}

function structuredIn({ mode, server, reasoning }: Known): string[] {
  if (mode === "json_schema" || mode === "grammar") return [];
  const what =
    mode === "text"
      ? "Answers are not held to JSON: hone asks for it in words, and more answers are lost."
      : "Answers are held to JSON, but not to its schema: hone validates each, and more are lost.";
  if (server === "vllm" && reasoning !== null) {
    return [`${what} Start vLLM without --reasoning-parser, or with a newer version.`];
  }
  return [`${what} A newer version of the server, or llama.cpp's, keeps schemas.`];
}

function contextIn(card: Known, { context, isTold }: Evidence): string[] {
  const { contextTokens, server } = card;
  const more = MORE_CONTEXT[server] ?? "Give the server a larger context.";
  if (context.finding === "cut") {
    return [
      `Prompts above about ${contextTokens} tokens are cut without a word; hone sends none. ${more}`,
    ];
  }
  if (context.finding === "unproven" && !isTold) {
    return [
      `How much context there is could not be found out; hone sends at most ${contextTokens} tokens. ${more}`,
    ];
  }
  const lost =
    context.isMarkerFound === false
      ? [
          "The model did not find what stood at the start of a long prompt, though all of it was counted: expect little of long prompts. Serve a larger model.",
        ]
      : [];
  if (contextTokens >= GOOD_CONTEXT) return lost;
  return [
    ...lost,
    `Only ${contextTokens} tokens of context: hone leaves evidence out of its prompts. ${more}`,
  ];
}

function countingIn({ supports }: Known, { countsCached }: Evidence): string[] {
  return [
    ...(supports.usage
      ? []
      : [
          "The server does not count tokens: budgets go by hone's estimates, and cut prompts cannot be told.",
        ]),
    ...(countsCached
      ? []
      : [
          "The server leaves cached tokens out of its count: cut prompts cannot be told by it. Use a newer version.",
        ]),
    ...(supports.seed
      ? []
      : [
          "Equal seeds do not give equal answers: what was answered can be read in the ledger, not asked for again.",
        ]),
  ];
}

function parallelIn({ parallel, server }: Known): string[] {
  if (parallel > 1) return [];
  return [
    `One request is answered at a time, so a group of samples takes long. ${MORE_PARALLEL[server] ?? "Let the server take several."}`,
  ];
}
