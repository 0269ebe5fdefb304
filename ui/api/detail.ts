import type { JsonObject } from "../../src/domain/json.ts";

/** A text of an event's detail; empty where there is none. */
export function textIn(detail: JsonObject, name: string): string {
  const found = detail[name];
  return typeof found === "string" ? found : "";
}
