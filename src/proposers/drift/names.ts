import { isJsonObject, type Json } from "../../domain/json.ts";

/** A member that some payload has: its name, and the names of the members around it. */
export type KnownMember = { readonly name: string; readonly path: readonly string[] };

const MOST_DEPTH = 6;

/** Every member of some payloads, each path once; positions in lists are no part of a path. */
export function membersOf(payloads: readonly Json[]): readonly KnownMember[] {
  const found = new Map<string, KnownMember>();
  const visit = (value: Json, path: readonly string[]): void => {
    if (path.length > MOST_DEPTH) return;
    if (Array.isArray(value)) {
      for (const item of value as readonly Json[]) visit(item, path);
      return;
    }
    if (!isJsonObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      found.set([...path, name].join("\0"), { name, path });
      visit(member, [...path, name]);
    }
  };
  for (const payload of payloads) visit(payload, []);
  return [...found.values()];
}

/**
 * How alike two member names are, in [0,1]: 1 for the same words in another spelling (snake, camel,
 * kebab case), else the share of common words, else the share of the longest common start or end.
 */
export function likeness(a: string, b: string): number {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  if (first.join("") === second.join("")) return 1;
  const shared = first.filter((word) => second.includes(word)).length;
  const words = (2 * shared) / (first.length + second.length);
  const [x, y] = [first.join(""), second.join("")];
  const affix = Math.max(commonStart(x, y), commonStart(reversed(x), reversed(y)));
  return Math.max(words, affix >= 3 ? affix / Math.max(x.length, y.length) : 0) * 0.9;
}

/** `isError` as `is_error`. */
export function snakeCased(name: string): string {
  return wordsOf(name).join("_");
}

/** `is_error` as `isError`. */
export function camelCased(name: string): string {
  const words = wordsOf(name).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const joined = words.join("");
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

/** Whether a name can stand behind a dot. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== "");
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join("");
}
