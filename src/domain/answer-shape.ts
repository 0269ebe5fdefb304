import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** The members of an answer, by their path: `$.items[].price`. */
export type Shape = ReadonlyMap<string, MemberShape>;

export type MemberShape = {
  /** `string`, `number`, `boolean`, `null`, `object`, `list`; sorted. */
  readonly types: readonly string[];
  /** The path of what it is a member of; null for the whole answer. */
  readonly parent: string | null;
};

/** Elements of a list, members in all and levels that are looked at. */
const MOST_ELEMENTS = 20;
const MOST_MEMBERS = 300;
const DEEPEST = 8;

/** Which members an answer has, and of what types. Elements of a list count together. */
export function shapeOf(answer: Json): Shape {
  const members = new Map<
    string,
    { readonly types: Set<string>; readonly parent: string | null }
  >();
  const look = (value: Json, path: string, parent: string | null, depth: number): void => {
    if (members.size >= MOST_MEMBERS || depth > DEEPEST) return;
    const member = members.get(path) ?? { types: new Set(), parent };
    members.set(path, member);
    member.types.add(typeOf(value));
    if (Array.isArray(value)) {
      for (const one of (value as readonly Json[]).slice(0, MOST_ELEMENTS)) {
        look(one, `${path}[]`, path, depth + 1);
      }
    } else if (isJsonObject(value)) {
      for (const [name, one] of entriesOf(value)) look(one, `${path}.${name}`, path, depth + 1);
    }
  };
  look(answer, "$", null, 0);
  return new Map(
    [...members].map(([path, { types, parent }]) => [
      path,
      { types: [...types].toSorted(), parent },
    ]),
  );
}

/** A name of any length is told by its first characters. */
function entriesOf(value: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(value).map(([name, one]) => [name.slice(0, 60), one] as const);
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
