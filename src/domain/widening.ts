import { canonical, isJsonObject, sameJson, type Json, type JsonObject } from "./json.ts";

/** A JSON Schema, as hone writes it, with the root that its references are looked up in. */
type Placed = { readonly schema: JsonObject; readonly root: JsonObject };

/**
 * Whether a type changes by nothing but what some values need: it takes all that it took, and each
 * kind of value, member or entry that it takes besides is that of one of the values, which the type
 * before does not take. `number` may become `number | null` where null is wanted, and never anything
 * at all.
 */
export function isNeededWidening(
  was: JsonObject,
  is: JsonObject,
  values: readonly Json[],
): boolean {
  const [before, after] = [placed(was, was), placed(is, is)];
  return (
    values.some((value) => !takes(before, value) && takes(after, value)) &&
    widens(before, after, values)
  );
}

function placed(schema: Json | undefined, root: JsonObject): Placed {
  return { schema: isJsonObject(schema) ? schema : {}, root };
}

/** The alternatives of a type, references followed. */
function membersOf({ schema, root }: Placed): readonly Placed[] {
  const { anyOf, $ref } = schema as Readonly<Record<"anyOf" | "$ref", Json>>;
  if (typeof $ref === "string" && isJsonObject(root["$defs"])) {
    return membersOf(placed(root["$defs"][$ref.slice("#/$defs/".length)], root));
  }
  if (!Array.isArray(anyOf)) return [{ schema, root }];
  return (anyOf as readonly Json[]).flatMap((one) => membersOf(placed(one, root)));
}

function widens(before: Placed, after: Placed, values: readonly Json[]): boolean {
  if (isSame(before, after)) return true;
  const [olds, news] = [membersOf(before), membersOf(after)];
  if (news.some(isAnything)) return olds.some(isAnything);
  const taken = new Set<Placed>();
  const isKept = olds.every((old) => {
    const own = values.filter((value) => kindOf(value) === old.schema["type"]);
    const like = news.find((one) => isSame(old, one) || memberWidens(old, one, own));
    if (like !== undefined) taken.add(like);
    return like !== undefined;
  });
  return isKept && news.every((one) => taken.has(one) || values.some((value) => takes(one, value)));
}

function isSame(one: Placed, other: Placed): boolean {
  return (
    canonical(withoutWords(one.schema)) === canonical(withoutWords(other.schema)) &&
    canonical(withoutWords(one.root["$defs"] ?? null)) ===
      canonical(withoutWords(other.root["$defs"] ?? null))
  );
}

/** A member that is called `description` has a schema, not a text. */
function withoutWords(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, member]) => key !== "description" || typeof member !== "string",
  );
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutWords(member)]));
}

function isAnything({ schema }: Placed): boolean {
  return schema["type"] === undefined;
}

/** One alternative beside another of the same kind; `values` are those of that kind. */
function memberWidens(old: Placed, now: Placed, values: readonly Json[]): boolean {
  if (old.schema["type"] !== now.schema["type"]) return false;
  if (old.schema["type"] === "array") return listWidens(old, now, values);
  if (old.schema["type"] === "object") return objectWidens(old, now, values);
  const [had, has] = [old.schema["enum"], now.schema["enum"]];
  if (!Array.isArray(had)) return has === undefined;
  const isWhole = has === undefined || had.every((one) => includes(has, one));
  return isWhole && values.some((value) => takes(now, value) && !takes(old, value));
}

function listWidens(old: Placed, now: Placed, values: readonly Json[]): boolean {
  const isPlain = [old, now].every(({ schema }) => schema["prefixItems"] === undefined);
  const items = values.flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  return isPlain && widens(part(old, "items"), part(now, "items"), items);
}

function objectWidens(old: Placed, now: Placed, values: readonly Json[]): boolean {
  const objects = values.filter(isJsonObject);
  const [had, has] = [propertiesOf(old), propertiesOf(now)];
  const hasOne = (name: string): boolean => objects.some((one) => Object.hasOwn(one, name));
  const lacks = (name: string): boolean => objects.some((one) => !Object.hasOwn(one, name));
  const isKept = Object.keys(had).every((name) => {
    const there = objects.flatMap((one) => (Object.hasOwn(one, name) ? [one[name] ?? null] : []));
    const isOptional = isRequired(old, name) && !isRequired(now, name);
    return (
      Object.hasOwn(has, name) &&
      (isRequired(old, name) || !isRequired(now, name)) &&
      (!isOptional || lacks(name)) &&
      widens(placed(had[name], old.root), placed(has[name], now.root), there)
    );
  });
  const fresh = Object.keys(has).filter((name) => !Object.hasOwn(had, name));
  const isFreshNeeded = fresh.every(
    (name) => hasOne(name) && !(isRequired(now, name) && lacks(name)),
  );
  return isKept && isFreshNeeded && othersWiden(old, now, objects);
}

/** Members that no name is known of. */
function othersWiden(old: Placed, now: Placed, objects: readonly JsonObject[]): boolean {
  const [had, has] = [old.schema["additionalProperties"], now.schema["additionalProperties"]];
  if (sameJson(had ?? null, has ?? null)) return true;
  const known = propertiesOf(now);
  const others = objects.flatMap((one) =>
    Object.entries(one).flatMap(([name, value]) => (Object.hasOwn(known, name) ? [] : [value])),
  );
  if (had === false) return others.length > 0;
  return widens(part(old, "additionalProperties"), part(now, "additionalProperties"), others);
}

function part({ schema, root }: Placed, name: string): Placed {
  return placed(schema[name], root);
}

function propertiesOf({ schema }: Placed): JsonObject {
  const { properties } = schema as Readonly<Record<"properties", Json | undefined>>;
  return isJsonObject(properties) ? properties : {};
}

function isRequired({ schema }: Placed, name: string): boolean {
  return includes(schema["required"] ?? [], name);
}

function includes(list: Json, value: Json): boolean {
  return Array.isArray(list) && (list as readonly Json[]).some((one) => sameJson(one, value));
}

/** Whether a value is of a type. */
function takes(type: Placed, value: Json): boolean {
  return membersOf(type).some((member) => {
    const { schema, root } = member;
    if (isAnything(member)) return true;
    if (schema["enum"] !== undefined) return includes(schema["enum"], value);
    if (schema["type"] !== kindOf(value)) return false;
    if (Array.isArray(value)) {
      const [first, rest] = [schema["prefixItems"], part(member, "items")];
      const fixed = Array.isArray(first) ? (first as readonly Json[]) : [];
      return (value as readonly Json[]).every((item, at) =>
        takes(at < fixed.length ? placed(fixed[at], root) : rest, item),
      );
    }
    return isJsonObject(value) ? takesMembers(member, value) : true;
  });
}

function takesMembers(type: Placed, value: JsonObject): boolean {
  const known = propertiesOf(type);
  const isClosed = type.schema["additionalProperties"] === false;
  const needed = Object.keys(known).filter((name) => isRequired(type, name));
  return (
    needed.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, each]) =>
      Object.hasOwn(known, name)
        ? takes(placed(known[name], type.root), each)
        : !isClosed && takes(part(type, "additionalProperties"), each),
    )
  );
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
