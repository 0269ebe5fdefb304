import type { Config } from "../config.ts";
import type { House } from "../ports/house.ts";
import type { WatchedModel } from "../ports/model.ts";
import type { Operations } from "../ports/operations.ts";

/** What is put around the parts of a workspace so that they are told as spans. */
export type Tracing = {
  readonly house: (house: House) => House;
  readonly operations: (operations: Operations) => Operations;
  readonly model: (model: WatchedModel) => WatchedModel;
  /** Around each improvement, which is one at a time. */
  readonly improvements: (oneAtATime: House["alone"]) => House["alone"];
  /** Around each request: what it says of the trace that it belongs to is taken over. */
  readonly request: (
    headers: Readonly<Record<string, string>>,
    answer: () => Promise<void>,
  ) => Promise<void>;
};

/** Where an OpenTelemetry SDK registers itself, in the manner of @opentelemetry/api 1.x. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/**
 * Spans for the OpenTelemetry SDK that the process was started with (`node --import`). Where there
 * is none nothing is wrapped or loaded: null.
 */
export async function tracingFor({ telemetry }: Config): Promise<Tracing | null> {
  if (!(REGISTERED in globalThis)) return null;
  const { makeTracing } = await import("./tracing/tracing.ts");
  return makeTracing({ genAi: telemetry.genAi });
}
