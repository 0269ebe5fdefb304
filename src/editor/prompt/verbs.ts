import type { Edit } from "../../domain/candidate.ts";
import type { Program } from "../../domain/skill.ts";
import type {
  Edited,
  Finding,
  Inspection,
  Instrumented,
  Shown,
  SourceText,
  Watched,
} from "../../ports/editor.ts";
import type { EditorVerb } from "../protocol.ts";
import { lineEndOf, overlap, splice, withLineEnds, type Splice } from "../splices.ts";
import { definitionFindings, inspectDefinition } from "../definition/read-definition.ts";
import { inspectPrompt, promptContractFindings, promptPolicyFindings } from "./inspect-prompt.ts";

type Verbs = Partial<Record<EditorVerb, (...args: never[]) => unknown>>;

/** What the editor answers for a prompt, by verb. */
export const PROMPT_VERBS: Verbs = verbsOfWords(inspectPrompt, promptContractFindings);

/** The same for what SKILL.md says of a tool. */
export const DEFINITION_VERBS: Verbs = verbsOfWords(inspectDefinition, definitionFindings);

/** What the editor answers for words: there is no code in them that could be searched. */
function verbsOfWords(
  inspect: (source: SourceText) => Inspection,
  contractFindings: (before: SourceText, after: SourceText) => readonly Finding[],
): Verbs {
  const programOf = (source: SourceText): Program => {
    const inspected = inspect(source);
    return inspected.status === "sound" ? inspected.program : NO_PROGRAM;
  };
  return {
    inspect,
    apply,
    newTypeErrors: contractFindings,
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
}

const NO_PROGRAM: Program = { text: "", entry: "", strict: false, takesCtx: false };

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
