import { z } from "zod";

/** What hone tells of itself: Prometheus reads /metrics; spans go where an SDK brings them. */
export const telemetrySettings = z
  .strictObject({
    metrics: z.boolean().default(true).describe("Serve /metrics for Prometheus."),
    skills: z
      .int()
      .min(0)
      .max(10_000)
      .default(100)
      .describe("Skills with time series of their own; all others are `other`."),
    genAi: z
      .boolean()
      .default(false)
      .describe(
        "Spans of requests to the model, by OpenTelemetry's conventions for generative AI.",
      ),
  })
  .prefault({});
