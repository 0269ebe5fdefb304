import { parse, stringify } from "smol-toml";
import { messageOf } from "../domain/errors.ts";
import { canonical, isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import { requireOnly, unreadable, type Wanted } from "./mcp-json-entry.ts";

/**
 * A client's TOML file with the entry in it, as a table of its own; the same text where it is there
 * already. No line that is not ours is touched, and what comes out is read again to see that. Throws
 * `bad-config` for a text that cannot be read, or not be changed in this way.
 */
export function withTomlEntry(text: string, wanted: Wanted): string {
  const { key, name, entry } = wanted;
  const before = documentOf(text, wanted);
  const servers = before[key] ?? {};
  if (!isJsonObject(servers)) throw unreadable(wanted.file, `${key} is no table`);
  const old = servers[name];
  if (isJsonObject(old) && hasAll(old, entry)) return text;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = stringify(entry).trimEnd().split("\n");
  const header = `[${key}.${name}]`;
  const made =
    old === undefined
      ? appended(text, [header, ...lines], eol)
      : replaced(text, { header, lines, members: Object.keys(entry) }, eol);
  const after = made === null ? null : readOrNull(made);
  const found = after?.[key];
  const isThere = isJsonObject(found) && isJsonObject(found[name]) && hasAll(found[name], entry);
  if (made === null || after === null || !isThere) {
    throw unreadable(wanted.file, `${key} is written in a way that it cannot be added to`);
  }
  requireOnly(before, after, wanted);
  return made;
}

function documentOf(text: string, { file }: Wanted): JsonObject {
  try {
    return plain(parse(text.replace(/^\uFEFF/, "")));
  } catch (error) {
    throw unreadable(file, messageOf(error).split("\n")[0] ?? "it is no TOML");
  }
}

function readOrNull(text: string): JsonObject | null {
  try {
    return plain(parse(text.replace(/^\uFEFF/, "")));
  } catch {
    return null;
  }
}

/** As JSON has it, dates as texts. */
function plain(document: unknown): JsonObject {
  return JSON.parse(
    JSON.stringify(document, (_key, value: unknown) =>
      typeof value === "bigint" ? `${value}n` : value,
    ),
  ) as JsonObject;
}

function hasAll(found: Json | undefined, entry: JsonObject): boolean {
  if (!isJsonObject(found)) return false;
  return Object.entries(entry).every(([member, value]) => {
    const one = found[member];
    return one !== undefined && canonical(one) === canonical(value);
  });
}

function appended(text: string, lines: readonly string[], eol: string): string {
  const before = text === "" || text.endsWith("\n") ? text : text + eol;
  const blank = before === "" || /\n\r?\n$/.test(before) ? "" : eol;
  return `${before}${blank}${lines.join(eol)}${eol}`;
}

/** Our members of the table anew, behind its header; null where it has no header of its own. */
function replaced(
  text: string,
  {
    header,
    lines,
    members,
  }: {
    readonly header: string;
    readonly lines: readonly string[];
    readonly members: readonly string[];
  },
  eol: string,
): string | null {
  const all = text.split(/\r?\n/);
  const start = all.findIndex((line) => unquoted(line) === header);
  if (start < 0) return null;
  const next = all.findIndex((line, at) => at > start && /^\s*\[/.test(line));
  const end = next < 0 ? all.length : next;
  const ours = new RegExp(`^\\s*(?:${members.join("|")})\\s*=`);
  const kept = all.slice(start + 1, end).filter((line) => !ours.test(line));
  return [...all.slice(0, start + 1), ...lines, ...kept, ...all.slice(end)].join(eol);
}

/** A header without blanks, quotes and what is said behind it. */
function unquoted(line: string): string {
  return line.replace(/#.*$/, "").replace(/[\s"']/g, "");
}
