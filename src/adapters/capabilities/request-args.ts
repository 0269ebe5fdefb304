import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import type { Request } from "../../domain/trace.ts";

/** What a guest wants fetched. */
export type FetchCall = {
  readonly url: string;
  /** In capitals. */
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** What a guest asks for, read from a request that it may have forged. */
export type Wish =
  | { readonly kind: "fetch"; readonly call: FetchCall }
  | { readonly kind: "kv.get" | "kv.delete"; readonly key: string }
  | { readonly kind: "kv.set"; readonly key: string; readonly value: Json }
  | { readonly kind: "kv.list"; readonly prefix: string }
  /** Whole milliseconds, at least 1 as for setTimeout. */
  | { readonly kind: "timer"; readonly ms: number }
  | { readonly kind: "model"; readonly prompt: string; readonly schema: JsonObject | null }
  | { readonly kind: "skills.call"; readonly name: string; readonly input: JsonObject };

export type KvWish = Extract<Wish, { kind: `kv.${string}` }>;

/** The longest timer there is (2^31 - 1 ms); a longer one waits as long. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The wish behind a request; null where the request is not of a shape that `ctx` makes. */
export function wishOf({ kind, args }: Request): Wish | null {
  if (!isJsonObject(args)) return null;
  switch (kind) {
    case "fetch":
      return fetchWish(args);
    case "kv.get":
    case "kv.delete":
      return typeof args["key"] === "string" ? { kind, key: args["key"] } : null;
    case "kv.set":
      return typeof args["key"] === "string" && args["value"] !== undefined
        ? { kind, key: args["key"], value: args["value"] }
        : null;
    case "kv.list":
      return typeof args["prefix"] === "string" ? { kind, prefix: args["prefix"] } : null;
    case "timer":
      return { kind, ms: timerMs(args["ms"]) };
    case "model":
      return modelWish(args);
    case "skills.call":
      return typeof args["name"] === "string" && isJsonObject(args["input"])
        ? { kind, name: args["name"], input: args["input"] }
        : null;
    default:
      return null;
  }
}

/** The longest prompt, in UTF-16 units. */
const LONGEST_PROMPT = 200_000;

function modelWish({ prompt, schema }: JsonObject): Wish | null {
  if (typeof prompt !== "string" || prompt.length > LONGEST_PROMPT) return null;
  return { kind: "model", prompt, schema: isJsonObject(schema) ? schema : null };
}

function fetchWish({ url, method, headers, body }: JsonObject): Wish | null {
  if (typeof url !== "string") return null;
  return {
    kind: "fetch",
    call: {
      url,
      method: typeof method === "string" ? method.toUpperCase() : "GET",
      headers: isJsonObject(headers) ? textMembers(headers) : {},
      body: typeof body === "string" ? body : null,
    },
  };
}

function textMembers(headers: JsonObject): Record<string, string> {
  const members = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return Object.fromEntries(members);
}

function timerMs(ms: Json | undefined): number {
  if (typeof ms !== "number" || !(ms >= 1)) return 1;
  return Math.min(Math.trunc(ms), LONGEST_TIMER_MS);
}
