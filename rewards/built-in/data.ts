import { canonical, isJsonObject, type Json, type JsonObject } from "../../src/domain/json.ts";
import type { RewardFunction, SchemaCheck } from "../../src/domain/reward-function.ts";
import { meanOf, share } from "./components.ts";
import { at, PATH, isPath, problemsWith, TEXTS, type Option } from "./options.ts";

/**
 * The family `data`: is what came out sound data?
 *
 * Options:
 * - `records`: path of the list of records in the value. Default: the value itself.
 * - `unique`: columns in which no two records have the same value.
 * - `required`: columns that every record has, and not as null.
 * - `sums`: for each column the sum that its numbers have: a number, or the path of one in the value.
 * - `count`: `{atLeast, atMost}`, bounds of the number of records, either may be absent.
 *
 * Components: `schema` (1 when the value is valid by the skill's output schema), `integrity` (the
 * mean over all columns of `unique`, `required` and `sums`), `count`. The score is their mean. A run
 * that returned nothing scores 0.
 */
export function dataBy(check: SchemaCheck): RewardFunction {
  return ({ outcome }, { outputSchema, value, asExpected, with: options }) => {
    if (outcome.status !== "returned") {
      return asExpected === true ? null : { score: 0, components: { schema: 0 } };
    }
    const found = at(value, options["records"] ?? "");
    const records = Array.isArray(found) ? (found as readonly Json[]) : null;
    return meanOf({
      schema: check(outputSchema, value).length === 0 ? 1 : 0,
      integrity: integrityOf(records, value, options),
      count: isJsonObject(options["count"]) ? countScore(records, options["count"]) : null,
    });
  };
}

/** Problems of the options of `data`. */
export function dataProblems(given: JsonObject): string[] {
  return problemsWith("data", given, {
    records: PATH,
    unique: TEXTS,
    required: TEXTS,
    sums: SUMS,
    count: BOUNDS,
  });
}

const SUMS: Option = {
  is: "an object of columns with their sum, a number or the path of one",
  accepts: (value) =>
    isJsonObject(value) &&
    Object.values(value).every((sum) => typeof sum === "number" || isPath(sum)),
};

const BOUNDS: Option = {
  is: "an object with `atLeast` or `atMost`, whole numbers, in this order of size",
  accepts: (value) => {
    if (!isJsonObject(value) || Object.keys(value).length === 0) return false;
    const { atLeast = 0, atMost = Number.MAX_SAFE_INTEGER, ...rest } = value;
    if (Object.keys(rest).length > 0 || !isCount(atLeast) || !isCount(atMost)) return false;
    return atLeast <= atMost;
  },
};

function isCount(value: Json): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function integrityOf(
  records: readonly Json[] | null,
  value: Json,
  { unique, required, sums }: JsonObject,
): number | null {
  const checks = [
    ...textsOf(unique).map((column) => () => shareOfDistinct(columnOf(records ?? [], column))),
    ...textsOf(required).map((column) => () => shareOfPresent(columnOf(records ?? [], column))),
    ...Object.entries(isJsonObject(sums) ? sums : {}).map(([column, sum]) => () => {
      const wanted = typeof sum === "number" ? sum : at(value, sum);
      return Number(isSum(columnOf(records ?? [], column), wanted));
    }),
  ];
  if (checks.length === 0) return null;
  if (records === null) return 0;
  return checks.reduce((total, check) => total + check(), 0) / checks.length;
}

function textsOf(option: Json | undefined): readonly string[] {
  return Array.isArray(option) ? option.map(String) : [];
}

function columnOf(records: readonly Json[], column: string): readonly (Json | undefined)[] {
  return records.map((record) => (isJsonObject(record) ? at(record, [column]) : undefined));
}

/** 1 without records: nothing occurs twice. Values that are absent or null are not compared. */
function shareOfDistinct(values: readonly (Json | undefined)[]): number {
  const present = values.flatMap((value) => (value === undefined || value === null ? [] : [value]));
  return present.length === 0 ? 1 : new Set(present.map(canonical)).size / present.length;
}

function shareOfPresent(values: readonly (Json | undefined)[]): number {
  return share(values, (value) => value !== undefined && value !== null) ?? 1;
}

/** Whether numbers add up, but for the rounding of binary fractions. */
function isSum(values: readonly (Json | undefined)[], wanted: Json | undefined): boolean {
  if (typeof wanted !== "number") return false;
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length < values.length) return false;
  const sum = numbers.reduce((total, value) => total + value, 0);
  const size = numbers.reduce((total, value) => total + Math.abs(value), Math.abs(wanted));
  return Math.abs(sum - wanted) <= 1e-9 * size;
}

function countScore(records: readonly Json[] | null, bounds: JsonObject): number {
  if (records === null) return 0;
  const { atLeast = 0, atMost = Infinity } = bounds;
  return Number(records.length >= Number(atLeast) && records.length <= Number(atMost));
}
