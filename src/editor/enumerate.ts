import type { Suspicion } from "../domain/incident.ts";
import type { Program } from "../domain/skill.ts";
import type { Mutation, SourceText } from "../ports/editor.ts";
import { enumerateEdits } from "../proposers/search/enumerate.ts";
import { entryOf, programWith } from "./entry.ts";
import { blank } from "./program.ts";
import { lineEndOf, splice, withLineEnds } from "./splices.ts";
import { parse } from "./syntax.ts";

/**
 * Single edits of a source with the program that each leaves behind. Edits are splices of plain
 * JavaScript, so that one splice of the program, at the same offsets, makes it.
 */
export function enumerate(
  source: SourceText,
  search: {
    readonly suspicions: readonly Suspicion[];
    /** Messages of errors that failing cases want. */
    readonly wantedErrors?: readonly string[];
    readonly offset: number;
    readonly limit: number;
  },
): readonly Mutation[] {
  const program = programOf(source);
  const lineEnd = lineEndOf(source.text);
  return enumerateEdits(
    { ...source, language: source.language === "js" ? "js" : "ts" },
    search,
  ).map((change) => {
    const splices = change.edits.flatMap((edit) =>
      edit.op === "splice" ? [{ ...edit, text: withLineEnds(edit.text, lineEnd) }] : [],
    );
    return { ...change, program: { ...program, text: splice(program.text, splices) } };
  });
}

/** The program of a source as far as it can be made out: a repair may start from a syntax error. */
export function programOf(source: SourceText): Program {
  const file = parse(source.text, source.language);
  const { entry } = entryOf(file, source);
  const blanked = blank(file, source.language);
  const text = blanked.status === "blanked" ? blanked.text : source.text;
  return programWith(text, file, source, entry);
}
