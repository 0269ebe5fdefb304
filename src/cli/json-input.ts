import { text } from "node:stream/consumers";
import { readFile } from "node:fs/promises";
import { HoneError, messageOf } from "../domain/errors.ts";
import { isJsonObject, isTooDeep, MOST_DEPTH } from "../domain/json.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { unfitJson } from "../domain/json-text.ts";

/** The JSON value of an option. Throws `bad-input`. */
export function parseJson(written: string, what: string): Json {
  const unfit = unfitJson(written);
  if (unfit !== null) throw new HoneError("bad-input", `${what} ${unfit}`);
  const value = parsed(written, what);
  if (!isTooDeep(value)) return value;
  throw new HoneError("bad-input", `${what} is nested deeper than ${MOST_DEPTH} levels`);
}

function parsed(written: string, what: string): Json {
  try {
    return JSON.parse(written) as Json;
  } catch (cause) {
    throw new HoneError("bad-input", `${what} is not JSON: ${messageOf(cause)}`, {
      cause,
      hint: `Quote it for the shell, as in ${what} '{"text":"hello"}'.`,
    });
  }
}

/** The JSON object of an option; `-` reads it from stdin. Throws `bad-input`. */
export async function readJsonObject(written: string, what: string): Promise<JsonObject> {
  const value = parseJson(written === "-" ? await text(process.stdin) : written, what);
  if (isJsonObject(value)) return value;
  throw new HoneError("bad-input", `${what} must be an object of the skill's parameters`, {
    hint: "`hone skills show <name>` lists them.",
  });
}

/** The objects of a JSONL file, `-` for stdin. Throws one `bad-input` that names every bad line. */
export async function readJsonLines(file: string): Promise<readonly JsonObject[]> {
  const lines = (file === "-" ? await text(process.stdin) : await readText(file))
    .replace(/^\uFEFF/, "")
    .split("\n");
  const read = lines.map((line, at) => readLine(line, at + 1));
  const problems = read.flatMap((each) => (typeof each === "string" ? [each] : []));
  if (problems.length > 0) {
    throw new HoneError("bad-input", `${file} is not JSONL: ${problems.slice(0, 10).join("; ")}`, {
      hint: "Nothing was queued. Each line is one object: {skill, input, expect?}.",
    });
  }
  return read.flatMap((each) => (each === null || typeof each === "string" ? [] : [each]));
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isAbsent = code === "ENOENT" || code === "ENOTDIR";
    throw new HoneError(
      isAbsent ? "not-found" : "bad-input",
      isAbsent ? `There is no file ${file}` : `${file} cannot be read: ${code}`,
      { cause },
    );
  }
}

/** An object, null for a blank line, or what is wrong with the line. */
function readLine(line: string, number: number): JsonObject | null | string {
  if (line.trim() === "") return null;
  const unfit = unfitJson(line);
  if (unfit !== null) return `line ${number} ${unfit}`;
  try {
    const value = JSON.parse(line) as Json;
    if (!isJsonObject(value)) return `line ${number} is no object`;
    const deep = Object.keys(value).find((key) => isTooDeep(value[key]));
    if (deep === undefined) return value;
    return `line ${number}: \`${deep}\` is nested deeper than ${MOST_DEPTH} levels`;
  } catch (cause) {
    return `line ${number}: ${messageOf(cause)}`;
  }
}
