import { z } from "zod";
import { httpSettings } from "./config-http.ts";
import { lifeSettings } from "./config-life.ts";
import { logSettings } from "./config-log.ts";
import { modelSettings } from "./config-model.ts";
import { retentionSettings } from "./config-retention.ts";
import { scheduleSettings } from "./config-schedule.ts";
import { telemetrySettings } from "./config-telemetry.ts";
import { canarySettings, driftSettings, shadowSettings, watchSettings } from "./config-watch.ts";
import { HoneError } from "./domain/errors.ts";

/** Every setting, with its default, its unit and a sentence. Read nowhere else. */
export const configSchema = z.strictObject({
  publish: z
    .enum(["auto", "manual"])
    .default("manual")
    .describe("auto: bring releases to the followed branch by `git merge --ff-only`."),
  branch: z
    .string()
    .default("")
    .describe("The branch that people work on; empty: the one checked out."),
  proposers: z
    .array(z.enum(["revert", "drift", "search", "model"]))
    .default(["revert", "drift", "search", "model"])
    .describe("Who may propose patches, in this order."),
  model: modelSettings,
  docker: z
    .enum(["auto", "required", "off"])
    .default("auto")
    .describe(
      "Candidates run in a container too. required: no release without; auto: if there is an engine.",
    ),
  sandbox: z
    .strictObject({
      image: z.string().default("").describe("An image with Node 24; empty: hone makes one."),
      socket: z
        .string()
        .default("")
        .describe("The engine's Unix socket; empty: DOCKER_HOST, else Docker's or Podman's."),
      runtime: z.string().default("").describe("The engine's runtime, such as runsc."),
      warm: z.int().min(0).max(8).default(2).describe("Containers kept ready while there is work."),
      most: z.int().min(1).max(16).default(4).describe("Containers at most."),
    })
    .prefault({}),
  guests: z
    .strictObject({
      warm: z.int().min(1).max(64).default(2).describe("Guest processes kept ready."),
      most: z.int().min(1).max(64).default(8).describe("Guest processes at most."),
    })
    .prefault({}),
  tasks: z
    .strictObject({ parallel: z.int().min(1).max(64).default(4).describe("Tasks run at a time.") })
    .prefault({}),
  improve: z
    .strictObject({
      automatic: z.boolean().default(true).describe("Improve as soon as an incident opens."),
      budgetMs: z.int().min(100).default(20_000).describe("Time per incident and attempt, in ms."),
      candidates: z.int().min(1).default(8).describe("Proposals verified per group."),
      backoffMs: z
        .int()
        .min(0)
        .default(60_000)
        .describe("First pause after a group without a release; doubles."),
    })
    .prefault({}),
  heldOut: z
    .strictObject({
      share: z
        .number()
        .min(0)
        .max(0.9)
        .default(0.2)
        .describe("Share of live runs set aside, by hash."),
      minimum: z
        .int()
        .min(0)
        .default(2)
        .describe(
          "Held-out cases below which a release waits for a person; 0: only where it has no other ground.",
        ),
    })
    .prefault({}),
  watch: watchSettings,
  canary: canarySettings,
  shadow: shadowSettings,
  drift: driftSettings,
  birth: z
    .strictObject({
      heldOutShare: z
        .number()
        .min(0)
        .max(0.9)
        .default(0.3)
        .describe("Share of a new skill's examples set aside, by hash."),
      probationDays: z
        .number()
        .min(0)
        .default(7)
        .describe("Days of live work before a verdict on a new skill."),
      probationRuns: z
        .int()
        .min(1)
        .default(10)
        .describe("Live runs before a verdict on a new skill."),
      minimumRuns: z
        .int()
        .min(2)
        .default(3)
        .describe("Runs that take the same steps before a skill for them is proposed."),
    })
    .prefault({}),
  retire: z
    .strictObject({
      afterDays: z
        .int()
        .min(1)
        .default(90)
        .describe("Days without a run after which retiring a skill is proposed."),
      minimumRuns: z
        .int()
        .min(1)
        .default(20)
        .describe("Scored runs, none of them good, after which it is."),
    })
    .prefault({}),
  secrets: z
    .strictObject({
      file: z
        .string()
        .default("")
        .describe("A file of NAME=value lines, mode 0600, relative to the workspace; empty: none."),
    })
    .prefault({}),
  http: httpSettings,
  telemetry: telemetrySettings,
  retention: retentionSettings,
  schedules: z
    .array(scheduleSettings)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
      error: "each schedule needs a name of its own",
    })
    .default([])
    .describe("Recurring work."),
  logLevel: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("How much the daemon logs."),
  log: logSettings,
  life: lifeSettings,
});

export type Config = z.infer<typeof configSchema>;

/** The settings in `value` over the defaults; throws one `bad-config` that names every problem. */
export function parseConfig(value: unknown, where: string): Config {
  const parsed = configSchema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join(".") || "(top)"}: ${issue.message}`,
  );
  throw new HoneError(
    "bad-config",
    `${where} is not a valid configuration: ${problems.join("; ")}`,
    {
      hint: "`hone config schema` has every setting with its default; what is not set has that.",
    },
  );
}
