import { prettyFactory } from "pino-pretty";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import { plainText } from "./plain-text.ts";
import type { Terminal } from "./terminal.ts";

/** Lays out a line of the daemon's log for people; what skills and models wrote in it is plain text. */
export function prettyLog({ paint }: Pick<Terminal, "paint">): (entry: JsonObject) => string {
  // Colour is decided once, where everything else decides by it.
  const colorize = paint("bold", "x") !== "x";
  const pretty = prettyFactory({ colorize, translateTime: "SYS:yyyy-mm-dd HH:MM:ss" });
  return (entry) => pretty(plain(entry)).trimEnd();
}

function plain(value: Json): Json {
  if (typeof value === "string") return plainText(value);
  if (Array.isArray(value)) return value.map((each: Json) => plain(each));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [plainText(key), plain(each)]),
  );
}
