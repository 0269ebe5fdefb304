import { z } from "zod";

/** The settings of how the daemon ends, and of what it makes of ends that were none of its own. */
export const lifeSettings = z
  .strictObject({
    drainMs: z
      .int()
      .min(0)
      .max(600_000)
      .default(7_500)
      .describe("Time that work under way has to finish when the daemon is asked to end, in ms."),
    crashes: z
      .int()
      .min(1)
      .max(1_000)
      .default(3)
      .describe("Crashes within `crashWindowMs` after which the daemon starts in safe mode."),
    crashWindowMs: z
      .int()
      .min(1_000)
      .default(600_000)
      .describe("Time within which crashes are counted together, in ms."),
    quietMs: z
      .int()
      .min(1_000)
      .default(3_600_000)
      .describe("Time without a crash after which safe mode is left, in ms."),
  })
  .prefault({});
