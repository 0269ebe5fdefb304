import type { Json, JsonObject } from "./json.ts";
import type { Components, RewardContext } from "./reward.ts";
import type { Trace } from "./trace.ts";

/** What a reward function answers: a score with its parts, or null where it says nothing of a run. */
export type RewardAnswer = { readonly score: number; readonly components: Components } | null;

/** A reward: a deterministic function of a trace. */
export type RewardFunction = (trace: Trace, context: RewardContext) => RewardAnswer;

/** Holds a value against a JSON Schema: one sentence for each problem, none when it is valid. */
export type SchemaCheck = (schema: JsonObject, value: Json) => readonly string[];
