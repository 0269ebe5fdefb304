/**
 * What hone uses of node-llama-cpp 3. The package is optional, so its own declarations may be
 * missing where this project is compiled; these are narrow enough to be checked by eye against
 * them, and `test/adapters/llama/` runs them.
 */
declare module "node-llama-cpp" {
  export type Token = number;

  export type LlamaGrammar = object;

  export type Llama = {
    /** `cuda`, `vulkan`, `metal`, or false: the CPU alone. */
    readonly gpu: string | false;
    loadModel(options: { modelPath: string }): Promise<LlamaModel>;
    /** Throws for a schema that it cannot turn into a grammar. */
    createGrammarForJsonSchema(schema: unknown): Promise<LlamaGrammar>;
    getGrammarFor(kind: "json"): Promise<LlamaGrammar>;
  };

  export type LlamaModel = {
    readonly trainContextSize: number;
    readonly fileInfo: { readonly metadata: { readonly general?: { readonly name?: string } } };
    readonly tokenizer: (text: string) => Token[];
    createContext(options: {
      contextSize: { max: number };
      sequences: number;
    }): Promise<LlamaContext>;
  };

  export type LlamaContext = {
    /** Tokens of each sequence. */
    readonly contextSize: number;
    getSequence(): LlamaContextSequence;
  };

  export type TokenMeterState = {
    readonly usedInputTokens: number;
    readonly usedOutputTokens: number;
  };

  export type LlamaContextSequence = {
    readonly tokenMeter: {
      getState(): TokenMeterState;
      diff(before: TokenMeterState): TokenMeterState;
    };
  };

  export type ChatHistoryItem =
    | { type: "system" | "user"; text: string }
    | { type: "model"; response: string[] };

  export type ChatWrapper = {
    /** `segments` tells how the model marks what it thinks aloud. */
    readonly settings: { readonly segments?: { readonly thought?: object } };
    generateContextState(options: { chatHistory: readonly ChatHistoryItem[] }): {
      contextText: { tokenize(tokenizer: LlamaModel["tokenizer"]): Token[] };
    };
  };

  export type LlamaChatResponse = {
    readonly response: string;
    readonly fullResponse: readonly (
      | string
      | { readonly type: string; readonly segmentType?: string; readonly text?: string }
    )[];
    readonly metadata: { readonly stopReason: string };
  };

  export class LlamaChat {
    constructor(options: { contextSequence: LlamaContextSequence });
    readonly chatWrapper: ChatWrapper;
    generateResponse(
      history: ChatHistoryItem[],
      options: {
        grammar?: LlamaGrammar;
        maxTokens: number;
        temperature: number;
        topK: number;
        topP: number;
        minP: number;
        seed: number;
        repeatPenalty: false;
        signal: AbortSignal;
        contextShift: { strategy: () => never };
      },
    ): Promise<LlamaChatResponse>;
  }

  export function getLlama(options: {
    gpu: "auto" | false;
    build: "never";
    skipDownload: true;
    progressLogs: false;
    logLevel: "error";
    maxThreads?: number;
  }): Promise<Llama>;
}
