import { z } from "zod";

/** One entry of the schedules: what recurs, when, and what becomes of a slot that was missed. */
export const scheduleSettings = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .describe("Name of the schedule, unique."),
  cron: z.string().describe("Five or six fields, as node-cron reads them."),
  timezone: z.string().optional().describe("IANA zone; default: the machine's."),
  submit: z.string().optional().describe("A JSONL file of tasks, relative to the workspace."),
  improve: z.string().optional().describe("A skill to improve, or `*` for all."),
  catchUp: z
    .boolean()
    .optional()
    .describe(
      "Do the latest slot that was missed while hone was down or asleep, once; default: true for what is daily or rarer.",
    ),
  overlap: z
    .enum(["skip", "allow"])
    .default("skip")
    .describe("skip: a slot is let go while the one before it is still at work."),
  timeoutMs: z
    .int()
    .min(1_000)
    .max(2_147_483_647)
    .default(3_600_000)
    .describe("Time after which work that has not ended no longer holds up the next slot, in ms."),
});

export type ScheduleSettings = z.infer<typeof scheduleSettings>;
