import { isJsonObject } from "../domain/json.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { plainLine, plainText, safeJson } from "./plain-text.ts";
import { tableOf } from "./table.ts";

/** How an answer is laid out for people. What is not mentioned is laid out by its shape. */
export type Layout = {
  /** Columns of a list, by the list's key; columns that no row has are left out. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Members not shown. */
  readonly hidden?: readonly string[];
  /** Members, and columns of lists, that are JSON for the reader as well. */
  readonly json?: readonly string[];
  /** Lists whose cells are never clipped. */
  readonly whole?: readonly string[];
  /** What to say instead of a list without rows, by the list's key. */
  readonly empty?: Readonly<Record<string, string>>;
};

/** What an answer is shown on. */
export type Page = {
  readonly heading: (text: string) => string;
  /** Characters of a line; infinite where nobody's terminal is written to. */
  readonly width: number;
};

/** A list of texts longer than this has a line for each. */
const LINE_WIDTH = 72;

/**
 * An answer as text: single values first, then texts, then each list as a table. All of it is plain
 * text, and whole, but for the cells of a table that is wider than the page.
 */
export function present(answer: JsonObject, layout: Layout, page: Page): string {
  const members = Object.entries(answer).filter(
    ([key]) => key !== "schemaVersion" && layout.hidden?.includes(key) !== true,
  );
  const isBlock = ([key, value]: [string, Json]): boolean =>
    isJsonBlock(key, value, layout) || linesOf(value) !== null || isTable(value);
  const isTitled = members.filter(([, value]) => isTable(value)).length > 1;
  const single = members.filter((member) => !isBlock(member)).flatMap(singleRows);
  const blocks = [
    ...(single.length > 0 ? [tableOf(["", ""], single)] : []),
    ...members.flatMap(([key, value]) => textBlock(key, value, layout, page)),
    ...members.flatMap(([key, value]) => listBlock(key, value, { layout, page, isTitled })),
  ];
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

function singleRows([key, value]: [string, Json]): readonly (readonly string[])[] {
  if (value === null) return [];
  if (!isJsonObject(value)) return [[key, cell(key, value)]];
  return Object.entries(value).flatMap(([inner, each]) =>
    each === null ? [] : [[`${key}.${inner}`, cell(inner, each)]],
  );
}

function textBlock(
  key: string,
  value: Json,
  layout: Layout,
  { heading }: Page,
): readonly (readonly string[])[] {
  const lines = isJsonBlock(key, value, layout) ? [safeJson(value, 2)] : linesOf(value);
  return lines === null ? [] : [[heading(key), ...lines]];
}

function isJsonBlock(key: string, value: Json, { json }: Layout): boolean {
  return json?.includes(key) === true && value !== null;
}

/** Text of several lines, or a list of texts too long for one; null for anything else. */
function linesOf(value: Json): readonly string[] | null {
  if (typeof value === "string") return value.trimEnd().includes("\n") ? linesIn(value) : null;
  if (!isWords(value)) return null;
  const isLong = value.join(", ").length > LINE_WIDTH || value.some((each) => each.includes("\n"));
  return isLong ? value.flatMap(linesIn) : null;
}

function linesIn(text: string): readonly string[] {
  return plainText(text).trimEnd().split("\n");
}

function isWords(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

type Listing = {
  readonly layout: Layout;
  readonly page: Page;
  /** Of several tables each has its name above it. */
  readonly isTitled: boolean;
};

function listBlock(
  key: string,
  value: Json,
  { layout, page: { heading, width }, isTitled }: Listing,
): readonly (readonly string[])[] {
  if (!isTable(value) || isJsonBlock(key, value, layout)) return [];
  const said = layout.empty?.[key];
  if (value.length === 0) return [[said ?? `${key}: none`]];
  const known = new Set(value.flatMap((row) => Object.keys(row)));
  const columns = layout.columns?.[key]?.filter((name) => known.has(name)) ?? [...known];
  const isJson = (name: string): boolean => layout.json?.includes(name) === true;
  const rows = value.map((row) =>
    columns.map((name) => (isJson(name) ? safeJson(row[name]) : cell(name, row[name] ?? null))),
  );
  const table = tableOf(
    columns.map((name) => name.toUpperCase()),
    rows,
    layout.whole?.includes(key) === true ? { paintHead: heading } : { paintHead: heading, width },
  );
  return [isTitled ? [`${key}:`, ...table] : table];
}

/** A list is a table when its rows are objects; an empty one has no rows to tell. */
function isTable(value: Json): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every((row: Json) => isJsonObject(row));
}

function cell(key: string, value: Json): string {
  if (value === null) return "–";
  if (typeof value === "number") return isInstant(key, value) ? instant(value) : decimal(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "string") return plainLine(compact(value));
  return /^[0-9a-f]{40}$/.test(value) ? value.slice(0, 10) : plainLine(value);
}

function compact(value: Json): string {
  return isWords(value) ? value.join(", ") : safeJson(value);
}

/** Members named `at` or `…At` hold milliseconds since the epoch. */
function isInstant(key: string, value: number): boolean {
  return /(^a|A)t$/.test(key) && value > 1e11 && value < 1e14;
}

function instant(at: number): string {
  return new Date(at)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}

function decimal(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(3)));
}
