import type { Candidate, Proposal } from "../domain/candidate.ts";
import type { Diagnosis } from "../domain/incident.ts";
import { fileOf, type Skill } from "../domain/skill.ts";
import { spliceBetween } from "../domain/splice-between.ts";
import { unfitText } from "../domain/unfit-text.ts";
import type { Editor } from "../ports/editor.ts";

export type Patched =
  | { readonly status: "patched"; readonly candidate: Candidate; readonly patched: Skill }
  /** The edit cannot be made, or what it leaves behind is no skill. */
  | { readonly status: "refused"; readonly candidate: Candidate; readonly reason: string };

/** Proposal → candidate. The editor applies the edits; bytes outside them stay as they are. */
export async function patch(
  {
    proposal,
    skill,
    diagnosis,
    id,
  }: {
    readonly proposal: Proposal;
    readonly skill: Skill;
    readonly diagnosis: Diagnosis;
    readonly id: string;
  },
  { editor }: { readonly editor: Editor },
  signal: AbortSignal,
): Promise<Patched> {
  const { language, source, signature } = skill;
  const made = { ...proposal, id, incidentId: diagnosis.incidentId, skill: skill.name };
  if (proposal.edits.length === 0) {
    const candidate = { ...made, source, digest: "", size: 0 };
    return { status: "refused", candidate, reason: proposal.reason };
  }
  const before = { text: source, language, entry: signature.name };
  const edited = await editor.apply(before, proposal.edits, signal);
  if (edited.status === "refused") {
    const candidate = { ...made, source, digest: "", size: 0 };
    return { status: "refused", candidate, reason: edited.reason };
  }
  const { text } = edited;
  const unfit = unfitText(text);
  if (unfit !== null) {
    const candidate = { ...made, source, digest: "", size: 0 };
    return { status: "refused", candidate, reason: `the source ${unfit}` };
  }
  const size = sizeOf(source, text);
  const inspected = await editor.inspect({ ...before, text }, signal);
  if (inspected.status === "unsound") {
    const reason = inspected.problems
      .map(({ line, message }) => `line ${line}: ${message}`)
      .join("; ");
    return { status: "refused", candidate: { ...made, source: text, digest: "", size }, reason };
  }
  const { status: _, ...read } = inspected;
  const candidate: Candidate = { ...made, source: text, digest: read.digest, size };
  const files = { ...skill.files, [fileOf(skill)]: text };
  return { status: "patched", candidate, patched: { ...skill, ...read, source: text, files } };
}

/** Characters that a change takes away or puts in, whichever is more. */
function sizeOf(before: string, after: string): number {
  const { start, end, text } = spliceBetween(before, after);
  return Math.max(end - start, text.length);
}
