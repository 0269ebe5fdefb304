import { isJsonObject, type Json, type JsonObject } from "../../src/domain/json.ts";

/** What an option must be, in words, and whether a value is that. */
export type Option = { readonly is: string; readonly accepts: (value: Json) => boolean };

/** Everything wrong with the options of a reward, one sentence each; none when they are sound. */
export function problemsWith(
  use: string,
  given: JsonObject,
  known: Readonly<Record<string, Option>>,
): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (option === undefined) {
      const names = Object.keys(known).join(", ");
      return [`reward \`${use}\` has no option \`${name}\`; it has ${names}`];
    }
    return option.accepts(value) ? [] : [`reward \`${use}\`: \`${name}\` must be ${option.is}`];
  });
}

/** A finite number above 0. */
export const POSITIVE: Option = {
  is: "a number above 0",
  accepts: (value) => typeof value === "number" && value > 0,
};

/** At least one text, none of them empty. */
export const TEXTS: Option = {
  is: "a list of texts",
  accepts: (value) => isListOf(value, (item) => typeof item === "string" && item !== ""),
};

/** A path into a value, see `at`. */
export const PATH: Option = {
  is: "a path such as `items.0.price`, or a list of its steps",
  accepts: isPath,
};

/** Whether every item of a list that is not empty is of a kind. */
export function isListOf(value: Json, isOne: (item: Json) => boolean): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0 && value.every(isOne);
}

/** Whether a value can be a path. */
export function isPath(value: Json | undefined): boolean {
  if (typeof value === "string") return true;
  return (
    Array.isArray(value) &&
    value.every((step: Json) => typeof step === "string" || typeof step === "number")
  );
}

/**
 * The value at a path: names and places separated by dots (`items.0.price`; "" is the whole), or a
 * list of steps where a name has a dot in it. `length` is that of a list or text. Undefined where
 * there is nothing.
 */
export function at(value: Json, path: Json | undefined): Json | undefined {
  return stepsOf(path).reduce<Json | undefined>(stepInto, value);
}

/** A path as text, for the names of components. */
export function pathText(path: Json | undefined): string {
  return stepsOf(path).join(".");
}

function stepsOf(path: Json | undefined): readonly string[] {
  if (typeof path === "string") return path === "" ? [] : path.split(".");
  return Array.isArray(path) ? path.map(String) : [];
}

function stepInto(value: Json | undefined, step: string): Json | undefined {
  if (step === "length" && (typeof value === "string" || Array.isArray(value))) return value.length;
  if (Array.isArray(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
