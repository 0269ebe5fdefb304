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
  /** What to say instead of a list without rows, by the list's key. */
  readonly empty?: Readonly<Record<string, string>>;
};

type Painter = (text: string) => string;

const CELL_WIDTH = 72;

/** An answer as text: single values first, then each list as a table. All of it is plain text. */
export function present(answer: JsonObject, layout: Layout, heading: Painter): string {
  const members = Object.entries(answer).filter(
    ([key]) => key !== "schemaVersion" && layout.hidden?.includes(key) !== true,
  );
  const single = members.flatMap(([key, value]) => singleRows(key, value));
  const blocks = [
    ...(single.length > 0 ? [tableOf(["", ""], single)] : []),
    ...members.flatMap(([key, value]) => textBlock(key, value, heading)),
    ...members.flatMap(([key, value]) => listBlock(key, value, layout, heading)),
  ];
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

function singleRows(key: string, value: Json): readonly (readonly string[])[] {
  if (isTable(value) || linesOf(value) !== null || value === null) return [];
  if (!isJsonObject(value)) return [[key, cell(key, value)]];
  return Object.entries(value).flatMap(([inner, each]) =>
    each === null ? [] : [[`${key}.${inner}`, cell(inner, each)]],
  );
}

function textBlock(key: string, value: Json, heading: Painter): readonly (readonly string[])[] {
  const lines = linesOf(value);
  return lines === null ? [] : [[heading(key), ...lines]];
}

/** Text of several lines, or a list of texts too long for a cell; null for anything else. */
function linesOf(value: Json): readonly string[] | null {
  if (typeof value === "string" && value.trimEnd().includes("\n")) {
    return plainText(value).trimEnd().split("\n");
  }
  if (!isWords(value) || value.join(", ").length <= CELL_WIDTH) return null;
  return value.map((each) => plainLine(each, Number.POSITIVE_INFINITY));
}

function isWords(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function listBlock(
  key: string,
  value: Json,
  layout: Layout,
  heading: Painter,
): readonly (readonly string[])[] {
  if (!isTable(value)) return [];
  const said = layout.empty?.[key];
  if (value.length === 0) return [[said ?? `${key}: none`]];
  const known = new Set(value.flatMap((row) => Object.keys(row)));
  const columns = layout.columns?.[key]?.filter((name) => known.has(name)) ?? [...known];
  const rows = value.map((row) => columns.map((name) => cell(name, row[name] ?? null)));
  return [
    tableOf(
      columns.map((name) => name.toUpperCase()),
      rows,
      heading,
    ),
  ];
}

/** A list is a table when its rows are objects; an empty one has no rows to tell. */
function isTable(value: Json): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every((row: Json) => isJsonObject(row));
}

function cell(key: string, value: Json): string {
  if (value === null) return "–";
  if (typeof value === "number") return isInstant(key, value) ? instant(value) : decimal(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "string") return plainLine(compact(value), CELL_WIDTH);
  return /^[0-9a-f]{40}$/.test(value) ? value.slice(0, 10) : plainLine(value, CELL_WIDTH);
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
