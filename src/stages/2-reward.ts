import type { Expectation } from "../domain/case.ts";
import { HoneError } from "../domain/errors.ts";
import { isJsonObject, sameJson, type Json, type JsonObject } from "../domain/json.ts";
import { describe, judge } from "../domain/judge.ts";
import type { RewardFunction } from "../domain/reward-function.ts";
import {
  combine,
  isScore,
  type Components,
  type Reward,
  type RewardContext,
} from "../domain/reward.ts";
import { DEFAULT_LIMITS, type Program, type Skill } from "../domain/skill.ts";
import { isInfrastructureFault, type Outcome, type Trace } from "../domain/trace.ts";
import type { Call, CallResult, Sandbox } from "../ports/sandbox.ts";

export type RewardPorts = {
  /** A reward that hone brings, or null. */
  readonly builtIn: (use: string) => RewardFunction | null;
  /** The program of a file of the workspace's rewards/, or null. */
  readonly userReward: (name: string) => Program | null;
  /** The wall behind which rewards of the workspace run. */
  readonly sandbox: Sandbox;
};

export type RunToScore = {
  readonly skill: Skill;
  readonly input: JsonObject;
  readonly trace: Trace;
  /** What is known of the right outcome; null where nothing is. */
  readonly expectation: Expectation | null;
  /** The skill's key-value state after the run. */
  readonly kv: JsonObject;
};

/** The score of a run that failed as a whole. */
const FAILED: Reward = { status: "scored", score: 0, components: {} };

/**
 * Run → Reward, by the parts that the skill's manifest names. A world out of reach is unscored. An
 * outcome that is none (a timeout, a crash, …) scores 0 whatever the parts would say; so does one
 * known to be wrong where no part `code` weighs it. A part that answers anything but scores makes a
 * bad reward. Rejects with the signal's reason when aborted, and for nothing that a reward can cause.
 */
export async function scoreRun(
  run: RunToScore,
  ports: RewardPorts,
  signal: AbortSignal,
): Promise<Reward> {
  const { skill, trace } = run;
  if (isInfrastructureFault(trace)) {
    return { status: "unscored", reason: `the world was out of reach: ${describe(trace.outcome)}` };
  }
  const { parts } = skill.manifest.reward;
  const asExpected = isAsExpected(run);
  const isWeighed = parts.some(({ use }) => use === "code");
  if (isVoid(trace.outcome) || (asExpected === false && !isWeighed)) return FAILED;
  const rewards: { readonly name: string; readonly weight: number; readonly reward: Reward }[] = [];
  for (const { use, weight, with: options } of parts) {
    const context = contextOf(run, asExpected, options);
    const reward = await scorePart({ use, trace, context }, ports, signal);
    rewards.push({ name: use, weight, reward });
  }
  return combine(rewards);
}

/** Whether there is no outcome that a reward could look at. */
function isVoid({ status }: Outcome): boolean {
  switch (status) {
    case "returned":
    case "threw":
      return false;
    case "bad-result":
    case "timed-out":
    case "never-settled":
    case "out-of-memory":
    case "not-loaded":
    case "unhandled-rejection":
    case "crashed":
      return true;
  }
}

function isAsExpected({ trace, expectation }: RunToScore): boolean | null {
  if (expectation === null || expectation.kind === "reward") return null;
  return judge(trace.outcome, expectation).passed;
}

function contextOf(
  { skill, input, trace, kv }: RunToScore,
  asExpected: boolean | null,
  options: JsonObject,
): RewardContext {
  const { outcome } = trace;
  const value = outcome.status === "returned" ? outcome.value : null;
  return { input, outputSchema: skill.outputSchema, asExpected, kv, with: options, value };
}

type Part = {
  readonly use: string;
  readonly trace: Trace;
  readonly context: RewardContext;
};

async function scorePart(part: Part, ports: RewardPorts, signal: AbortSignal): Promise<Reward> {
  const builtIn = ports.builtIn(part.use);
  if (builtIn !== null) {
    const answer = builtIn(part.trace, part.context);
    return answer === null
      ? { status: "unscored", reason: "says nothing of this run" }
      : rewardFrom(answer);
  }
  const program = ports.userReward(part.use);
  if (program === null) return bad(`there is no file rewards/${part.use}.ts`);
  return scoreTwice(program, part, ports.sandbox, signal);
}

/** Two worlds that share nothing a deterministic function may depend on. */
const WORLDS = [
  { now: Date.UTC(2020, 1, 29, 23, 59, 58, 997), seed: 1 },
  { now: Date.UTC(2031, 6, 4, 4, 6, 7, 8), seed: 2_147_483_629 },
] as const;

/** A reward of the workspace: asked twice, each time in a fresh isolate; two answers must agree. */
async function scoreTwice(
  program: Program,
  { trace, context }: Part,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<Reward> {
  // Both are plain data; a copy also drops members that are undefined.
  const args = JSON.parse(JSON.stringify([trace, context])) as Json[];
  const calls = WORLDS.map((environment) => callOf(args, environment));
  const results = await executeOrNull(sandbox, program, calls, signal);
  if (results === null) return { status: "unscored", reason: "the sandbox was not available" };
  const answers: Json[] = [];
  for (const { outcome } of results.map(({ trace }) => trace)) {
    if (outcome.status !== "returned") return bad(describe(outcome));
    answers.push(outcome.value);
  }
  const [first, second] = answers;
  if (first === undefined || second === undefined) throw new Error("one result per call");
  if (first === null && second === null) {
    return { status: "unscored", reason: "says nothing of this run" };
  }
  return sameJson(first, second)
    ? rewardFrom(first)
    : bad(`two answers differ: ${shown(first)} and ${shown(second)}`);
}

/** A call without capabilities: whatever is asked for is denied. */
function callOf(args: readonly Json[], environment: Call["environment"]): Call {
  const host: Call["host"] = {
    next: (requests) =>
      Promise.resolve({
        answers: requests.map(({ id }) => ({
          id,
          status: "rejected",
          name: "Error",
          message: "a reward has no capabilities",
          cause: "denied",
        })),
        now: environment.now,
      }),
  };
  return { args, grants: [], environment, host };
}

/** Null where the wall could not be put up: that says nothing of the run. */
async function executeOrNull(
  sandbox: Sandbox,
  program: Program,
  calls: readonly Call[],
  signal: AbortSignal,
): Promise<readonly CallResult[] | null> {
  try {
    return await sandbox.execute({ program, calls, limits: DEFAULT_LIMITS, fresh: true }, signal);
  } catch (error) {
    if (error instanceof HoneError && error.code === "sandbox-unavailable") return null;
    throw error;
  }
}

/** Takes an answer only if it is a score, or a score with components that are scores. */
function rewardFrom(answer: Json): Reward {
  const isWhole = isJsonObject(answer);
  const score = isWhole ? answer["score"] : answer;
  const components = (isWhole ? answer["components"] : undefined) ?? {};
  if (!isScore(score)) return bad(`answered ${shown(score)} where a number in [0,1] is needed`);
  if (!isJsonObject(components)) return bad("has components that are no object");
  const wrong = Object.entries(components).find(([, value]) => !isScore(value));
  return wrong === undefined
    ? { status: "scored", score, components: components as Components }
    : bad(`answered ${shown(wrong[1])} as its component ${wrong[0]}, which is not in [0,1]`);
}

function bad(reason: string): Reward {
  return { status: "bad-reward", reason };
}

function shown(value: Json | undefined): string {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "nothing");
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
