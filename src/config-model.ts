import { z } from "zod";
import { isServable, serveSettings } from "./config-serve.ts";

/** The settings of the model that writes patches; `off`, `auto`, or an object. */
export const modelSettings = z.preprocess(
  (value) => (typeof value === "string" ? { use: value } : withUse(value ?? {})),
  z.strictObject({
    use: z
      .enum(["off", "auto", "endpoint", "gguf"])
      .default("off")
      .describe("auto: OPENAI_BASE_URL, else what answers on the usual local ports."),
    url: z.string().default("").describe("Base URL of an OpenAI-compatible server, with /v1."),
    name: z.string().default("").describe("Model's name there; empty: the first that it lists."),
    key: z
      .string()
      .default("OPENAI_API_KEY")
      .describe("The environment variable that holds the API key, where one is needed."),
    serve: serveSettings,
    gguf: z.string().default("").describe("A GGUF file that hone runs itself, without a server."),
    timeoutMs: z.int().min(100).default(600_000).describe("Time for one completion, in ms."),
    samples: z.int().min(1).max(64).default(8).describe("Patches asked for per group (best of K)."),
    temperature: z.number().min(0).max(2).default(0.8).describe("Of the samples."),
    maxTokens: z.int().min(64).default(4_096).describe("Tokens of one answer at most."),
  }),
);

export type ModelSettings = z.infer<typeof modelSettings>;

/** What is plain from the other settings need not be said: which of them is used, and where it is. */
function withUse(value: unknown): unknown {
  if (typeof value !== "object" || value === null || "use" in value) return value;
  const { url, gguf, serve } = value as {
    readonly url?: unknown;
    readonly gguf?: unknown;
    readonly serve?: { readonly command?: unknown; readonly args?: unknown };
  };
  if (gguf) return { use: "gguf", ...value };
  if (url || serve?.command || serve?.args) return { use: "endpoint", ...value };
  return value;
}

/** Base URL of the server: the one that is named, else that of the server that hone starts. */
export function baseUrlOf({ url, serve }: Pick<ModelSettings, "url" | "serve">): string {
  if (url !== "" || !isServable(serve)) return url;
  return `http://127.0.0.1:${serve.port}/v1`;
}
