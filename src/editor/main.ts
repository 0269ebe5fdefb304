import type { Edit } from "../domain/candidate.ts";
import type { Program } from "../domain/skill.ts";
import type { Finding, Lesson, PatternText, SourceText } from "../ports/editor.ts";
import { apply } from "./apply.ts";
import { driftEdits } from "../proposers/drift/ast/drift-edits.ts";
import { enumerate } from "./enumerate.ts";
import { inspect } from "./inspect.ts";
import { instrument } from "./instrument.ts";
import { holeTexts, patternChanges } from "../proposers/search/regexes/learn.ts";
import { literals } from "./literals.ts";
import { MACHINE_VERBS } from "./machine/verbs.ts";
import { DEFINITION_VERBS, PROMPT_VERBS } from "./prompt/verbs.ts";
import { policyFindings } from "./policy.ts";
import { probe, synthesise } from "./probe.ts";
import type { EditorReply, EditorRequest, EditorVerb } from "./protocol.ts";
import { syntaxRepairs } from "./syntax-repairs.ts";
import { newTypeErrors } from "./types.ts";
import { watchPatterns } from "./watch-patterns.ts";
import { variants } from "./variants.ts";

type Answering = {
  readonly answer: (...args: never[]) => unknown;
  readonly tooDeep: (source: SourceText) => unknown;
};

const TOO_DEEP: Finding = { line: 1, message: "the source is nested too deeply to be read" };

const NO_PROGRAM: Program = { text: "", entry: "", strict: false, takesCtx: false };

/** Each verb with what it answers for a source that overflows the stack of whoever walks its tree. */
const VERBS: Record<EditorVerb, Answering> = {
  inspect: { answer: inspect, tooDeep: () => ({ status: "unsound", problems: [TOO_DEEP] }) },
  apply: {
    answer: (source: SourceText, edits: readonly Edit[]) => apply(source, edits),
    tooDeep: () => ({ status: "refused", reason: TOO_DEEP.message }),
  },
  newTypeErrors: { answer: newTypeErrors, tooDeep: () => [TOO_DEEP] },
  literals: { answer: literals, tooDeep: () => [] },
  policyFindings: { answer: policyFindings, tooDeep: () => [TOO_DEEP] },
  instrument: {
    answer: instrument,
    tooDeep: ({ text, entry }) => ({
      program: { text, entry: entry ?? "", strict: false, takesCtx: false },
      sites: [],
    }),
  },
  enumerate: { answer: enumerate, tooDeep: () => [] },
  variants: { answer: variants, tooDeep: () => null },
  watchPatterns: { answer: watchPatterns, tooDeep: () => ({ program: NO_PROGRAM, sites: [] }) },
  patternHoles: {
    answer: (patterns: readonly PatternText[]) => patterns.map(holeTexts),
    tooDeep: (patterns) => (patterns as unknown as readonly PatternText[]).map(() => []),
  },
  patternChanges: {
    answer: (lessons: readonly Lesson[]) => lessons.map(patternChanges),
    tooDeep: (lessons) => (lessons as unknown as readonly Lesson[]).map(() => []),
  },
  syntaxRepairs: { answer: syntaxRepairs, tooDeep: () => [] },
  probe: { answer: probe, tooDeep: () => null },
  synthesise: { answer: synthesise, tooDeep: () => [] },
  driftEdits: { answer: driftEdits, tooDeep: () => [] },
};

/** Answers one request after the other; it ends with its owner, and on any error of its own. */
function serve({ id, verb, args }: EditorRequest): void {
  const reply: EditorReply = {
    id,
    value: answerTo(verb, args),
    rssBytes: process.memoryUsage.rss(),
  };
  process.send?.(reply);
}

function answerTo(verb: EditorVerb, args: readonly unknown[]): unknown {
  const { tooDeep } = VERBS[verb];
  const answer = answerFor(verb, args[0]);
  try {
    return answer(...(args as never[]));
  } catch (thrown) {
    // Depth cannot be told before the parser has gone down; everything else is a bug and ends us.
    // Node's own eraser of types reports its overflow as a broken assertion.
    if (!(thrown instanceof Error) || !/call stack/.test(thrown.message)) throw thrown;
    return tooDeep(args[0] as SourceText);
  }
}

/** What answers for a source: machines and prompts are no functions, and have answers of their own. */
function answerFor(verb: EditorVerb, source: unknown): Answering["answer"] {
  const language = typeof source === "object" && source !== null && "language" in source;
  switch (language ? source.language : null) {
    case "machine":
      return MACHINE_VERBS[verb] ?? VERBS[verb].answer;
    case "prompt":
      return PROMPT_VERBS[verb] ?? VERBS[verb].answer;
    case "definition":
      return DEFINITION_VERBS[verb] ?? VERBS[verb].answer;
    default:
      return VERBS[verb].answer;
  }
}

process.on("message", serve);
process.on("disconnect", () => process.exit());
