import type { Edit } from "../domain/candidate.ts";
import type { Language } from "../domain/skill.ts";
import type { Edited, SourceText } from "../ports/editor.ts";
import { bodyText } from "./body-text.ts";
import { isModule } from "./entry.ts";
import { Outline, type Located } from "./locate.ts";
import { blank } from "./program.ts";
import { lineEndOf, overlap, splice, withLineEnds, type Splice } from "./splices.ts";
import { engineFindings, parse, syntaxFindings } from "./syntax.ts";

/**
 * Applies edits to a text. All targets are looked up in the text as it was; bytes outside the edits
 * stay as they are, and new code takes the line ends of the file.
 */
export function apply(source: SourceText, edits: readonly Edit[]): Edited {
  const located = edits.map((edit) => spliceOf(source, edit));
  const splices: Splice[] = [];
  for (const found of located) {
    if (found.status === "missing") return refused(found.reason);
    splices.push(found.found);
  }
  if (overlap(splices)) return refused("two edits touch the same text");
  const text = splice(source.text, splices);
  if (text === source.text) return refused("the edits change nothing");
  const problem = problemIn({ ...source, text }) ?? escapeIn(source, edits, splices, text);
  return problem === null ? { status: "edited", text } : refused(problem);
}

function spliceOf(source: SourceText, edit: Edit): Located<Splice> {
  const lineEnd = lineEndOf(source.text);
  const found = rawSpliceOf(source, edit, lineEnd);
  if (found.status === "missing") return found;
  return {
    status: "found",
    found: { ...found.found, text: withLineEnds(found.found.text, lineEnd) },
  };
}

function rawSpliceOf({ text, language }: SourceText, edit: Edit, lineEnd: string): Located<Splice> {
  switch (edit.op) {
    case "splice":
      return isRange(edit, text)
        ? { status: "found", found: { start: edit.start, end: edit.end, text: edit.text } }
        : missing(`${edit.start} to ${edit.end} is no range of the source`);
    case "replace":
      return edit.target === "*"
        ? { status: "found", found: wholeFile(text, edit.code) }
        : replacementOf(new Outline(text, language), edit, language);
    case "body": {
      const body = new Outline(text, language).body(edit.target);
      if (body.status === "missing") return body;
      const code = bodyText(text, body.found, edit.code, lineEnd);
      return { status: "found", found: { ...body.found, text: code } };
    }
    case "add":
      return { status: "found", found: additionTo(text, edit.code) };
  }
}

function isRange({ start, end }: { start: number; end: number }, text: string): boolean {
  return (
    Number.isSafeInteger(start) &&
    Number.isSafeInteger(end) &&
    start >= 0 &&
    start <= end &&
    end <= text.length
  );
}

/** A BOM belongs to the file, not to its code. */
function wholeFile(text: string, code: string): Splice {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  return { start, end: text.length, text: start === 1 ? code.replace(/^\uFEFF/, "") : code };
}

/** New text that brings its own comment replaces the old comment; without one, the old one stays. */
function replacementOf(
  outline: Outline,
  { target, code }: { readonly target: string; readonly code: string },
  language: Language,
): Located<Splice> {
  const declaration = outline.declaration(target);
  if (declaration.status === "missing") return declaration;
  const trimmed = code.trim();
  if (new Outline(trimmed, language).declaration(target).status === "missing") {
    return missing(`the new text does not declare ${target}`);
  }
  const bringsComment = trimmed.startsWith("/*") || trimmed.startsWith("//");
  const { bare, withComments } = declaration.found;
  return {
    status: "found",
    found: { ...(bringsComment ? withComments : bare), text: trimmed },
  };
}

function additionTo(text: string, code: string): Splice {
  const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return { start: text.length, end: text.length, text: `${gap}${code.trim()}\n` };
}

function problemIn(source: SourceText): string | null {
  const file = parse(source.text, source.language);
  const [syntax] = syntaxFindings(file);
  if (syntax !== undefined) return `line ${syntax.line}: ${syntax.message}`;
  const blanked = blank(file, source.language);
  if (blanked.status === "refused") return `line ${blanked.line}: ${blanked.reason}`;
  const strict = isModule(file, source);
  // Imports and exports in lists are named by `inspect`; the engine would call them syntax errors.
  if (/^\s*(?:import|export)\b/m.test(blanked.text)) return null;
  const [early] = engineFindings({ text: blanked.text, entry: "", strict, takesCtx: false });
  return early === undefined ? null : `line ${early.line}: ${early.message}`;
}

/** New code for one place must stay in that place: it may not close the function and go on. */
function escapeIn(
  source: SourceText,
  edits: readonly Edit[],
  splices: readonly Splice[],
  text: string,
): string | null {
  const outline = new Outline(text, source.language);
  for (const [at, edit] of edits.entries()) {
    const made = splices[at];
    if (edit.op !== "body" || made === undefined) continue;
    const start = made.start + shiftBefore(splices, made);
    const inset = source.text[made.start - 1] === "{" ? 0 : 1;
    const body = outline.body(edit.target);
    const stays =
      body.status === "found" &&
      body.found.start === start + inset &&
      body.found.end === start + made.text.length - inset;
    if (!stays) return `the new body of ${edit.target} closes the function`;
  }
  return null;
}

function shiftBefore(splices: readonly Splice[], splice: Splice): number {
  return splices
    .filter((other) => other !== splice && other.end <= splice.start)
    .reduce((shift, { start, end, text }) => shift + text.length - (end - start), 0);
}

function missing(reason: string): { readonly status: "missing"; readonly reason: string } {
  return { status: "missing", reason };
}

function refused(reason: string): Edited {
  return { status: "refused", reason };
}
