import { stripTypeScriptTypes } from "node:module";
import { ts } from "ts-morph";
import type { Language } from "../domain/skill.ts";
import { placeInStack } from "./syntax.ts";

/** Plain JavaScript of the same length, or why there is none. */
export type Blanked =
  | { readonly status: "blanked"; readonly text: string }
  | ({ readonly status: "refused" } & Refusal);

/** Why a text has no plain JavaScript, and where: its line (from 1) and column (from 0). */
type Refusal = { readonly reason: string; readonly line: number; readonly column: number };

/**
 * Blanks types and `export` out of a source. Every offset of the result is the same place in the
 * source. Throws an Error if the lengths differ, which would be a bug of the stripper.
 */
export function blank(file: ts.SourceFile, language: Language): Blanked {
  const stripped = language === "js" ? { text: file.text } : strip(file.text);
  if ("reason" in stripped) return { status: "refused", ...stripped };
  const text = withoutExports(file, stripped.text);
  if (text.length !== file.text.length) {
    throw new Error(`a program of ${text.length} units came of ${file.text.length}`);
  }
  return { status: "blanked", text };
}

/** Letters that stand in for what is not ASCII; the next is tried where one makes two names equal. */
const STAND_INS = ["x", "q", "Z", "_"];

/**
 * The stripper counts bytes of UTF-8, so a letter such as `é` inside a type becomes two blanks.
 * It is therefore shown a text of the same length that is ASCII alone, and what it kept is then
 * taken from the source.
 */
function strip(source: string): { readonly text: string } | Refusal {
  let refusal: Refusal = { reason: "", line: 1, column: 0 };
  for (const standIn of STAND_INS) {
    const shadow = shadowOf(source, standIn);
    const stripped = stripShadow(shadow);
    if ("text" in stripped) return { text: overlay(source, shadow, stripped.text) };
    refusal = stripped;
    if (shadow === source) break;
  }
  return refusal;
}

function shadowOf(source: string, standIn: string): string {
  return source.replaceAll(/[^\S\t-\r ]/g, " ").replaceAll(/[^\0-\x7f]/g, standIn);
}

function stripShadow(shadow: string): { readonly text: string } | Refusal {
  try {
    return { text: stripTypeScriptTypes(shadow, { mode: "strip" }) };
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    return { reason: thrown.message, ...placeInStack(thrown.stack) };
  }
}

function isRefusal(thrown: unknown): thrown is Error {
  return (
    thrown instanceof Error &&
    "code" in thrown &&
    (thrown.code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" ||
      thrown.code === "ERR_INVALID_TYPESCRIPT_SYNTAX")
  );
}

function overlay(source: string, shadow: string, stripped: string): string {
  if (shadow === source) return stripped;
  let text = "";
  for (let at = 0; at < stripped.length; at += 1) {
    text += (stripped[at] === shadow[at] ? source[at] : stripped[at]) ?? "";
  }
  return text;
}

function withoutExports(file: ts.SourceFile, program: string): string {
  return exportedRanges(file).reduce(
    (text, { start, end }) => text.slice(0, start) + " ".repeat(end - start) + text.slice(end),
    program,
  );
}

/** The words `export` and `default` of the file's declarations. */
function exportedRanges(file: ts.SourceFile): { readonly start: number; readonly end: number }[] {
  return file.statements.flatMap((statement) =>
    (ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [])
      .filter(({ kind }) => isExportWord(kind))
      .map((modifier) => ({ start: modifier.getStart(file), end: modifier.end })),
  );
}

function isExportWord(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.ExportKeyword || kind === ts.SyntaxKind.DefaultKeyword;
}
