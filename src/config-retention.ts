import { z } from "zod";

/** How long the ledger keeps what only it has. Releases, incidents and evidence stay for ever. */
export const retentionSettings = z
  .strictObject({
    runsDays: z
      .int()
      .min(0)
      .default(90)
      .describe("Days that runs and their traces are kept; 0: for ever. Counts of them stay."),
    eventsDays: z.int().min(0).default(90).describe("Days that events are kept; 0: for ever."),
  })
  .prefault({});
