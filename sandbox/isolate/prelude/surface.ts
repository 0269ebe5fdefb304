import type { Bare, Intrinsics } from "./intrinsics.ts";

/** What every program of a realm can reach and change: the built-ins, as they were. */
export type Surface = Bare & {
  readonly holders: readonly object[];
  readonly prototypes: readonly (object | null)[];
  readonly keys: readonly (readonly PropertyKey[])[];
  /** By holder and key: the value, or the getter and the setter. */
  readonly values: readonly (readonly unknown[])[];
  readonly setters: readonly (readonly unknown[])[];
};

/** The parts of a descriptor as values: none of them is called. */
type Described = Readonly<Partial<Record<"value" | "writable" | "get" | "set", unknown>>>;

/** Walks what is reachable from the global object; to be called before a program has run. */
export function surfaceOf(of: Intrinsics): Surface {
  const holders: object[] = [globalThis];
  const found = new Set<unknown>(holders);
  const add = (value: unknown): void => {
    const isHolder = (typeof value === "object" && value !== null) || typeof value === "function";
    if (!isHolder || found.has(value)) return;
    found.add(value);
    holders.push(value);
  };
  for (const hidden of hiddenHolders()) add(hidden);
  const keys: PropertyKey[][] = [];
  const values: unknown[][] = [];
  const setters: unknown[][] = [];
  for (let at = 0; at < holders.length; at += 1) {
    const holder = holders[at] as object;
    const names = of.ownKeys(holder);
    keys.push(names);
    const descriptors = names.map((name) => of.descriptorOf(holder, name) as Described);
    values.push(descriptors.map((one) => ("value" in one ? one.value : one.get)));
    setters.push(descriptors.map((one) => ("value" in one ? one.writable : one.set)));
    for (const one of descriptors) for (const value of [one.value, one.get, one.set]) add(value);
    add(of.prototypeOf(holder));
  }
  return {
    __proto__: null,
    holders,
    prototypes: holders.map((holder) => of.prototypeOf(holder)),
    keys,
    values,
    setters,
  };
}

/** Built-ins that no property leads to. */
function hiddenHolders(): readonly unknown[] {
  const made: readonly object[] = [
    [].values(),
    "".matchAll(/(?:)/g),
    ""[Symbol.iterator](),
    new Map().keys(),
    new Set().keys(),
    (function* () {})(),
    (async function* () {})(),
    async () => {},
    Object.getOwnPropertyDescriptor(Object.prototype, "__proto__") as object,
  ];
  return made.flatMap((one) => {
    const prototype = Object.getPrototypeOf(one) as object;
    return [prototype, prototype.constructor, Object.getPrototypeOf(prototype) as unknown];
  });
}

/** Takes away global names that the program has made; false where one cannot be. */
export function sweep(of: Intrinsics, surface: Surface): boolean {
  const known = surface.keys[0] as readonly PropertyKey[];
  const names = of.ownKeys(globalThis);
  if (names.length <= known.length) return true;
  // New names come behind the old ones of their kind, which are texts first.
  for (let at = names.length - 1; at >= 0; at -= 1) {
    const name = names[at] as PropertyKey;
    if (isAmong(known, name)) continue;
    if (!of.deleteOwn(globalThis, name)) return false;
  }
  return true;
}

function isAmong(names: readonly PropertyKey[], name: PropertyKey): boolean {
  for (let at = 0; at < names.length; at += 1) if (names[at] === name) return true;
  return false;
}

/** Whether everything is as it was. */
export function isIntact(of: Intrinsics, surface: Surface): boolean {
  const { holders, prototypes, keys, values, setters } = surface;
  for (let at = 0; at < holders.length; at += 1) {
    const holder = holders[at] as object;
    const names = keys[at] as readonly PropertyKey[];
    if (of.ownKeys(holder).length !== names.length) return false;
    if (of.prototypeOf(holder) !== prototypes[at]) return false;
    const was = values[at] as readonly unknown[];
    const hadSetters = setters[at] as readonly unknown[];
    for (let index = 0; index < names.length; index += 1) {
      const now = of.descriptorOf(holder, names[index] as PropertyKey) as Described | undefined;
      if (now === undefined) return false;
      const isData = of.hasOwn(now, "value");
      if (!isSame(isData ? now.value : now.get, was[index])) return false;
      if ((isData ? now.writable : now.set) !== hadSetters[index]) return false;
    }
  }
  return true;
}

/** NaN, which is a value of the global object, is the same as itself. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (a !== a && b !== b);
}

/** The functions of this file, which become the text of the prelude. */
export const SURFACE_PARTS = [surfaceOf, hiddenHolders, sweep, isAmong, isIntact, isSame];
