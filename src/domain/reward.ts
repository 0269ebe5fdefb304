import type { Json, JsonObject } from "./json.ts";

/**
 * The score of a run. Unscored is not zero: a run that says nothing of the skill (the world was
 * out of reach, or no reward applies) enters no rate.
 */
export type Reward =
  | { readonly status: "scored"; readonly score: number; readonly components: Components }
  | { readonly status: "unscored"; readonly reason: string }
  /** The reward itself is at fault: not a finite number in [0,1], or two answers that differ. */
  | { readonly status: "bad-reward"; readonly reason: string };

/** Named parts of a score, each in [0,1]. */
export type Components = Readonly<Record<string, number>>;

/** One part of a skill's reward: a built-in family or a file of the workspace's rewards/. */
export type RewardPart = {
  /** `api`, `code`, `data`, `goal`, or the name of a file in rewards/ without its ending. */
  readonly use: string;
  readonly weight: number;
  readonly with: JsonObject;
};

export type RewardSpec = {
  readonly parts: readonly RewardPart[];
  /** A scored run below this joins an incident. */
  readonly threshold: number;
};

export const DEFAULT_REWARD: RewardSpec = {
  parts: [{ use: "code", weight: 1, with: {} }],
  threshold: 1,
};

/** Whether a value is a score: a finite number in [0,1]. `true`, "1", NaN and Infinity are not. */
export function isScore(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value <= 1;
}

/** Whether a run with this reward falls short. Unscored and bad rewards do not. */
export function fallsShort(reward: Reward, threshold: number): boolean {
  return reward.status === "scored" && reward.score < threshold;
}

/** The weighted mean of scored parts. Throws nothing: a bad part makes a bad reward. */
export function combine(
  parts: readonly { readonly name: string; readonly weight: number; readonly reward: Reward }[],
): Reward {
  const bad = parts.find(({ reward }) => reward.status === "bad-reward");
  if (bad?.reward.status === "bad-reward") {
    return { status: "bad-reward", reason: `${bad.name}: ${bad.reward.reason}` };
  }
  const scored = parts.flatMap(({ name, weight, reward }) =>
    reward.status === "scored" ? [{ name, weight, reward }] : [],
  );
  const total = scored.reduce((sum, { weight }) => sum + weight, 0);
  if (total <= 0) return { status: "unscored", reason: "no part of the reward applies" };
  const components = Object.fromEntries(
    scored.flatMap(({ name, reward }) =>
      Object.entries(reward.components).map(([key, value]) => [`${name}.${key}`, value] as const),
    ),
  );
  const score = scored.reduce((sum, { weight, reward }) => sum + weight * reward.score, 0) / total;
  return { status: "scored", score: Math.min(1, Math.max(0, score)), components };
}

/** What a reward function is shown besides the trace. */
export type RewardContext = {
  readonly input: JsonObject;
  readonly outputSchema: JsonObject;
  /** Whether the outcome is the expected one; null where nothing is expected. */
  readonly asExpected: boolean | null;
  readonly kv: JsonObject;
  readonly with: JsonObject;
  /** The value that was returned, or null. */
  readonly value: Json;
};
