/** An object without a prototype: the skill cannot reach its lookups. */
export type Bare = { readonly __proto__: null };

/** A function of the engine, called with a receiver. */
export type Method = (...args: readonly unknown[]) => unknown;

/** The built-ins that the prelude goes on using after the skill has had its hands on the realm. */
export type Intrinsics = Bare & {
  readonly apply: typeof Reflect.apply;
  readonly construct: typeof Reflect.construct;
  readonly ownKeys: typeof Reflect.ownKeys;
  readonly descriptorOf: typeof Reflect.getOwnPropertyDescriptor;
  readonly hasOwn: (holder: object, key: PropertyKey) => boolean;
  readonly defineOwn: typeof Reflect.defineProperty;
  readonly deleteOwn: typeof Reflect.deleteProperty;
  readonly prototypeOf: typeof Reflect.getPrototypeOf;
  readonly stringify: (value: string) => string;
  readonly parse: (text: string) => unknown;
  readonly isArray: (value: unknown) => value is readonly unknown[];
  readonly isFinite: (value: number) => boolean;
  readonly trunc: (value: number) => number;
  readonly slice: (text: string, start: number, end?: number) => string;
  readonly lower: (text: string) => string;
  readonly upper: (text: string) => string;
  readonly unitAt: (text: string, at: number) => number;
  readonly isIdentifier: (text: string) => boolean;
  /** `String`: may run the skill's toString. */
  readonly text: (value: unknown) => string;
  readonly evaluate: (text: string) => unknown;
  readonly objectPrototype: object;
  /** Reads the stack of an error of this realm; null where `stack` is plain data. */
  readonly stackGetter: (() => unknown) | null;
  /** Prototypes of what JSON cannot carry, with the name to call each by. */
  readonly exotic: readonly { readonly prototype: object; readonly name: string }[];
  readonly errors: ErrorClasses;
  readonly promise: PromiseConstructor;
};

/** The classes by which a host may name an error. */
type ErrorClasses = Bare & {
  readonly Error: ErrorConstructor;
  readonly TypeError: ErrorConstructor;
  readonly RangeError: ErrorConstructor;
  readonly SyntaxError: ErrorConstructor;
};

/**
 * Takes the built-ins before the skill can touch them. What is returned has no prototype, and
 * methods are called through a captured `apply`: a later patch of a prototype changes nothing here.
 */
export function takeIntrinsics(): Intrinsics {
  const { apply, construct, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { defineProperty, deleteProperty } = Reflect;
  const slice = methodOf(String.prototype, "slice");
  const toLowerCase = methodOf(String.prototype, "toLowerCase");
  const toUpperCase = methodOf(String.prototype, "toUpperCase");
  const charCodeAt = methodOf(String.prototype, "charCodeAt");
  const exec = methodOf(RegExp.prototype, "exec");
  const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
  return {
    __proto__: null,
    apply,
    construct,
    ownKeys,
    descriptorOf: getOwnPropertyDescriptor,
    hasOwn: Object.hasOwn,
    defineOwn: defineProperty,
    deleteOwn: deleteProperty,
    prototypeOf: getPrototypeOf,
    stringify: JSON.stringify,
    parse: JSON.parse,
    isArray: Array.isArray,
    isFinite: Number.isFinite,
    trunc: Math.trunc,
    slice: (text, start, end) => apply(slice, text, [start, end]) as string,
    lower: (text) => apply(toLowerCase, text, []) as string,
    upper: (text) => apply(toUpperCase, text, []) as string,
    unitAt: (text, at) => apply(charCodeAt, text, [at]) as number,
    isIdentifier: (text) => apply(exec, identifier, [text]) !== null,
    text: String,
    // Called by another name, eval runs in the global scope and sees nothing of the prelude.
    // oxlint-disable-next-line no-eval
    evaluate: eval,
    objectPrototype: Object.prototype,
    stackGetter: getOwnPropertyDescriptor(new Error(""), "stack")?.get ?? null,
    exotic: exoticPrototypes(),
    errors: { __proto__: null, Error, TypeError, RangeError, SyntaxError },
    promise: Promise,
  };
}

/** A method as it is now, to be called through `apply`. */
export function methodOf(holder: object, name: string): Method {
  return Reflect.getOwnPropertyDescriptor(holder, name)?.value as Method;
}

/** Called before the skill exists; the list is then walked by index only. */
function exoticPrototypes(): Intrinsics["exotic"] {
  const typedArray = Reflect.getPrototypeOf(Uint8Array) as Uint8ArrayConstructor;
  const classes = [Date, RegExp, Map, Set, WeakMap, WeakSet, Promise, ArrayBuffer, DataView];
  const boxes = [Error, String, Number, Boolean, Symbol, BigInt, typedArray];
  return [...classes, ...boxes].map((made) => ({ prototype: made.prototype, name: made.name }));
}

/** Sets an own data property, whatever setters the skill has planted on the prototypes. */
export function put(of: Intrinsics, target: object, key: PropertyKey, value: unknown): void {
  const descriptor: PropertyDescriptor & Bare = {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  };
  of.defineOwn(target, key, descriptor);
}

/** The functions of this file, which become the text of the prelude. */
export const INTRINSICS_PARTS = [takeIntrinsics, methodOf, exoticPrototypes, put];
