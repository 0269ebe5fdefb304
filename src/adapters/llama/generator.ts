import type {
  ChatHistoryItem,
  Llama,
  LlamaChat,
  LlamaChatResponse,
  LlamaContextSequence,
  LlamaGrammar,
  LlamaModel,
} from "node-llama-cpp";
import type { JsonObject } from "../../domain/json.ts";
import type { Answer, Asked } from "./protocol.ts";

type Chat = { readonly sequence: LlamaContextSequence; readonly chat: LlamaChat };

type Parts = {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly chats: readonly Chat[];
  readonly contextTokens: number;
};

/** As llama.cpp's server samples when it is asked for nothing else. */
const SAMPLING = { topK: 40, topP: 0.95, minP: 0.05, repeatPenalty: false } as const;

/** Grammars are kept: all samples of a group share theirs. */
const MOST_GRAMMARS = 16;

/** Generates answers, each on the next free sequence, whose cache of the last prompt is used again. */
export class Generator {
  readonly #parts: Parts;
  readonly #free: Chat[];
  readonly #waiting: ((chat: Chat) => void)[] = [];
  readonly #grammars = new Map<string, Promise<LlamaGrammar>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#free = [...parts.chats];
  }

  /** Rejects with the signal's reason, and with what the library throws. */
  async generate(asked: Asked, signal: AbortSignal): Promise<Answer> {
    const chat = await this.#take();
    try {
      signal.throwIfAborted();
      return await this.#on(chat, asked, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(chat);
      else next(chat);
    }
  }

  async #take(): Promise<Chat> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    return await new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  async #on({ chat, sequence }: Chat, asked: Asked, signal: AbortSignal): Promise<Answer> {
    const history = historyOf(asked);
    const { contextText } = chat.chatWrapper.generateContextState({ chatHistory: history });
    const prompt = contextText.tokenize(this.#parts.model.tokenizer).length;
    const room = this.#parts.contextTokens - prompt - MARGIN_TOKENS;
    if (room < 1) return tooLong(prompt, this.#parts.contextTokens);
    const before = sequence.tokenMeter.getState();
    const response = await chat.generateResponse(history, {
      ...SAMPLING,
      ...(asked.answerSchema === null ? {} : { grammar: await this.#grammar(asked.answerSchema) }),
      maxTokens: Math.min(asked.maxTokens, room),
      temperature: asked.temperature,
      seed: asked.seed,
      signal,
      contextShift: { strategy: neverShift },
    });
    const used = sequence.tokenMeter.diff(before);
    const isCutOff = response.metadata.stopReason === "maxTokens";
    const isFull = isCutOff && room < asked.maxTokens;
    return {
      status: isCutOff ? "cut-off" : "complete",
      ...textsOf(response),
      usage: {
        prompt,
        completion: used.usedOutputTokens,
        cached: Math.max(0, prompt - used.usedInputTokens),
      },
      reason: isFull
        ? `the context of ${this.#parts.contextTokens} tokens was full after ${room} of the answer`
        : isCutOff
          ? `the answer did not end within ${asked.maxTokens} tokens`
          : "",
    };
  }

  /** The schema's grammar, or that of any JSON where the library cannot express the schema. */
  #grammar(schema: JsonObject): Promise<LlamaGrammar> {
    const key = JSON.stringify(schema);
    const known = this.#grammars.get(key);
    if (known !== undefined) return known;
    const { llama } = this.#parts;
    const made = llama
      .createGrammarForJsonSchema(schema)
      .catch(async () => await llama.getGrammarFor("json"));
    if (this.#grammars.size >= MOST_GRAMMARS) this.#grammars.clear();
    this.#grammars.set(key, made);
    return made;
  }
}

/** The library keeps a token free, and shifts what it has where none is left. */
const MARGIN_TOKENS = 2;

/** A prompt is read whole or not at all. */
function neverShift(): never {
  throw new Error("the context would have been shifted");
}

function tooLong(prompt: number, context: number): Answer {
  return {
    status: "rejected",
    reason: `the prompt has ${prompt} tokens and the context ${context}: there is no room for an answer`,
  };
}

function historyOf({ messages }: Asked): ChatHistoryItem[] {
  const said = messages.map(({ role, content }): ChatHistoryItem =>
    role === "assistant" ? { type: "model", response: [content] } : { type: role, text: content },
  );
  // The answer to be written stands last.
  return [...said, { type: "model", response: [] }];
}

function textsOf({ response, fullResponse }: LlamaChatResponse): {
  readonly text: string;
  readonly reasoning: string;
} {
  const thoughts = fullResponse.flatMap((part) =>
    typeof part !== "string" && part.segmentType === "thought" ? [part.text ?? ""] : [],
  );
  return { text: response.trim(), reasoning: thoughts.join("\n").trim() };
}
