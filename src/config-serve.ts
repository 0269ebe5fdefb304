import { z } from "zod";

/**
 * The settings of a model server that hone starts: a command line, or arguments for a container.
 * vLLM's official image is the standard one; a digest or another tag may be named.
 */
export const serveSettings = z
  .strictObject({
    command: z
      .string()
      .default("")
      .describe("Command line of a model server, as a shell reads it; empty: a container."),
    image: z
      .string()
      .default("vllm/vllm-openai:latest")
      .describe("Image of the container; pulled where the engine does not have it."),
    args: z
      .array(z.string())
      .default([])
      .describe("Arguments of the container's program, such as --model and a name."),
    gpus: z
      .string()
      .regex(/^(all|none|\d+|(GPU|MIG)-[\w/-]+(,(GPU|MIG)-[\w/-]+)*|\d+(,\d+)+)$/)
      .default("all")
      .describe("GPUs of the container: all, none, how many, or ids with commas."),
    weights: z
      .string()
      .default("")
      .describe("Folder that the container keeps weights in; empty: ~/.cache/huggingface."),
    port: z.int().min(1).max(65_535).default(8_000).describe("Port on 127.0.0.1 to serve at."),
    innerPort: z
      .int()
      .min(1)
      .max(65_535)
      .default(8_000)
      .describe("Port that the container's program listens on."),
    network: z
      .enum(["bridge", "host"])
      .default("bridge")
      .describe("The container's network; host: its program decides who reaches it."),
    loadMs: z
      .int()
      .min(1_000)
      .default(1_800_000)
      .describe("Time for pulling the image and loading the weights, in ms."),
    stopMs: z
      .int()
      .min(100)
      .default(15_000)
      .describe("Time for an orderly end before it is killed, in ms."),
    automatic: z
      .boolean()
      .default(false)
      .describe("The daemon starts it, watches over it and ends it."),
  })
  .prefault({});

export type ServeSettings = z.infer<typeof serveSettings>;

/** Whether there is a server to start. */
export function isServable({ command, args }: Pick<ServeSettings, "command" | "args">): boolean {
  return command.trim() !== "" || args.length > 0;
}
