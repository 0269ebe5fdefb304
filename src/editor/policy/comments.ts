import type { ts } from "ts-morph";
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
