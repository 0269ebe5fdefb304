/**
 * Installs names of the web as a browser has them: global, writable, not enumerable. Takes away
 * what core-js leaves behind for its other copies.
 */
export function install(names: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(names)) {
    // core-js calls its constructors otherwise.
    if (typeof value === "function") Object.defineProperty(value, "name", { value: name });
    Object.defineProperty(globalThis, name, {
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }
  Reflect.deleteProperty(globalThis, "__core-js_shared__");
}
