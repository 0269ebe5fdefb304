import { isJsonObject, type Json } from "../../domain/json.ts";
import type { Chance } from "./chance.ts";
import { varied, type Pool } from "./vary.ts";

/** How many members a list gets that is to be longer than those of the cases. */
const LONG = 12;

/**
 * A value of the same kind at the edge of what is usual: nothing, one, all alike, in order, the
 * other way round, much longer (boundary value analysis; Myers, "The Art of Software Testing").
 */
export function boundaryOf(value: Json, pool: Pool, chance: Chance): Json {
  if (typeof value === "number") return numberAt(value, pool, chance);
  if (typeof value === "string") return textAt(value, pool, chance);
  if (Array.isArray(value)) return listAt(value as readonly Json[], pool, chance);
  if (isJsonObject(value)) {
    const keys = Object.keys(value);
    if (keys.length === 0) return value;
    const key = chance.of(keys);
    return { ...value, [key]: boundaryOf(value[key] as Json, pool, chance) };
  }
  return varied(value, pool, chance);
}

function numberAt(value: number, { numbers }: Pool, chance: Chance): number {
  const largest = numbers.reduce((most, one) => Math.max(most, one), 1);
  const made = [0, 1, 2, largest, largest + 1, largest * 2, Math.trunc(value)];
  const least = Math.min(0, ...numbers);
  return chance.of(least < 0 ? [...made, -1, least, least - 1] : made);
}

function textAt(value: string, { characters, strings }: Pool, chance: Chance): string {
  const one = chance.of(value === "" ? characters : Array.from(value));
  const made = [
    "",
    one,
    one.repeat(2 + chance.below(4)),
    value + value,
    value + chance.of(strings),
    Array.from(value).toSorted(inOrder).join(""),
    Array.from(value).toReversed().join(""),
    `${one}${value}${one}`,
  ];
  return chance.of(made);
}

function listAt(value: readonly Json[], pool: Pool, chance: Chance): readonly Json[] {
  const [first] = value;
  if (first === undefined) return value;
  const one = chance.of(value);
  const another = (): Json => varied(chance.of(value), pool, chance);
  const made = [
    () => [],
    () => [one],
    () => [one, one],
    () => value.map(() => one),
    () => value.toSorted(inOrder),
    () => value.toSorted(inOrder).toReversed(),
    () => [...value, ...value],
    () => [...value, ...Array.from({ length: LONG - (value.length % LONG) }, another)],
    () => value.with(chance.below(value.length), boundaryOf(one, pool, chance)),
  ];
  return chance.of(made)();
}

/** As numbers and texts are ordered; others stay where they are. */
function inOrder(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "string" && typeof b === "string" ? (a < b ? -1 : a > b ? 1 : 0) : 0;
}
