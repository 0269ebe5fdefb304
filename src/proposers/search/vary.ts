import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import type { Chance } from "./chance.ts";

/** Values that occur in the cases and in the source, from which variations are made. */
export type Pool = {
  readonly numbers: readonly number[];
  readonly strings: readonly string[];
  /** Characters that mean something to the source or occur in the cases. */
  readonly characters: readonly string[];
};

/**
 * Changes a value in one place, chosen by chance, and leaves every kind as it is: a number stays a
 * number. So the result is still something that the skill may be asked.
 */
export function varied(value: Json, pool: Pool, chance: Chance): Json {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return variedNumber(value, pool, chance);
  if (typeof value === "string") return variedString(value, pool, chance);
  if (Array.isArray(value)) return variedArray(value as readonly Json[], pool, chance);
  return isJsonObject(value) ? variedObject(value, pool, chance) : value;
}

/** Everything in some values: numbers, strings and the characters of the strings. */
export function poolOf(values: readonly Json[], literals: readonly Json[] = []): Pool {
  const numbers = new Set<number>([0, 1, 2, 10]);
  const strings = new Set<string>([""]);
  const visit = (value: Json): void => {
    if (typeof value === "number") numbers.add(value);
    else if (typeof value === "string") strings.add(value);
    else if (Array.isArray(value)) (value as readonly Json[]).forEach(visit);
    else if (isJsonObject(value)) Object.values(value).forEach(visit);
  };
  values.forEach(visit);
  literals.forEach(visit);
  const characters = new Set([" ", "a", "0"]);
  for (const text of strings) for (const one of text.slice(0, 80)) characters.add(one);
  return {
    numbers: [...numbers],
    strings: [...strings].filter(({ length }) => length <= 200),
    characters: [...characters],
  };
}

function variedNumber(value: number, { numbers }: Pool, chance: Chance): number {
  const made = [
    () => value + 1,
    () => value - 1,
    () => (numbers.some((one) => one < 0) ? -value : value + 2),
    () => value * 2,
    () => chance.of(numbers),
    () => chance.of(numbers) + 1,
    () => chance.of(numbers) - 1,
    () => value + chance.below(20) - 10,
    () => (Number.isInteger(value) ? chance.below(100) : value + 0.5),
  ];
  const next = chance.of(made)();
  return Object.is(next, -0) ? 0 : next;
}

function variedString(value: string, { strings, characters }: Pool, chance: Chance): string {
  const at = chance.below(value.length + 1);
  const other = chance.of(strings);
  const some = chance.of(characters);
  const made = [
    () => value.slice(0, at) + value.slice(at + 1),
    () => value.slice(0, at) + some + value.slice(at),
    () => value.slice(0, at) + some + value.slice(at + 1),
    () => value.slice(0, at) + (value[at] ?? "") + value.slice(at),
    () => value.slice(0, at) + (value[at + 1] ?? "") + (value[at] ?? "") + value.slice(at + 2),
    () => value.slice(at) + value.slice(0, at),
    () => value.slice(0, at),
    () => value.slice(at),
    () => value + other,
    () => other,
    () => (chance.below(2) === 0 ? value.toUpperCase() : value.toLowerCase()),
    () => (chance.below(2) === 0 ? ` ${value}` : `${value} `),
    () => Array.from(value).toReversed().join(""),
    () => "",
  ];
  return chance.of(made)();
}

function variedArray(value: readonly Json[], pool: Pool, chance: Chance): readonly Json[] {
  if (value.length === 0) return value;
  const at = chance.below(value.length);
  const to = chance.below(value.length);
  const item = value[at] as Json;
  const changed = (): readonly Json[] => value.with(at, varied(item, pool, chance));
  const made = [
    changed,
    changed,
    changed,
    () => value.toSpliced(at, 1),
    () => value.toSpliced(to, 0, item),
    () => [...value, varied(item, pool, chance)],
    () => value.with(at, value[to] as Json).with(to, item),
    () => value.toReversed(),
    () => value.slice(0, at),
    () => value.slice(at),
    () => (chance.below(3) === 0 ? [] : [...value, ...value]),
  ];
  return chance.of(made)();
}

function variedObject(value: JsonObject, pool: Pool, chance: Chance): JsonObject {
  const keys = Object.keys(value);
  if (keys.length === 0) return value;
  const key = chance.of(keys);
  const member = value[key] as Json;
  const changed = (): JsonObject => ({ ...value, [key]: varied(member, pool, chance) });
  const made = [
    changed,
    changed,
    changed,
    changed,
    () => ({ ...value, [key]: value[chance.of(keys)] as Json }),
    () => Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)),
    () => Object.fromEntries(Object.entries(value).toReversed()),
  ];
  return chance.of(made)();
}
