import { ts } from "ts-morph";
import type { Finding } from "../../ports/editor.ts";
import { isComment, lineOf, tokensOf } from "../syntax.ts";

const MUTES = /@ts-(?:ignore|nocheck|expect-error)/;
const REFERENCE = /^\/\/\/\s*<(?:reference|amd-)/i;
/** Pragmas that change how this or another file is read, or what it is called in a stack. */
const PRAGMA = /@(?:jsx\w*|ts-check)\b|[#@]\s*source(?:MappingURL|URL)\s*=/;

/** Comments that mute the compiler or pull in other files. */
export function forbiddenComments(file: ts.SourceFile): Finding[] {
  return tokensOf(file)
    .filter(isComment)
    .flatMap(({ start, end }) => {
      const text = file.text.slice(start, end);
      const line = lineOf(file, start);
      const mute = MUTES.exec(text)?.[0];
      if (mute !== undefined) return [{ line, message: `${mute} mutes the type check` }];
      const pragma = PRAGMA.exec(text)?.[0];
      if (pragma !== undefined)
        return [{ line, message: `${pragma} changes how the file is read` }];
      return REFERENCE.test(text) ? [{ line, message: "a triple-slash directive" }] : [];
    });
}

/** Words of a comment from which on it says something. */
const LEAST_WORDS = 3;

/** Whether a block holds no code, and a comment that gives a reason. */
export function saysWhy(block: ts.Block): boolean {
  const file = block.getSourceFile();
  const { pos, end } = block.statements;
  const comments = [
    ...(ts.getTrailingCommentRanges(file.text, pos) ?? []),
    ...(ts.getLeadingCommentRanges(file.text, pos) ?? []),
  ].filter((range) => range.pos >= pos && range.end <= Math.max(end, block.end));
  const text = comments.map((range) => file.text.slice(range.pos, range.end)).join(" ");
  return block.statements.length === 0 && (text.match(WORD) ?? []).length >= LEAST_WORDS;
}

const WORD = /[\p{L}\d]{2,}/gu;
