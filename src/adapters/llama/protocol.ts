import type { CompletionRequest, TokenUsage } from "../../domain/completion.ts";

/** What an embedded model is asked for: a completion without who pays for it. */
export type Asked = Omit<CompletionRequest, "purpose">;

/** From the owner to the process. `stop` ends the generation of one request. */
export type ToModel =
  | { readonly kind: "load"; readonly gguf: string; readonly sequences: number | null }
  | { readonly kind: "complete"; readonly id: number; readonly asked: Asked }
  | { readonly kind: "stop"; readonly id: number };

/** From the process to its owner; `stopped` confirms that nothing is generated any more. */
export type FromModel =
  | { readonly kind: "loaded"; readonly facts: ModelFacts }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "answered"; readonly id: number; readonly answer: Answer }
  | { readonly kind: "stopped"; readonly id: number };

/** What is known of a model once it is loaded. */
export type ModelFacts = {
  /** As the file names it; empty: it does not. */
  readonly name: string;
  /** `cuda`, `vulkan`, `metal` or `cpu`. */
  readonly device: string;
  readonly contextTokens: number;
  readonly tokensPerCharacter: number;
  /** Requests that are generated side by side. */
  readonly parallel: number;
  readonly thinksAloud: boolean;
};

/** What became of a request, as the process tells it. */
export type Answer =
  | {
      readonly status: "complete" | "cut-off";
      readonly text: string;
      readonly reasoning: string;
      readonly usage: TokenUsage;
      readonly reason: string;
    }
  | { readonly status: "rejected"; readonly reason: string }
  /** What the library threw: it says nothing of the request. */
  | { readonly status: "failed"; readonly reason: string };
