import type { Bare, Intrinsics } from "./intrinsics.ts";
import { isAccessor, ownValue, writePlain } from "./plain-data.ts";

/** What is read from a thrown value. */
type ThrownText = Bare & {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
};

/**
 * What a thrown value says of itself, as JSON text `{name, message, stack}`, without running any of
 * its getters. A Proxy may still answer through its traps, or throw, or loop until the time limit.
 */
export function thrownText(of: Intrinsics, thrown: unknown, withStack = true): string {
  let said: ThrownText;
  try {
    said = readThrown(of, thrown, withStack);
  } catch {
    said = { __proto__: null, name: "Error", message: "a value that could not be read", stack: "" };
  }
  const name = of.stringify(of.slice(said.name, 0, 100));
  const message = of.stringify(of.slice(said.message, 0, 4_000));
  const stack = of.stringify(of.slice(said.stack, 0, 8_000));
  return '{"name":' + name + ',"message":' + message + ',"stack":' + stack + "}";
}

function readThrown(of: Intrinsics, thrown: unknown, withStack: boolean): ThrownText {
  if ((typeof thrown !== "object" && typeof thrown !== "function") || thrown === null)
    return { __proto__: null, name: typeof thrown, message: of.text(thrown), stack: "" };
  const message = textMember(of, thrown, "message");
  return {
    __proto__: null,
    name: textMember(of, thrown, "name") ?? "Object",
    message: message ?? shownPlain(of, thrown),
    stack: withStack ? stackOf(of, thrown) : "",
  };
}

/** A text found as plain data on the object or up its prototypes; null where there is none. */
export function textMember(of: Intrinsics, thrown: object, key: string): string | null {
  let holder: object | null = thrown;
  for (let steps = 0; holder !== null && steps < 16; steps += 1) {
    const found = of.descriptorOf(holder, key);
    if (found !== undefined) {
      const value = isAccessor(of, found) ? undefined : (found.value as unknown);
      return typeof value === "string" ? value : null;
    }
    holder = of.prototypeOf(holder);
  }
  return null;
}

export function stackOf(of: Intrinsics, thrown: object): string {
  const found = of.descriptorOf(thrown, "stack");
  if (found === undefined) return "";
  if (isAccessor(of, found)) {
    if (of.stackGetter === null || ownValue(of, found, "get") !== of.stackGetter) return "";
    const stack: unknown = of.apply(of.stackGetter, thrown, []);
    return typeof stack === "string" ? stack : "";
  }
  return typeof found.value === "string" ? found.value : "";
}

function shownPlain(of: Intrinsics, value: unknown): string {
  const options = { __proto__: null, root: "", longest: 1_000, lenient: true } as const;
  return writePlain(of, value, options).text ?? "a large value";
}

/** The functions of this file, which become the text of the prelude. */
export const THROWN_PARTS = [thrownText, readThrown, textMember, stackOf, shownPlain];
