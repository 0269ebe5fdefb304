import { z } from "zod";

/**
 * The settings of the daemon's TCP door. There is no TLS in it, so it is on this machine alone; from
 * elsewhere it is reached through ssh or a proxy.
 */
export const httpSettings = z
  .strictObject({
    port: z
      .int()
      .min(0)
      .max(65_535)
      .default(4663)
      .describe("Port that the daemon answers at beside its Unix socket; 0: none."),
    host: z
      .enum(["127.0.0.1", "::1"])
      .default("127.0.0.1")
      .describe("Address of that port; this machine's only."),
    tokenFile: z
      .string()
      .default("")
      .describe(
        "File of the token for that port, mode 0600, relative to the workspace; empty: data/run/token.",
      ),
  })
  .prefault({});
