import { applyEdits, modify, parse, printParseErrorCode, type ParseError } from "jsonc-parser";
import { HoneError } from "../domain/errors.ts";
import { canonical, isJsonObject, type Json, type JsonObject } from "../domain/json.ts";

/** What is to stand in a client's file, and where. */
export type Wanted = {
  readonly file: string;
  readonly key: string;
  readonly name: string;
  readonly entry: JsonObject;
};

/**
 * A client's JSON file, comments and all, with the entry in it; the same text where it is there
 * already. Members of an entry of that name which are not ours stay, as all else does. Throws
 * `bad-config` for a text that cannot be read, which is not to be touched then.
 */
export function withJsonEntry(text: string, wanted: Wanted): string {
  return text.startsWith(MARK) ? MARK + added(text.slice(1), wanted) : added(text, wanted);
}

/** The byte order mark. */
const MARK = "\uFEFF";

function added(text: string, wanted: Wanted): string {
  const { key, name, entry } = wanted;
  const before = documentOf(text, wanted);
  const servers = before[key] ?? {};
  if (!isJsonObject(servers)) throw unreadable(wanted.file, `its member ${key} is no object`);
  const old = servers[name];
  const isOurs = isJsonObject(old);
  const changes: (readonly [path: string[], value: Json])[] = isOurs
    ? Object.entries(entry)
        .filter(([member, value]) => !isSame(old[member], value))
        .map(([member, value]) => [[key, name, member], value] as const)
    : [[[key, name], entry]];
  const formattingOptions = layoutOf(text);
  const start = text.trim() === "" ? "{}\n" : text;
  const made = changes.reduce(
    (left, [path, value]) => applyEdits(left, modify(left, path, value, { formattingOptions })),
    changes.length === 0 ? text : start,
  );
  requireOnly(before, documentOf(made, wanted), wanted);
  return made;
}

function documentOf(text: string, { file }: Wanted): JsonObject {
  if (text.trim() === "") return {};
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, disallowComments: false };
  const value = parse(text, errors, options) as Json;
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw unreadable(file, `line ${line}: ${printParseErrorCode(first.error)}`);
  }
  if (!isJsonObject(value)) throw unreadable(file, "it holds no object");
  return value;
}

/** Nothing but the entry may differ: what else the text says is somebody else's. */
export function requireOnly(before: JsonObject, after: JsonObject, wanted: Wanted): void {
  if (canonical(withoutEntry(before, wanted)) === canonical(withoutEntry(after, wanted))) return;
  throw unreadable(wanted.file, "the entry cannot be added without a change to others");
}

function withoutEntry(document: JsonObject, { key, name }: Wanted): JsonObject {
  const servers = document[key];
  const kept = Object.entries(isJsonObject(servers) ? servers : {}).filter(([one]) => one !== name);
  return { ...document, [key]: Object.fromEntries(kept) };
}

function isSame(a: Json | undefined, b: Json): boolean {
  return a !== undefined && canonical(a) === canonical(b);
}

/** As the file is laid out already. */
function layoutOf(text: string): {
  readonly insertSpaces: boolean;
  readonly tabSize: number;
  readonly eol: string;
} {
  const [, indent = "  "] = /^([ \t]+)"/m.exec(text) ?? [];
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return { insertSpaces: !indent.startsWith("\t"), tabSize: indent.length, eol };
}

/** A file that is left as it is. */
export function unreadable(file: string, why: string): HoneError {
  return new HoneError("bad-config", `${file} cannot be changed: ${why}`, {
    hint: "Nothing was written. Mend the file, or write the entry that --print gives by hand.",
  });
}
