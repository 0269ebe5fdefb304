import { availableParallelism } from "node:os";
import type { getLlama, Llama, LlamaModel } from "node-llama-cpp";
import { messageOf } from "../../domain/errors.ts";
import { Generator } from "./generator.ts";
import type { Answer, Asked, ModelFacts } from "./protocol.ts";

/** More context is seldom worth the memory: a prompt of hone's is a few thousand tokens. */
const MOST_CONTEXT_TOKENS = 32_768;

/** Sequences that a GPU generates side by side in one batch. A CPU gains nothing by it. */
const GPU_SEQUENCES = 4;

/** A model in memory, on the best device that the package finds. */
export type LoadedModel = {
  readonly facts: ModelFacts;
  /** Waits for a free sequence. Rejects with the signal's reason, and with what the library throws. */
  generate(asked: Asked, signal: AbortSignal): Promise<Answer>;
};

/** The version that was tested; another of the same major one may do as well. */
const INSTALL = "`npm install --no-save node-llama-cpp@3.22.1` in hone's folder";

/**
 * Loads a GGUF file. `sequences` null: by the device. Throws an Error with one sentence where the
 * package is missing, has no binary for this machine, or the file cannot be read.
 */
export async function loadModel(gguf: string, sequences: number | null): Promise<LoadedModel> {
  const library = await import("node-llama-cpp").catch((cause: unknown) => {
    throw new Error(`node-llama-cpp, which runs GGUF files, is not installed: ${INSTALL}`, {
      cause,
    });
  });
  const llama = await startLlama(library);
  const model = await llama.loadModel({ modelPath: gguf }).catch((cause: unknown) => {
    throw new Error(`${gguf} cannot be loaded: ${messageOf(cause)}`, { cause });
  });
  const parallel = sequences ?? (llama.gpu === false ? 1 : GPU_SEQUENCES);
  const context = await model.createContext({
    contextSize: { max: Math.min(model.trainContextSize, MOST_CONTEXT_TOKENS) },
    sequences: parallel,
  });
  const chats = Array.from({ length: parallel }, () => {
    const sequence = context.getSequence();
    return { sequence, chat: new library.LlamaChat({ contextSequence: sequence }) };
  });
  const generator = new Generator({ llama, model, chats, contextTokens: context.contextSize });
  return {
    facts: {
      name: model.fileInfo.metadata.general?.name ?? "",
      device: llama.gpu === false ? "cpu" : llama.gpu,
      contextTokens: context.contextSize,
      tokensPerCharacter: tokensPerCharacter(model),
      parallel,
      thinksAloud: chats[0]?.chat.chatWrapper.settings.segments?.thought !== undefined,
    },
    generate: (asked, signal) => generator.generate(asked, signal),
  };
}

/** Binaries come with the package; nothing is compiled or downloaded. */
async function startLlama(library: { readonly getLlama: typeof getLlama }): Promise<Llama> {
  const options = {
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: "error",
  } as const;
  try {
    const llama = await library.getLlama({ ...options, gpu: "auto" });
    if (llama.gpu !== false) return llama;
    // The threads of a batch wait for each other while they spin: one core is left to others, or
    // every step takes as long as the scheduler's slice.
    const maxThreads = Math.max(1, availableParallelism() - 1);
    return await library.getLlama({ ...options, gpu: false, maxThreads });
  } catch (cause) {
    const what = `node-llama-cpp does not run on this machine: ${messageOf(cause)}`;
    throw new Error(`${what}; install it with its optional packages: ${INSTALL}`, { cause });
  }
}

/** What hone's prompts look like: prose, code and JSON. */
const SAMPLE = `The function returns a wrong value for the cases below. Answer with one JSON object.
export function total(items: readonly { price: number; count: number }[]): number {
  return items.reduce((sum, { price, count }) => sum + price * count, 0);
}
{"input": {"items": [{"price": 12.5, "count": 2}]}, "expected": 25, "got": null}
TypeError: Cannot read properties of undefined (reading 'price') at total (skill.ts:2:45)`;

function tokensPerCharacter({ tokenizer }: LlamaModel): number {
  return tokenizer(SAMPLE).length / SAMPLE.length;
}
