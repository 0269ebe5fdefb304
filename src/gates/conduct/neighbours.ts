import type { Case } from "../../domain/case.ts";
import { isJsonObject, type Json } from "../../domain/json.ts";

/**
 * Questions beside known ones: each differs in one place of one argument. The same cases give the
 * same neighbours. At most `most`, taken in turn from all cases.
 */
export function neighboursOf(cases: readonly Case[], most: number): Case[] {
  const rows = cases.map((of) =>
    of.args.flatMap((argument, place) =>
      variantsOf(argument).map((variant) => ({
        ...of,
        name: `beside ${of.name}`,
        args: of.args.with(place, variant),
      })),
    ),
  );
  const longest = Math.max(0, ...rows.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, at) => rows.flatMap((row) => row[at] ?? []));
  return inTurn.flat().slice(0, most);
}

/** Values beside a value; of lists and objects, each with one member changed. */
function variantsOf(value: Json): Json[] {
  if (typeof value === "number") return [value + 1, value * 2 + 3, -value - 2];
  if (typeof value === "string") return [`${value}x`, value.slice(1), `${value}${value}7`];
  if (typeof value === "boolean") return [!value];
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const shapes: Json[] = items.length > 1 ? [items.toReversed(), items.slice(1)] : [];
    const changed = items
      .slice(0, MOST_MEMBERS)
      .flatMap((item, at) => variantsOf(item).map((variant): Json => items.with(at, variant)));
    return [...changed, ...shapes];
  }
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .slice(0, MOST_MEMBERS)
    .flatMap((key) =>
      variantsOf(value[key] ?? null).map((variant): Json => ({ ...value, [key]: variant })),
    );
}

/** Members of one list or object that are changed. */
const MOST_MEMBERS = 6;
