import type { CaseWorld, FetchRule } from "./case.ts";
import { isJsonObject, sameJson, type Json, type JsonObject } from "./json.ts";
import {
  type Answer,
  type Environment,
  exchangesOf,
  type FetchAnswer,
  isComeBackLater,
  type Request,
  type Trace,
} from "./trace.ts";

type SkillRule = NonNullable<CaseWorld["skills"]>[string][number];

/** The instant at which a case runs that names none: 2026-01-01T00:00:00Z. */
export const DEFAULT_NOW = Date.UTC(2026, 0, 1);

/** The seed of a case that names none. */
export const DEFAULT_SEED = 1;

/** What the clock and the random numbers of a case start from. */
export function environmentOf({ now, seed }: CaseWorld): Environment {
  return { now: now ?? DEFAULT_NOW, seed: seed ?? DEFAULT_SEED };
}

/**
 * The world in which a recorded run happened, so that the run can become a case: what each URL
 * answered, in order; the key-value state before the run; the other skills' answers; clock and
 * seed. Answers that came out of the order of asking keep their order through `ticks`.
 */
export function worldOf(trace: Pick<Trace, "steps" | "environment">): CaseWorld {
  const fetch = fetchRules(trace);
  const kv = initialKv(trace);
  const skills = skillRules(trace);
  const model = modelRules(trace);
  return {
    ...(fetch.length > 0 ? { fetch } : {}),
    ...(Object.keys(kv).length > 0 ? { kv } : {}),
    ...trace.environment,
    ...(Object.keys(skills).length > 0 ? { skills } : {}),
    ...(model.length > 0 ? { model } : {}),
  };
}

function fetchRules(trace: Pick<Trace, "steps">): readonly FetchRule[] {
  const ticks = ticksOf(trace);
  const rules = answered(trace, "fetch").map(({ request, answer }) => {
    const late = ticks.get(request.id) ?? 0;
    return { ...ruleOf(request, answer), ...(late > 0 ? { ticks: late } : {}) };
  });
  const runs = Map.groupBy(rules, ({ match }) => match);
  return [...runs.values()].flatMap(inOrder);
}

/**
 * Rules for one URL: equal neighbours are one, and only the last may be used for ever. One that says
 * to ask again later says nothing of what is answered then, so it is used as often as it was told.
 */
function inOrder(rules: readonly FetchRule[]): readonly FetchRule[] {
  const runs: { readonly rule: FetchRule; times: number }[] = [];
  for (const rule of rules) {
    const last = runs.at(-1);
    if (last !== undefined && isSame(last.rule, rule)) last.times += 1;
    else runs.push({ rule, times: 1 });
  }
  return runs.map(({ rule, times }, at) =>
    at < runs.length - 1 || isPassing(rule) ? { ...rule, times } : rule,
  );
}

function isPassing({ status = 200, headers = {} }: FetchRule): boolean {
  return isComeBackLater({ status, headers });
}

function isSame(a: FetchRule, b: FetchRule): boolean {
  return sameJson(a, b);
}

function ruleOf({ args }: Request, answer: Answer): FetchRule {
  const match = `${textAt(args, "method").toUpperCase()} ${textAt(args, "url")}`;
  if (answer.status === "rejected") return { match, error: answer.message };
  const { status, headers, body } = answer.value as FetchAnswer;
  return { match, status, headers, body };
}

/**
 * The turns that each fetch was outstanding, where fetches were answered in another order than
 * asked; empty where the order was the same, so that a plain run gives plain rules. Answers told in
 * one step are a turn apart, and steps so far apart that they cannot mix.
 */
function ticksOf({ steps }: Pick<Trace, "steps">): ReadonlyMap<number, number> {
  const most = steps.reduce((size, { answers }) => Math.max(size, answers.length), 1);
  const apart = most === 1 ? 1 : 2 * most;
  const asked = new Map<number, { readonly rank: number; readonly turn: number }>();
  const told: { readonly id: number; readonly rank: number; readonly ticks: number }[] = [];
  for (const [step, { requests, answers }] of steps.entries()) {
    const turn = step === 0 ? -1 : (step - 1) * apart;
    for (const { id, kind } of requests) {
      if (kind === "fetch") asked.set(id, { rank: asked.size, turn });
    }
    for (const [place, { id }] of answers.entries()) {
      const since = asked.get(id);
      if (since === undefined) continue;
      told.push({ id, rank: since.rank, ticks: step * apart + place - since.turn - 1 });
    }
  }
  const inOrder = told.every(({ rank }, at) => rank >= (told[at - 1]?.rank ?? 0));
  return new Map(inOrder ? [] : told.map(({ id, ticks }) => [id, ticks] as const));
}

/** What was read of a key before the run itself wrote it. */
function initialKv(trace: Pick<Trace, "steps">): JsonObject {
  const before = new Map<string, Json>();
  const written = new Set<string>();
  for (const { request, answer } of answered(trace)) {
    const key = textAt(request.args, "key");
    if (request.kind === "kv.set" || request.kind === "kv.delete") written.add(key);
    if (answer.status === "rejected") continue;
    if (request.kind === "kv.get" && !written.has(key) && answer.value !== null) {
      before.set(key, answer.value);
    }
    if (request.kind === "kv.list") {
      for (const listed of answer.value as readonly string[]) {
        if (!written.has(listed) && !before.has(listed)) before.set(listed, null);
      }
    }
  }
  return Object.fromEntries(before);
}

/** The first answer to each prompt. */
function modelRules(trace: Pick<Trace, "steps">): NonNullable<CaseWorld["model"]> {
  const told = answered(trace, "model").flatMap(({ request, answer }) =>
    answer.status === "resolved" && typeof answer.value === "string"
      ? [{ prompt: textAt(request.args, "prompt"), text: answer.value }]
      : [],
  );
  return told.filter(({ prompt }, at) => told.findIndex((one) => one.prompt === prompt) === at);
}

/** The first answer to each input: a rule of a skill answers equal input for ever. */
function skillRules(trace: Pick<Trace, "steps">): NonNullable<CaseWorld["skills"]> {
  const calls = answered(trace, "skills.call").map(({ request, answer }) => ({
    name: textAt(request.args, "name"),
    rule: skillRule(request, answer),
  }));
  const first = calls.filter(({ name, rule }, at) => {
    const same = (other: (typeof calls)[number]): boolean =>
      other.name === name && sameJson(other.rule.input, rule.input);
    return calls.findIndex(same) === at;
  });
  const byName = Map.groupBy(first, ({ name }) => name);
  return Object.fromEntries(
    [...byName].map(([name, own]) => [name, own.map(({ rule }) => rule)] as const),
  );
}

function skillRule({ args }: Request, answer: Answer): SkillRule {
  const input = isJsonObject(args) ? (args["input"] ?? null) : null;
  return answer.status === "resolved"
    ? { input, result: answer.value }
    : { input, error: answer.message };
}

/** The exchanges that were answered, in the order of asking; of one kind, where it is given. */
function answered(
  trace: Pick<Trace, "steps">,
  kind?: string,
): readonly { readonly request: Request; readonly answer: Answer }[] {
  return exchangesOf(trace).flatMap(({ request, answer }) =>
    answer !== undefined && (kind === undefined || request.kind === kind)
      ? [{ request, answer }]
      : [],
  );
}

function textAt(args: Json, member: string): string {
  const value = isJsonObject(args) ? args[member] : undefined;
  return typeof value === "string" ? value : "";
}

/** The key-value state after a run that began with `before`, by the writes in its trace. */
export function kvAfter(before: JsonObject, trace: Pick<Trace, "steps">): JsonObject {
  const state = new Map(Object.entries(before));
  for (const { request, answer } of exchangesOf(trace)) {
    if (answer?.status !== "resolved" || !isJsonObject(request.args)) continue;
    const { key, value } = request.args;
    if (typeof key !== "string") continue;
    if (request.kind === "kv.set" && value !== undefined) state.set(key, value);
    if (request.kind === "kv.delete") state.delete(key);
  }
  return Object.fromEntries(state);
}
