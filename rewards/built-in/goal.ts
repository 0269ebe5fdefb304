import { isJsonObject, sameJson, type Json, type JsonObject } from "../../src/domain/json.ts";
import type { RewardAnswer } from "../../src/domain/reward-function.ts";
import type { RewardContext } from "../../src/domain/reward.ts";
import type { Trace } from "../../src/domain/trace.ts";
import { at, isListOf, isPath, pathText, problemsWith } from "./options.ts";
import { matches, patternProblem } from "./pattern.ts";

const OPERATIONS = ["eq", "ne", "gt", "gte", "lt", "lte", "contains", "matches", "exists"] as const;
type Operation = (typeof OPERATIONS)[number];

/**
 * The family `goal`: is the world as it should be after the run?
 *
 * Options:
 * - `all` (required): a list of predicates `{on, path, op, value}`.
 *   - `on`: `result` (default), the value that was returned, or `kv`, the skill's state after the run.
 *   - `path`: where to look (`items.0.price`; "" or absent is the whole; a list of steps also works).
 *   - `op`: `eq`, `ne` (as JSON); `gt`, `gte`, `lt`, `lte` (two numbers, or two texts by code unit);
 *     `contains` (a text in a text, an item in a list); `matches` (a regular expression, flag u);
 *     `exists` (`value: false` for the opposite).
 *   - `value`: what is compared with.
 *
 * Components: one for each predicate, 1 or 0. The score is the share that holds. Predicates on the
 * result of a run that did not return do not hold, but for `exists` with false and `ne`.
 */
export function goal({ outcome }: Trace, context: RewardContext): RewardAnswer {
  const predicates = predicatesIn(context.with);
  if (predicates.length === 0) return null;
  const held = predicates.map((predicate, place) => {
    const on = predicate["on"] === "kv" ? "kv" : "result";
    const op = predicate["op"] as Operation;
    const isThere = on === "kv" || outcome.status === "returned";
    const whole = on === "kv" ? context.kv : context.value;
    const found = isThere ? at(whole, predicate["path"] ?? "") : undefined;
    const name = `${place + 1}: ${on} ${pathText(predicate["path"])} ${op}`;
    return [name, Number(holds(op, found, predicate["value"]))] as const;
  });
  const score = held.reduce((sum, [, one]) => sum + one, 0) / held.length;
  return { score, components: Object.fromEntries(held) };
}

/** Problems of the options of `goal`. */
export function goalProblems(given: JsonObject): string[] {
  const option = {
    is: "a list of predicates",
    accepts: (all: Json) => isListOf(all, isJsonObject),
  };
  const problems = problemsWith("goal", given, { all: option });
  if (given["all"] === undefined) problems.push("reward `goal` needs the option `all`");
  return [
    ...problems,
    ...predicatesIn(given).flatMap((predicate, place) =>
      predicateProblems(predicate).map((text) => `reward \`goal\`: predicate ${place + 1} ${text}`),
    ),
  ];
}

function predicatesIn({ all }: JsonObject): readonly JsonObject[] {
  return Array.isArray(all) ? all.filter(isJsonObject) : [];
}

function predicateProblems({ on, path, op, value, ...rest }: JsonObject): string[] {
  const unknown = Object.keys(rest).map((name) => `has no member \`${name}\``);
  if (on !== undefined && on !== "result" && on !== "kv") {
    unknown.push("looks at `result` or `kv`, nothing else");
  }
  if (path !== undefined && !isPath(path)) unknown.push("has a path that is none");
  if (!isOperation(op)) return [...unknown, `needs \`op\`, one of ${OPERATIONS.join(", ")}`];
  const wrong = valueProblem(op, value);
  return wrong === null ? unknown : [...unknown, wrong];
}

function isOperation(op: Json | undefined): op is Operation {
  return OPERATIONS.some((known) => known === op);
}

function valueProblem(op: Operation, value: Json | undefined): string | null {
  switch (op) {
    case "exists":
      return value === undefined || typeof value === "boolean"
        ? null
        : "has a value that is no boolean";
    case "eq":
    case "ne":
    case "contains":
      return value === undefined ? "needs a value" : null;
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return typeof value === "number" || typeof value === "string"
        ? null
        : "needs a number or a text as its value";
    case "matches": {
      if (typeof value !== "string") return "needs a regular expression as its value";
      const wrong = patternProblem(value);
      return wrong === null ? null : `has a pattern that ${wrong}`;
    }
  }
}

function holds(op: Operation, found: Json | undefined, value: Json | undefined): boolean {
  switch (op) {
    case "exists":
      return (found !== undefined) === (value !== false);
    case "eq":
      return found !== undefined && value !== undefined && sameJson(found, value);
    case "ne":
      return found === undefined || value === undefined || !sameJson(found, value);
    case "gt":
      return isOrdered(found, value, (order) => order > 0);
    case "gte":
      return isOrdered(found, value, (order) => order >= 0);
    case "lt":
      return isOrdered(found, value, (order) => order < 0);
    case "lte":
      return isOrdered(found, value, (order) => order <= 0);
    case "contains":
      return doesContain(found, value);
    case "matches":
      return typeof found === "string" && typeof value === "string" && matches(value, found);
  }
}

function isOrdered(
  found: Json | undefined,
  value: Json | undefined,
  isSo: (order: number) => boolean,
): boolean {
  if (typeof found === "number" && typeof value === "number") return isSo(found - value);
  if (typeof found !== "string" || typeof value !== "string") return false;
  return isSo(found < value ? -1 : Number(found > value));
}

function doesContain(found: Json | undefined, value: Json | undefined): boolean {
  if (value === undefined) return false;
  if (typeof found === "string") return typeof value === "string" && found.includes(value);
  return Array.isArray(found) && found.some((item: Json) => sameJson(item, value));
}
