import type { Case } from "../domain/case.ts";
import { DEFAULT_REWARD } from "../domain/reward.ts";
import { DEFAULT_LIMITS, fileOf, type Manifest, type Skill } from "../domain/skill.ts";
import type { Editor, Inspection, SourceText } from "../ports/editor.ts";
import type { Subject } from "./suites.ts";

/** The parts of a subject that a repair may know: its held-out tests are not among them. */
export type Known = Omit<Subject, "heldOut" | "fixed" | "buggy">;

/**
 * A subject's source as a skill with the visible cases only, or the reasons why it is none. Every
 * run is bounded tightly, since suites are full of endless loops.
 */
export async function skillOf(
  known: Known,
  source: string,
  editor: Editor,
  signal: AbortSignal,
): Promise<Skill | readonly string[]> {
  const { entry, language, visible } = known;
  const text = { text: source, language, entry };
  const inspected = await editor.inspect(text, signal);
  const sound =
    inspected.status === "sound" ? inspected : await contractOfUnread(text, editor, signal);
  if (sound === null) return problemsOf(inspected);
  const { status: _, ...contract } = sound;
  return {
    ...contract,
    name: entry,
    version: "suite",
    description: entry,
    manifest: manifestOf(known),
    language,
    source,
    cases: visible,
    files: { [fileOf({ language })]: source },
  };
}

function problemsOf(inspection: Inspection): readonly string[] {
  const problems = inspection.status === "unsound" ? inspection.problems : [];
  return problems.map(({ line, message }) => `line ${line}: ${message}`);
}

/**
 * What a source that cannot be read most likely has as its contract; its program is itself, which
 * cannot be loaded: every case fails on it, and a repair starts from there.
 */
async function contractOfUnread(
  source: SourceText,
  editor: Editor,
  signal: AbortSignal,
): Promise<Extract<Inspection, { status: "sound" }> | null> {
  const [likeliest] = await editor.syntaxRepairs(source, 1, signal);
  if (likeliest === undefined) return null;
  const read = await editor.inspect({ ...source, text: likeliest.text }, signal);
  if (read.status === "unsound") return null;
  const { text } = source;
  return { ...read, program: { ...read.program, text }, digest: `unread: ${text}` };
}

function manifestOf({ world }: Known): Manifest {
  return {
    kind: "function",
    capabilities: world.fetch === undefined ? {} : { fetch: ["*"] },
    reward: DEFAULT_REWARD,
    limits: { ...DEFAULT_LIMITS, timeoutMs: 1_000 },
    review: "critical",
  };
}

/** A case to start from: the first visible one that fails. */
export function firstFailing(
  judged: readonly { readonly case: Case; readonly passed: boolean }[],
): Case | null {
  return judged.find(({ passed }) => !passed)?.case ?? null;
}
