import type { Expectation } from "./case.ts";
import type { JsonObject } from "./json.ts";
import type { Reward } from "./reward.ts";
import type { Trace } from "./trace.ts";

const TASK_SOURCES = ["cli", "api", "mcp", "schedule", "dataset", "demo"] as const;
export type TaskSource = (typeof TASK_SOURCES)[number];

/** One piece of work asked for. */
export type Task = {
  readonly id: string;
  readonly skill: string;
  readonly input: JsonObject;
  /** What the caller knows of the right outcome; null where nothing is known. */
  readonly expectation: Expectation | null;
  readonly source: TaskSource;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
};

export const TASK_STATES = ["queued", "running", "done", "failed"] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** One execution of a task by one skill version; it keeps that version to its end. */
export type Run = {
  readonly id: string;
  readonly taskId: string;
  readonly skill: string;
  /** The commit that last changed the skill when the run began. */
  readonly version: string;
  readonly input: JsonObject;
  /** What the task's caller knew of the right outcome. */
  readonly expectation: Expectation | null;
  readonly trace: Trace;
  readonly reward: Reward;
  readonly startedAt: number;
  /** Set aside as held-out before anyone looks; such a run reaches no proposer. */
  readonly isHeldOut: boolean;
};
