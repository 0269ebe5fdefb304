import { z } from "zod";
import { isServable, serveSettings } from "./config-serve.ts";

/** Hard caps of what a model may cost. */
const cost = (requests: number, tokens: number, seconds: number, of: string) =>
  z
    .strictObject({
      requests: z.int().min(0).default(requests).describe(`Requests ${of} at most.`),
      tokens: z.int().min(0).default(tokens).describe(`Tokens ${of} at most, prompts included.`),
      seconds: z
        .int()
        .min(0)
        .default(seconds)
        .describe(`Seconds of the model's time ${of} at most.`),
    })
    .prefault({});

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
    serve: serveSettings,
    gguf: z.string().default("").describe("A GGUF file that hone runs itself, without a server."),
    timeoutMs: z
      .int()
      .min(100)
      .max(2_147_483_647)
      .default(600_000)
      .describe("Time for one completion, in ms."),
    samples: z.int().min(1).max(64).default(8).describe("Patches asked for per group (best of K)."),
    temperature: z.number().min(0).max(2).default(0.8).describe("Of the samples."),
    groupMs: z
      .int()
      .min(100)
      .max(2_147_483_647)
      .default(300_000)
      .describe("Time for one group of patches, in ms."),
    budget: z
      .strictObject({
        incident: cost(64, 500_000, 3_600, "for one incident"),
        day: cost(2_000, 10_000_000, 43_200, "within 24 hours"),
      })
      .prefault({}),
    maxTokens: z.int().min(64).default(4_096).describe("Tokens of one answer at most."),
  }),
);

/** What is named is what is used, unless it is said otherwise. */
function withUse(value: object): object {
  if ("use" in value) return value;
  if ("gguf" in value && value.gguf !== "") return { ...value, use: "gguf" };
  const serve = "serve" in value ? serveSettings.safeParse(value.serve) : null;
  const isServed = serve?.success === true && isServable(serve.data);
  return isServed || ("url" in value && value.url !== "") ? { ...value, use: "endpoint" } : value;
}

export type ModelSettings = z.infer<typeof modelSettings>;

/** Base URL of the server: the one that is named, else that of the server that hone starts. */
export function baseUrlOf({ url, serve }: Pick<ModelSettings, "url" | "serve">): string {
  if (url !== "" || !isServable(serve)) return url;
  return `http://127.0.0.1:${serve.port}/v1`;
}
