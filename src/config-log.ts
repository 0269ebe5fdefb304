import { z } from "zod";

/** The settings of the daemon's log: data/run/hone.log and the older files beside it. */
export const logSettings = z
  .strictObject({
    maxBytes: z
      .int()
      .min(10_000)
      .default(10_000_000)
      .describe("Size at which a new log file is begun, in bytes."),
    files: z
      .int()
      .min(0)
      .max(99)
      .default(5)
      .describe("Older log files that are kept: hone.log.1 is the newest."),
  })
  .prefault({});
