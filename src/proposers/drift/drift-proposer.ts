import type { Edit } from "../../domain/candidate.ts";
import type { DriftEvidence } from "../../domain/drift.ts";
import type { JudgedCase } from "../../domain/incident.ts";
import { isInfrastructureFault } from "../../domain/trace.ts";
import { examine, type ExaminePorts } from "../../examine/examine.ts";
import type { Editor, SourceText } from "../../ports/editor.ts";
import type { Proposer, ProposalNews, ProposalRequest } from "../../ports/proposer.ts";
import { evidenceOf, hasEvidence } from "./evidence.ts";

export type DriftPorts = ExaminePorts & {
  readonly editor: Editor;
  /** Milliseconds of some steady clock. */
  readonly now?: () => number;
};

/** A source on the way to a repair, with what its own runs told. */
type Draft = {
  readonly text: string;
  /** The edits of the last step; they make the whole repair where it was the only one. */
  readonly edits: readonly Edit[];
  readonly reasons: readonly string[];
  readonly operators: readonly string[];
  readonly evidence: DriftEvidence;
};

/** Vendors change several things at once: a path, a name in the answer, the rate. */
const MOST_STEPS = 3;
const MOST_DRAFTS = 4;
const MOST_PROPOSALS = 6;

/**
 * Repairs what vendors do to tools, from recorded exchanges only. Each repair is tried on the
 * visible cases; one that does not pass, but brings answers that nobody had seen, is repaired
 * further from those. Proposes what passes, in the order of its evidence.
 */
export function createDriftProposer(ports: DriftPorts): Proposer {
  return { name: "drift", propose: (request, signal) => drift(request, ports, signal) };
}

async function* drift(
  request: ProposalRequest,
  ports: DriftPorts,
  signal: AbortSignal,
): AsyncGenerator<ProposalNews> {
  const { skill, diagnosis, seed } = request;
  if (!hasEvidence(diagnosis)) return;
  const { now = () => performance.now() } = ports;
  const endsAt = now() + request.budgetMs;
  const evidence = evidenceOf(skill, diagnosis.judged);
  let drafts: Draft[] = [{ text: skill.source, edits: [], reasons: [], operators: [], evidence }];
  const seen = new Set([skill.source]);
  let proposals = 0;
  for (let step = 0; step < MOST_STEPS && drafts.length > 0; step += 1) {
    const further: Draft[] = [];
    for (const draft of drafts) {
      for (const next of await nextDrafts(draft, request, ports.editor, signal)) {
        if (now() >= endsAt || proposals >= MOST_PROPOSALS) return;
        if (seen.has(next.text)) continue;
        seen.add(next.text);
        const judged = await tryOut(next.text, request, ports, signal);
        yield { kind: "tried", programs: 1 };
        if (judged === null) continue;
        if (judged.every(({ passed }) => passed)) {
          proposals += 1;
          yield { kind: "proposal", proposal: proposalOf(next, seed) };
        } else if (isNews(judged, diagnosis.judged)) {
          further.push({ ...next, evidence: evidenceOf(skill, judged) });
        }
      }
    }
    if (proposals > 0) return;
    drafts = further.slice(0, MOST_DRAFTS);
  }
}

async function nextDrafts(
  draft: Draft,
  { skill }: ProposalRequest,
  editor: Editor,
  signal: AbortSignal,
): Promise<Draft[]> {
  const source = sourceOf(draft.text, skill);
  const drafts: Draft[] = [];
  for (const { edits, operator, reason } of await editor.driftEdits(
    source,
    draft.evidence,
    signal,
  )) {
    const edited = await editor.apply(source, edits, signal);
    if (edited.status === "refused") continue;
    const { text } = edited;
    const reasons = [...draft.reasons, reason];
    drafts.push({ ...draft, text, edits, reasons, operators: [...draft.operators, operator] });
  }
  return drafts;
}

/** All visible cases on a draft; null where it is no sound source. */
async function tryOut(
  text: string,
  { skill, diagnosis }: ProposalRequest,
  ports: DriftPorts,
  signal: AbortSignal,
): Promise<readonly JudgedCase[] | null> {
  const inspection = await ports.editor.inspect(sourceOf(text, skill), signal);
  if (inspection.status === "unsound") return null;
  const cases = diagnosis.judged.map((judged) => judged.case);
  const { program } = inspection;
  return (await examine({ skill, cases, program }, ports, signal)).judged;
}

/** Whether a draft got further than the faulty version: other answers, or more cases that pass. */
function isNews(judged: readonly JudgedCase[], before: readonly JudgedCase[]): boolean {
  if (judged.some(({ trace }) => isInfrastructureFault(trace))) return false;
  if (passing(judged) > passing(before)) return true;
  return judged.some(({ trace }, at) => exchanged(trace) !== exchanged(before[at]?.trace));
}

function passing(judged: readonly JudgedCase[]): number {
  return judged.filter(({ passed }) => passed).length;
}

function exchanged(trace: JudgedCase["trace"] | undefined): string {
  return JSON.stringify(trace?.steps.map(({ answers }) => answers) ?? []);
}

function sourceOf(text: string, { language, signature }: ProposalRequest["skill"]): SourceText {
  return { text, language, entry: signature.name };
}

function proposalOf(draft: Draft, seed: number): (ProposalNews & { kind: "proposal" })["proposal"] {
  const isSingle = draft.operators.length === 1;
  const edits: readonly Edit[] = isSingle
    ? draft.edits
    : [{ op: "replace", target: "*", code: draft.text }];
  const operator = draft.operators.join("+");
  return {
    edits,
    origin: { proposer: "drift", operator, seed, parent: null },
    reason: draft.reasons.join("; "),
  };
}
