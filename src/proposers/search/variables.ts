import { isJsonObject, type Json } from "../../domain/json.ts";

/** The values of one example by their paths: `argument 1`, `argument 2.size`, `result.items`. */
export type Variables = {
  readonly inputs: ReadonlyMap<string, Json>;
  readonly results: ReadonlyMap<string, Json>;
};

/** How deep members are variables of their own, and how many there are on one side at most. */
const DEPTH = 2;
const MOST = 10;

/** What relations can be stated about: arguments, the result, and members of both. */
export function variablesOf(args: readonly Json[], value: Json): Variables {
  const inputs = new Map<string, Json>();
  for (const [at, arg] of args.entries()) addTo(inputs, `argument ${at + 1}`, arg, DEPTH);
  const results = new Map<string, Json>();
  addTo(results, "result", value, DEPTH);
  return { inputs, results };
}

function addTo(variables: Map<string, Json>, path: string, value: Json, depth: number): void {
  if (variables.size >= MOST) return;
  variables.set(path, value);
  if (depth === 0) return;
  if (isJsonObject(value)) {
    const members = Object.entries(value).slice(0, MOST);
    for (const [key, member] of members) addTo(variables, `${path}.${key}`, member, depth - 1);
  } else if (isUniform(value)) {
    // The same member of all items is a variable as well: `rows[].id`.
    const [first] = value;
    for (const key of Object.keys(first ?? {}).slice(0, MOST - variables.size)) {
      const column = value.flatMap((item) => (item[key] === undefined ? [] : [item[key]]));
      if (column.length === value.length) variables.set(`${path}[].${key}`, column);
    }
  }
}

function isUniform(value: Json): value is readonly Readonly<Record<string, Json>>[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isJsonObject(item));
}
