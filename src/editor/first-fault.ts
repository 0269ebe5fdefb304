import { ts } from "ts-morph";
import type { SourceText } from "../ports/editor.ts";
import type { Fault } from "../proposers/search/syntax/token-edit.ts";
import { lex, type Lexeme } from "../proposers/search/syntax/lex.ts";
import { isModule } from "./entry.ts";
import { blank } from "./program.ts";
import { engineFault, parserFaults } from "./syntax.ts";

/**
 * The first thing that is wrong with a text, whoever finds it: the parser of TypeScript, the
 * stripper of types, or the engine, which alone knows the early errors. Null where it can be run.
 */
export function firstFault(source: SourceText): Fault | null {
  const { text, language } = source;
  const kind = language === "js" ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const name = `skill.${language}`;
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false, kind);
  const faults = parserFaults(file);
  const [first] = faults.toSorted((a, b) => a.start - b.start);
  if (first !== undefined) {
    const message = ts.flattenDiagnosticMessageText(first.messageText, " ");
    return { at: openedAt(first.start, text), message, count: faults.length };
  }
  const blanked = blank(file, language);
  const fault =
    blanked.status === "refused"
      ? { ...blanked, message: blanked.reason }
      : engineFault({ text: blanked.text, strict: isModule(file, source) });
  if (fault === null) return null;
  const start = file.getLineStarts()[fault.line - 1] ?? 0;
  return { at: Math.min(text.length, start + fault.column), message: fault.message, count: 1 };
}

/**
 * What opens a comment or a template that never closes is where its fault is: the parser notices
 * it at the end of the text.
 */
function openedAt(at: number, text: string): number {
  if (at < text.trimEnd().length) return at;
  const { tokens, comments } = lex(text);
  const cutOff = comments.find(({ isCutOff }) => isCutOff) ?? tokens.find(isOpenTemplate);
  return Math.min(at, cutOff?.start ?? at);
}

function isOpenTemplate({ kind, isCutOff }: Lexeme): boolean {
  return isCutOff && kind !== ts.SyntaxKind.StringLiteral;
}
