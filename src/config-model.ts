import { z } from "zod";

/** The settings of the model that writes patches; `off`, `auto`, or an object. */
export const modelSettings = z.preprocess(
  (value) => withUse(typeof value === "string" ? { use: value } : (value ?? {})),
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
    gguf: z.string().default("").describe("A GGUF file that hone runs itself, without a server."),
    timeoutMs: z.int().min(100).default(600_000).describe("Time for one completion, in ms."),
    samples: z.int().min(1).max(64).default(8).describe("Patches asked for per group (best of K)."),
    temperature: z.number().min(0).max(2).default(0.8).describe("Of the samples."),
    groupMs: z.int().min(100).default(300_000).describe("Time for one group of patches, in ms."),
    maxTokens: z.int().min(64).default(4_096).describe("Tokens of one answer at most."),
  }),
);

/** What is named is what is used, unless it is said otherwise. */
function withUse(value: object): object {
  if ("use" in value) return value;
  if ("gguf" in value && value.gguf !== "") return { ...value, use: "gguf" };
  return "url" in value && value.url !== "" ? { ...value, use: "endpoint" } : value;
}

export type ModelSettings = z.infer<typeof modelSettings>;
