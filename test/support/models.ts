import { createOpenAiModel } from "../../src/adapters/openai/openai-model.ts";
import { createPatientExchange } from "../../src/adapters/undici/patient-exchange.ts";
import type { CompletionRequest } from "../../src/domain/completion.ts";
import type { WatchedModel } from "../../src/ports/model.ts";

/** What is remembered, in memory. */
export type NotesInMemory = {
  readonly note: (key: string) => string | null;
  readonly setNote: (key: string, value: string) => void;
  readonly keys: () => Iterable<string>;
};

export function notesInMemory(): NotesInMemory {
  const notes = new Map<string, string>();
  return {
    note: (key) => notes.get(key) ?? null,
    setNote: (key, value) => void notes.set(key, value),
    keys: () => notes.keys(),
  };
}

/** The model behind a URL, as compose.ts makes it. */
export function modelAt(
  url: string,
  options: {
    readonly use?: string;
    readonly name?: string;
    readonly key?: string;
    readonly timeoutMs?: number;
    readonly loadingMs?: number;
    readonly ports?: readonly number[];
    readonly env?: Readonly<Record<string, string>>;
    readonly notes?: NotesInMemory;
    readonly now?: () => number;
  } = {},
): WatchedModel {
  const { exchange, ...web } = createPatientExchange();
  const { use = "endpoint", name = "", timeoutMs = 5_000, loadingMs = 0, ports } = options;
  const model = createOpenAiModel({
    settings: { use, url, name, timeoutMs },
    env: options.env ?? {},
    key: options.key ?? null,
    exchange,
    notes: options.notes ?? notesInMemory(),
    now: options.now ?? Date.now,
    loadingMs,
    ...(ports === undefined ? {} : { ports }),
  });
  return {
    card: async (signal) => await model.card(signal),
    state: async (signal) => await model.state(signal),
    complete: async (request, signal) => await model.complete(request, signal),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await web[Symbol.asyncDispose]();
    },
  };
}

/** A request of which a test says only what it is about. */
export function aRequest(change: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    messages: [{ role: "user", content: "Mend it." }],
    answerSchema: null,
    temperature: 0.8,
    seed: 1,
    maxTokens: 512,
    purpose: { kind: "repair", skill: "any", incident: null },
    ...change,
  };
}
