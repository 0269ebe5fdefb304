import type { JsonObject } from "../../src/domain/json.ts";
import type { RewardFunction, SchemaCheck } from "../../src/domain/reward-function.ts";
import { api, apiProblems } from "./api.ts";
import { code, codeProblems } from "./code.ts";
import { dataBy, dataProblems } from "./data.ts";
import { goal, goalProblems } from "./goal.ts";

/** The names of the reward families that hone brings; every other `use` is a file of rewards/. */
const BUILT_IN_REWARDS = ["api", "code", "data", "goal"] as const;
type BuiltInReward = (typeof BUILT_IN_REWARDS)[number];

const PROBLEMS: Readonly<Record<BuiltInReward, (given: JsonObject) => string[]>> = {
  api: apiProblems,
  code: codeProblems,
  data: dataProblems,
  goal: goalProblems,
};

/** Finds a built-in reward by its name, or null; `check` holds values against output schemas. */
export function builtInRewards(check: SchemaCheck): (use: string) => RewardFunction | null {
  const families: Readonly<Record<BuiltInReward, RewardFunction>> = {
    api,
    code,
    data: dataBy(check),
    goal,
  };
  return (use) => (isBuiltIn(use) ? families[use] : null);
}

/** Everything wrong with the options of a built-in reward; none for a reward of the workspace. */
export function checkOptions(use: string, given: JsonObject): string[] {
  return isBuiltIn(use) ? PROBLEMS[use](given) : [];
}

/** Whether a name is one of a built-in reward. */
export function isBuiltIn(use: string): use is BuiltInReward {
  return BUILT_IN_REWARDS.some((name) => name === use);
}
