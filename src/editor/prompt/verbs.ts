import type { Edit } from "../../domain/candidate.ts";
import type { Program } from "../../domain/skill.ts";
import type { Edited, Instrumented, Shown, SourceText, Watched } from "../../ports/editor.ts";
import type { EditorVerb } from "../protocol.ts";
import { lineEndOf, overlap, splice, withLineEnds, type Splice } from "../splices.ts";
import { inspectPrompt, promptContractFindings, promptPolicyFindings } from "./inspect-prompt.ts";

/** What the editor answers for a prompt, by verb: it is words, and no code that could be searched. */
export const PROMPT_VERBS: Partial<Record<EditorVerb, (...args: never[]) => unknown>> = {
  inspect: inspectPrompt,
  apply,
  newTypeErrors: promptContractFindings,
  policyFindings: (before: SourceText, after: SourceText, { values }: Shown) =>
    promptPolicyFindings(before, after, values),
  instrument: (source: SourceText): Instrumented => ({ program: programOf(source), sites: [] }),
  enumerate: () => [],
  variants: () => null,
  watchPatterns: (source: SourceText): Watched => ({ program: programOf(source), sites: [] }),
  syntaxRepairs: () => [],
  probe: () => null,
  synthesise: () => [],
  driftEdits: () => [],
};

const NO_PROGRAM: Program = { text: "", entry: "", strict: false, takesCtx: false };

function programOf(source: SourceText): Program {
  const inspected = inspectPrompt(source);
  return inspected.status === "sound" ? inspected.program : NO_PROGRAM;
}

/** Splices, or the whole file anew; everything else is for code. */
function apply({ text }: SourceText, edits: readonly Edit[]): Edited {
  const splices: Splice[] = [];
  for (const edit of edits) {
    if (edit.op === "splice" && isRange(edit, text)) splices.push(edit);
    else if (edit.op === "replace" && edit.target === "*") {
      const mark = text.startsWith("\uFEFF") ? 1 : 0;
      splices.push({ start: mark, end: text.length, text: edit.code.replace(/^\uFEFF/, "") });
    } else {
      const reason = "a prompt is changed by replacing `*`, or by a range of its text";
      return { status: "refused", reason };
    }
  }
  if (overlap(splices)) return { status: "refused", reason: "two edits touch the same text" };
  const lineEnd = lineEndOf(text);
  const after = splice(
    text,
    splices.map((one) => ({ ...one, text: withLineEnds(one.text, lineEnd) })),
  );
  return after === text
    ? { status: "refused", reason: "the edits change nothing" }
    : { status: "edited", text: after };
}

function isRange({ start, end }: Splice, text: string): boolean {
  return Number.isInteger(start) && start >= 0 && start <= end && end <= text.length;
}
