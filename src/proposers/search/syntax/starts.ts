import type { JudgedCase } from "../../../domain/incident.ts";
import { canonical } from "../../../domain/json.ts";
import { classify } from "../../../domain/judge.ts";
import { localise } from "../../../domain/localise.ts";
import { fileOf, type Skill } from "../../../domain/skill.ts";
import { examine } from "../../../examine/examine.ts";
import { examineInBrief } from "../../../examine/in-brief.ts";
import type { SyntaxRepair } from "../../../ports/editor.ts";
import type { ProposalRequest } from "../../../ports/proposer.ts";
import { closeness } from "../closeness.ts";
import { limitsOf } from "../trial.ts";
import type { ParsePorts } from "./parsed-first.ts";

/** What one unit of cost weighs against one case that passes, in cases. */
const PER_COST = 0.1;

/** A readable text with what becomes of the visible cases in it. */
export type Start = {
  readonly repair: SyntaxRepair;
  readonly judged: readonly JudgedCase[];
  readonly isPassing: boolean;
};

type Trying = {
  readonly request: ProposalRequest;
  readonly ports: ParsePorts;
  readonly until: number;
};

/** Readable texts, the one that comes nearest to what is expected first; of one behaviour, the likeliest. */
export async function startsFrom(
  repairs: readonly SyntaxRepair[],
  { request, ports, until }: Trying,
  signal: AbortSignal,
): Promise<readonly Start[]> {
  const starts: Start[] = [];
  for (let at = 0; at < repairs.length; at += ports.parallel) {
    if (at > 0 && ports.now() >= until) break;
    const some = repairs.slice(at, at + ports.parallel);
    starts.push(...(await Promise.all(some.map((one) => startOf(one, request, ports, signal)))));
  }
  const first = new Set<string>();
  const isTwin = ({ judged, isPassing }: Start): boolean => {
    const key = canonical(judged.map(({ outcome }) => behaviourOf(outcome)));
    const isKnown = first.has(key);
    first.add(key);
    return isKnown && !isPassing;
  };
  const ordered = starts.toSorted((a, b) => worthOf(b) - worthOf(a));
  const twins = new Set(ordered.filter(isTwin));
  return [...ordered.filter((one) => !twins.has(one)), ...twins];
}

function behaviourOf(outcome: JudgedCase["outcome"]): string {
  if (outcome.status === "returned") return canonical(outcome.value);
  return "error" in outcome ? outcome.error.message : outcome.status;
}

function worthOf({ repair, judged }: Start): number {
  const near = judged.reduce((sum, one) => sum + closeness(one.outcome, one.case), 0);
  return near - repair.cost * PER_COST;
}

async function startOf(
  repair: SyntaxRepair,
  { skill, diagnosis }: ProposalRequest,
  ports: ParsePorts,
  signal: AbortSignal,
): Promise<Start> {
  const limits = limitsOf(skill.manifest.limits, []);
  const brief = { ...skill, manifest: { ...skill.manifest, limits } };
  const cases = diagnosis.judged.map((one) => one.case);
  const asked = { skill: brief, cases, program: repair.program, unconfirmed: true };
  const { judged } = await examine(asked, { ...ports, unrecorded: "closed" }, signal);
  return { repair, judged, isPassing: judged.every(({ passed }) => passed) };
}

/** What the ordinary search is asked from a readable text; null where nothing fails there. */
export async function requestFrom(
  { repair }: Start,
  request: ProposalRequest,
  ports: ParsePorts,
  signal: AbortSignal,
): Promise<ProposalRequest | null> {
  const skill = readableSkill(request.skill, repair);
  const source = { text: repair.text, language: skill.language, entry: skill.signature.name };
  const { program, sites } = await ports.editor.instrument(source, signal);
  const { failing: before } = request.diagnosis;
  const cases = request.diagnosis.judged.map((one) => one.case);
  const closed = { ...ports, unrecorded: "closed" as const };
  const { judged } = await examineInBrief({ skill, cases }, closed, signal);
  const failing = judged.filter(({ passed }) => !passed);
  const first = failing.find((one) => one.case.name === before.case.name) ?? failing[0];
  if (first === undefined) return null;
  const isEndless = judged.some(({ outcome }) => outcome.status === "timed-out");
  const asked = { skill, cases, program, witness: true, isEndless };
  const { hits } = await examineInBrief(asked, closed, signal);
  const coverages = judged.map(({ passed, outcome }, at) => ({
    passed,
    outcome,
    hits: hits[at] ?? [],
  }));
  const diagnosis = {
    ...request.diagnosis,
    failureClass: classify(first.trace, first.case.expectation),
    failing: first,
    judged,
    suspicions: localise(sites, coverages),
  };
  return { ...request, skill, diagnosis };
}

function readableSkill(skill: Skill, { text, program }: SyntaxRepair): Skill {
  return { ...skill, source: text, program, files: { ...skill.files, [fileOf(skill)]: text } };
}
