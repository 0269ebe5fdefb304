import type { Program, Skill } from "../../domain/skill.ts";

/** What an observed program gives back instead of its result. */
export type Observation = {
  /** The place of the first argument that the call changed; null: none. */
  readonly changed: number | null;
  /** The first built-in that is not what it was, as `Array.prototype.at`; null: none. */
  readonly patched: string | null;
};

/**
 * A program that tells what its entry does to its arguments and to the built-ins. The observer runs
 * beside the code that it observes: it takes what it needs before that is loaded, its name is one
 * that the code cannot know, and it finds what does not hide from it. The wall does not depend on it.
 */
export function observing({ program, digest }: Pick<Skill, "program" | "digest">): Program {
  // No source holds its own digest.
  const name = `o${digest.replace(/\W/g, "").slice(0, 24)}`;
  const { text, entry } = program;
  return {
    ...program,
    text: `const ${name}=${observerText()};${text}\n;const ${name}_=${name}(${entry});`,
    entry: `${name}_`,
  };
}

type AnyFunction = (...args: unknown[]) => unknown;

/** A built-in, with what it consisted of before the program was loaded. */
type Kept = {
  readonly holder: object;
  readonly name: string;
  readonly keys: readonly PropertyKey[];
  readonly values: readonly unknown[];
};

/** The functions below as one text: each may use only its parameters and the others. */
function observerText(): string {
  const parts = [takeStock, patchedIn, textOf, observeEntry, makeObserver];
  return `(()=>{${parts.map(String).join("\n")}\nreturn makeObserver();})()`;
}

/** The built-ins that the observer uses, taken before the program may change them. */
type Tools = {
  readonly stringify: (value: unknown) => string;
  readonly ownKeys: typeof Reflect.ownKeys;
  readonly apply: typeof Reflect.apply;
  readonly is: typeof Object.is;
  readonly ownPromise: PromiseConstructor;
  readonly partOf: (holder: object, key: PropertyKey) => unknown;
};

function makeObserver(): (entry: AnyFunction) => AnyFunction {
  const { ownKeys, getOwnPropertyDescriptor, apply, defineProperty } = Reflect;
  const tools: Tools = {
    stringify: JSON.stringify,
    ownKeys,
    apply,
    is: Object.is,
    ownPromise: Promise,
    partOf: (holder, key) => {
      const found = getOwnPropertyDescriptor(holder, key);
      return found === undefined ? undefined : "value" in found ? found.value : found.get;
    },
  };
  const kept = takeStock(tools);
  return (entry) => {
    const observed = (...args: unknown[]): unknown => observeEntry(tools, kept, entry, args);
    defineProperty(observed, "length", { value: entry.length });
    return observed;
  };
}

/** The values of the global object that have members, and their prototypes. */
function takeStock({ ownKeys, partOf }: Tools): Kept[] {
  const kept: Kept[] = [];
  const keep = (holder: unknown, name: string): void => {
    const isHolder =
      (typeof holder === "object" && holder !== null) || typeof holder === "function";
    if (!isHolder || holder === globalThis) return;
    const keys = ownKeys(holder);
    kept.push({ holder, name, keys, values: keys.map((key) => partOf(holder, key)) });
  };
  for (const key of ownKeys(globalThis)) {
    // What the program declares is there already, and can be enumerated; built-ins cannot.
    if (Object.prototype.propertyIsEnumerable.call(globalThis, key)) continue;
    const value = partOf(globalThis, key);
    keep(value, String(key));
    if (typeof value === "function") keep(partOf(value, "prototype"), `${String(key)}.prototype`);
  }
  return kept;
}

/** Built-ins are not to be trusted any more when this runs: it calls none but its tools. */
function patchedIn({ ownKeys, partOf, is }: Tools, kept: readonly Kept[]): string | null {
  for (let place = 0; place < kept.length; place += 1) {
    const { holder, name, keys, values } = kept[place] as Kept;
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] as PropertyKey;
      if (is(partOf(holder, key), values[at])) continue;
      return typeof key === "symbol" ? `${name}[a symbol]` : `${name}.${key}`;
    }
    if (ownKeys(holder).length !== keys.length) return name;
  }
  return null;
}

/** An argument as text; empty for what is no data, such as ctx. */
function textOf({ stringify, ownKeys, partOf }: Tools, value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  const members = ownKeys(value);
  for (let at = 0; at < members.length; at += 1) {
    if (typeof partOf(value, members[at] as PropertyKey) === "function") return "";
  }
  try {
    return stringify(value);
  } catch {
    return "not to be written";
  }
}

/** Calls the entry and tells, when it has come to an end, what it did besides. */
function observeEntry(
  tools: Tools,
  kept: readonly Kept[],
  entry: AnyFunction,
  args: unknown[],
): unknown {
  const before: string[] = [];
  for (let at = 0; at < args.length; at += 1) before[at] = textOf(tools, args[at]);
  const globals = tools.ownKeys(globalThis).length;
  const report = (): Observation => {
    let changed: number | null = null;
    for (let at = 0; at < before.length; at += 1) {
      if (changed === null && textOf(tools, args[at]) !== before[at]) changed = at;
    }
    const isMore = tools.ownKeys(globalThis).length > globals;
    return { changed, patched: patchedIn(tools, kept) ?? (isMore ? "globalThis" : null) };
  };
  const settled = async (made: unknown): Promise<Observation> => {
    try {
      await made;
    } catch {
      // What the call came to is no matter here.
    }
    return report();
  };
  let made: unknown;
  try {
    made = tools.apply(entry, undefined, args);
  } catch {
    return report();
  }
  return made instanceof tools.ownPromise ? settled(made) : report();
}
