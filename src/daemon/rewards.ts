import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { builtInRewards, checkOptions, isBuiltIn } from "../../rewards/built-in/registry.ts";
import { HoneError } from "../domain/errors.ts";
import type { JsonObject } from "../domain/json.ts";
import { judge } from "../domain/judge.ts";
import { inputOf, type Program, type Skill } from "../domain/skill.ts";
import type { SchemaCheck } from "../domain/reward-function.ts";
import type { Reward, RewardSpec } from "../domain/reward.ts";
import { kvAfter } from "../domain/world.ts";
import type { Editor } from "../ports/editor.ts";
import type { JudgeCase } from "../ports/judge.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { Store } from "../ports/store.ts";
import { scoreRun, type RunToScore } from "../stages/2-reward.ts";

export type Rewards = {
  readonly score: (run: RunToScore, signal: AbortSignal) => Promise<Reward>;
  readonly judgeCase: JudgeCase;
  /** Rewards that do not exist and options that do not fit, as sentences. */
  readonly problems: (spec: RewardSpec) => readonly string[];
};

/** The rewards of a workspace: those that hone brings, and the TypeScript files of its rewards/. */
export async function rewardsOf(
  dir: string | null,
  ports: {
    readonly inspect: Editor["inspect"];
    readonly sandbox: Sandbox;
    readonly check: SchemaCheck;
  },
): Promise<Rewards> {
  const files = await rewardFiles(dir);
  const programs = new Map<string, Program | Reward>();
  const builtIn = builtInRewards(ports.check);

  async function load(spec: RewardSpec, signal: AbortSignal): Promise<void> {
    for (const { use } of spec.parts) {
      const file = files.get(use);
      if (file === undefined || isBuiltIn(use) || programs.has(use)) continue;
      programs.set(use, await programOf(file, ports.inspect, signal));
    }
  }

  async function score(run: RunToScore, signal: AbortSignal): Promise<Reward> {
    const { reward } = run.skill.manifest;
    await load(reward, signal);
    const used = new Map<string, Program>();
    for (const { use } of reward.parts) {
      const program = programs.get(use);
      if (program === undefined) continue;
      if ("status" in program) return program;
      used.set(use, program);
    }
    const userReward = (name: string): Program | null => used.get(name) ?? null;
    return await scoreRun(run, { builtIn, userReward, sandbox: ports.sandbox }, signal);
  }

  return {
    score,
    judgeCase: judgeBy(score),
    problems: ({ parts }) =>
      parts.flatMap(({ use, with: given }) =>
        isBuiltIn(use) || files.has(use)
          ? checkOptions(use, given).map((problem) => `SKILL.md: reward ${use}: ${problem}`)
          : [`SKILL.md: there is no reward ${use}: neither built in nor rewards/${use}.ts`],
      ),
  };
}

/** Values and messages by comparison; a reward case by the skill's own reward. */
function judgeBy(score: Rewards["score"]): JudgeCase {
  return async (skill, { expectation, world, args }, trace, signal) => {
    if (expectation.kind !== "reward") return judge(trace.outcome, expectation);
    const input = inputOf(skill.signature, args);
    const kv = kvAfter(world.kv ?? {}, trace);
    const reward = await score({ skill, input, trace, expectation: null, kv }, signal);
    if (reward.status !== "scored")
      return { passed: false, reason: `${reward.status}: ${reward.reason}` };
    const said = `reward ${reward.score.toFixed(2)}, ${expectation.atLeast} is asked for`;
    return { passed: reward.score >= expectation.atLeast, reason: said };
  };
}

async function rewardFiles(dir: string | null): Promise<ReadonlyMap<string, string>> {
  if (dir === null) return new Map();
  const folder = path.join(dir, "rewards");
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new HoneError("store-failed", `${folder} cannot be read: ${error.message}`, {
      cause: error,
    });
  });
  const sources = names.filter((name) => name.endsWith(".ts"));
  return new Map(sources.map((name) => [name.slice(0, -3), path.join(folder, name)]));
}

/** The program of a reward; where the file is none, the answer to every run that it should score. */
async function programOf(
  file: string,
  inspect: Editor["inspect"],
  signal: AbortSignal,
): Promise<Program | Reward> {
  const text = await readFile(file, "utf8");
  const inspected = await inspect({ text, language: "ts", entry: null }, signal);
  if (inspected.status === "sound") return inspected.program;
  const problems = inspected.problems.map(({ line, message }) => `line ${line}: ${message}`);
  return { status: "bad-reward", reason: `${file} is no reward: ${problems.join("; ")}` };
}

/** The skill's own key-value state, looked up only where a reward asks for it. */
export function kvFor(
  { name, manifest }: Skill,
  store: Pick<Store, "kvList" | "kvGet">,
): JsonObject {
  const isAsked = manifest.reward.parts.some(({ use }) => use === "goal" || !isBuiltIn(use));
  if (!isAsked) return {};
  const keys = store.kvList(name, "");
  return Object.fromEntries(keys.map((key) => [key, store.kvGet(name, key) ?? null]));
}
