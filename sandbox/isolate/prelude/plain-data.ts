import type { Bare, Intrinsics } from "./intrinsics.ts";

/** The JSON text of a value; or null, and where and why there is none. */
export type Written = Bare & {
  readonly text: string | null;
  readonly path: string;
  readonly reason: string;
};

export type WriteOptions = Bare & {
  /** What a path calls the value, such as `result`. */
  readonly root: string;
  /** Longest text, in UTF-16 units. */
  readonly longest: number;
  /** Shows what JSON cannot carry as words in brackets: for logs. */
  readonly lenient: boolean;
};

/** One walk over a value: the way down to where it is, and what is left of the budget. */
type Walk = Bare & {
  readonly of: Intrinsics;
  readonly options: WriteOptions;
  readonly keys: Bare & Record<number, string | number>;
  readonly holders: Bare & Record<number, object>;
  depth: number;
  /** Lists, objects and named members so far. */
  members: number;
  left: number;
  reason: string;
};

/**
 * Writes plain data as JSON text, read through own data descriptors only: no getter, toJSON or
 * method of a prototype has a say, and a Proxy can do no more than answer or throw. `undefined` is
 * null at the root and in arrays and absent as a member; -0 is 0; keys that are symbols or not
 * enumerable are passed over, as JSON does.
 */
export function writePlain(of: Intrinsics, value: unknown, options: WriteOptions): Written {
  const walk: Walk = {
    __proto__: null,
    of,
    options,
    keys: { __proto__: null },
    holders: { __proto__: null },
    depth: 0,
    members: 0,
    left: options.longest,
    reason: "",
  };
  try {
    return { __proto__: null, text: writeValue(walk, value), path: "", reason: "" };
  } catch {
    const reason = walk.reason === "" ? "could not be read" : walk.reason;
    return { __proto__: null, text: null, path: pathOf(walk), reason };
  }
}

function writeValue(walk: Walk, value: unknown): string {
  if (value === null || value === undefined) return spend(walk, "null");
  switch (typeof value) {
    case "string":
      // The quoted text is never shorter: a huge rope is refused before it is flattened.
      return value.length > walk.left ? tooLarge(walk) : spend(walk, walk.of.stringify(value));
    case "boolean":
      return spend(walk, value ? "true" : "false");
    case "number":
      return walk.of.isFinite(value) ? spend(walk, "" + value) : refuse(walk, "" + value);
    case "object":
      return writeStructure(walk, value);
    case "bigint":
      return refuse(walk, "a BigInt");
    case "undefined":
    case "symbol":
    case "function":
      break;
  }
  return refuse(walk, "a " + typeof value);
}

function writeStructure(walk: Walk, value: object): string {
  for (let at = 0; at < walk.depth; at += 1)
    if (walk.holders[at] === value) return refuse(walk, "a cycle");
  if (walk.depth >= 64) return refuse(walk, "nested deeper than 64 levels");
  walk.holders[walk.depth] = value;
  count(walk);
  if (walk.of.isArray(value)) return writeItems(walk, value);
  const strange = strangenessOf(walk.of, value);
  return strange === "" ? writeMembers(walk, value) : refuse(walk, strange);
}

function writeItems(walk: Walk, items: readonly unknown[]): string {
  const length = walk.of.descriptorOf(items, "length")?.value as number;
  // Each item takes two characters at least: a sparse array of 2^32 items is refused at once.
  if (!(length * 2 <= walk.left + 2)) return tooLarge(walk);
  let text = spend(walk, "[");
  for (let at = 0; at < length; at += 1) {
    if (at > 0) text += spend(walk, ",");
    text += writeMember(walk, at, walk.of.descriptorOf(items, at));
  }
  return text + spend(walk, "]");
}

function writeMembers(walk: Walk, value: object): string {
  const names = walk.of.ownKeys(value);
  let text = spend(walk, "{");
  let some = false;
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at];
    if (typeof name !== "string") continue;
    const found = walk.of.descriptorOf(value, name);
    if (found === undefined || !found.enumerable) continue;
    if (!isAccessor(walk.of, found) && found.value === undefined) continue;
    count(walk);
    text += spend(walk, (some ? "," : "") + walk.of.stringify(name) + ":");
    text += writeMember(walk, name, found);
    some = true;
  }
  return text + spend(walk, "}");
}

function writeMember(
  walk: Walk,
  key: string | number,
  found: PropertyDescriptor | undefined,
): string {
  walk.keys[walk.depth] = key;
  walk.depth += 1;
  const text = memberText(walk, key, found);
  walk.depth -= 1;
  return text;
}

function memberText(
  walk: Walk,
  key: string | number,
  found: PropertyDescriptor | undefined,
): string {
  if (key === "__proto__" || key === "constructor" || key === "prototype")
    return refuse(walk, "a forbidden key");
  if (found === undefined) return spend(walk, "null");
  if (isAccessor(walk.of, found)) return refuse(walk, "an accessor");
  return writeValue(walk, found.value);
}

/** What JSON would carry wrongly about an object: its class, or that it wants to write itself. */
function strangenessOf(of: Intrinsics, value: object): string {
  let prototype = of.prototypeOf(value);
  for (let steps = 0; prototype !== null && prototype !== of.objectPrototype; steps += 1) {
    if (steps > 32) return "an endless chain of prototypes";
    for (let at = 0; at < of.exotic.length; at += 1)
      if (of.exotic[at]?.prototype === prototype) return "a " + of.exotic[at]?.name;
    if (of.descriptorOf(prototype, "toJSON") !== undefined) return "an object with toJSON";
    prototype = of.prototypeOf(prototype);
  }
  return "";
}

/** A descriptor is a plain object with the patched prototype: only its own fields count. */
export function isAccessor(of: Intrinsics, found: PropertyDescriptor): boolean {
  return !of.hasOwn(found, "value");
}

export function ownValue(of: Intrinsics, holder: object, key: PropertyKey): unknown {
  const found = of.descriptorOf(holder, key);
  if (found === undefined || isAccessor(of, found)) return undefined;
  return found.value;
}

function refuse(walk: Walk, reason: string): string {
  if (walk.options.lenient) return spend(walk, walk.of.stringify("[" + reason + "]"));
  walk.reason = reason;
  throw walk;
}

function spend(walk: Walk, text: string): string {
  walk.left -= text.length;
  return walk.left >= 0 ? text : tooLarge(walk);
}

/** The host reads no frame of more than twice as many. */
function count(walk: Walk): void {
  walk.members += 1;
  if (walk.members <= 250_000) return;
  walk.depth = 0;
  walk.reason = "made of more than 250000 lists, objects and members";
  throw walk;
}

function tooLarge(walk: Walk): string {
  walk.depth = 0;
  walk.reason = "larger than " + walk.options.longest + " bytes as JSON";
  throw walk;
}

function pathOf(walk: Walk): string {
  let path = walk.options.root;
  for (let at = 0; at < walk.depth; at += 1) {
    const key = walk.keys[at] as string | number;
    if (typeof key === "number") path += "[" + key + "]";
    else path += walk.of.isIdentifier(key) ? "." + key : "[" + walk.of.stringify(key) + "]";
  }
  return walk.of.slice(path, 0, 500);
}

/** The functions of this file, which become the text of the prelude. */
export const PLAIN_DATA_PARTS = [
  writePlain,
  writeValue,
  writeStructure,
  writeItems,
  writeMembers,
  writeMember,
  memberText,
  strangenessOf,
  isAccessor,
  ownValue,
  refuse,
  spend,
  count,
  tooLarge,
  pathOf,
];
