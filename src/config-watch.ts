import { z } from "zod";

/** When a release is kept or taken back, by its live runs. */
export const watchSettings = z
  .strictObject({
    minimumRuns: z.int().min(1).default(10).describe("Live runs before a verdict on a release."),
    maximumRuns: z.int().min(1).default(200).describe("Live runs after which a release is kept."),
    alpha: z.number().gt(0).lt(1).default(0.01).describe("Chance of a false rollback per release."),
    tolerance: z
      .number()
      .min(0)
      .lt(1)
      .default(0.02)
      .describe("A drop of the mean reward that is accepted."),
  })
  .prefault({});

/** How much live work a release gets at first; see `canaryOf`. */
export const canarySettings = z
  .strictObject({
    share: z
      .number()
      .gt(0)
      .max(1)
      .default(0.1)
      .describe("Share of live runs that a release under watch gets at first; 1: all at once."),
    runs: z
      .int()
      .min(1)
      .default(20)
      .describe("Live runs of it without a regression after which it gets them all."),
    hours: z
      .number()
      .min(0)
      .default(24)
      .describe("Hours after which it gets them all, where runs are few."),
  })
  .prefault({});

/** Live runs that are repeated on the other version while a release is under watch. */
export const shadowSettings = z
  .strictObject({
    share: z
      .number()
      .min(0)
      .max(1)
      .default(0.2)
      .describe(
        "Share of live runs repeated on the other version, for skills that reach nothing; 0: off.",
      ),
    load: z
      .number()
      .gt(0)
      .max(1)
      .default(0.1)
      .describe("Part of the time that such repetitions may take at most."),
  })
  .prefault({});

/** When drift is told of; each alarm stands in `hone status` until it is over. */
export const driftSettings = z
  .strictObject({
    falseAlarmRuns: z
      .int()
      .min(100)
      .default(10_000)
      .describe("Runs of a skill in the mean until a false alarm of a fallen reward, at least."),
    saturatedRuns: z
      .int()
      .min(0)
      .default(1_000)
      .describe("Runs with one and the same score after which a reward counts as blind; 0: off."),
    shapes: z.boolean().default(true).describe("Watch the shape of what upstream servers answer."),
  })
  .prefault({});
