/** How a server can be made to answer in JSON: the strictest way that works, found by probing. */
export type StructuredMode = "json_schema" | "json_object" | "grammar" | "text";

/** What was found out, once per endpoint and model, by asking it. */
export type ModelCard = {
  /** Base URL, or `gguf:` and a path for an embedded model. */
  readonly endpoint: string;
  readonly model: string;
  /** The server's kind where it tells: `vllm`, `llama.cpp`, `ollama`, `sglang`, `lmstudio`, `embedded`, `unknown`. */
  readonly server: string;
  readonly mode: StructuredMode;
  /** Where reasoning text appears: a field's name, `<think>`, or null. */
  readonly reasoning: string | null;
  /** Tokens of prompt and answer together that really fit, by a marker at the start of a long prompt. */
  readonly contextTokens: number;
  /** Tokens per character of hone's prompts as the server counts them; for estimates. */
  readonly tokensPerCharacter: number;
  /** Requests worth having in flight. */
  readonly parallel: number;
  readonly supports: {
    readonly n: boolean;
    readonly seed: boolean;
    readonly logprobs: boolean;
    readonly usage: boolean;
  };
  /** What is degraded, each as one sentence with its remedy; empty: nothing. */
  readonly degraded: readonly string[];
  readonly probedAt: number;
};
