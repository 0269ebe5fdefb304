import type { Range } from "./locate.ts";

/**
 * The text that goes between the braces of a function (or, for the expression of an arrow, the
 * braces too), indented like the body it replaces. Code with a template is left as it is, since
 * blanks inside it may be part of a text.
 */
export function bodyText(
  text: string,
  body: Range & { readonly isBlock: boolean },
  code: string,
  lineEnd: string,
): string {
  const outer = indentAt(text, body.start);
  const inner = innerIndent(text.slice(body.start, body.end), outer, text);
  const statements = code.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
  const lines = statements.includes("`") ? [statements] : indented(statements, inner);
  const between = [lineEnd, ...lines.map((line) => line + lineEnd), outer].join("");
  return body.isBlock ? between : `{${between}}`;
}

/** Blanks at the head of the line on which an offset stands. */
function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[\t ]*/.exec(text.slice(lineStart))?.[0] ?? "";
}

function innerIndent(body: string, outer: string, text: string): string {
  const own = /\n([\t ]+)[^\s]/.exec(body)?.[1];
  if (own !== undefined && own.length > outer.length) return own;
  return outer + (/\n\t/.test(text) ? "\t" : "  ");
}

function indented(code: string, indent: string): string[] {
  const lines = code.split(/\r?\n/);
  const depths = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const depth = Math.min(...depths, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => (line.trim() === "" ? "" : indent + line.slice(depth)));
}
