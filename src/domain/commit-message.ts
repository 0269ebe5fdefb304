import type { ModelOrigin } from "./candidate.ts";
import { statusOf, type Verification } from "./gate.ts";

/** What the history says of a release; `git log` alone answers what, why, how well and by whom. */
export type ReleaseFacts = {
  readonly skill: string;
  readonly reason: string;
  readonly summary: string;
  readonly incidentId: string;
  readonly failingCase: string;
  readonly rewardBefore: number;
  readonly rewardAfter: number;
  readonly proposer: string;
  readonly operator: string;
  /** Null where no language model wrote it. */
  readonly model: ModelOrigin | null;
  readonly verification: Verification;
  readonly evidenceDigest: string;
  readonly approvedBy: string | null;
};

/** The message of a release: subject, diagnosis, trailers (git interpret-trailers). */
export function releaseMessage(facts: ReleaseFacts): string {
  const gates = facts.verification.verdicts
    .map(({ gate, status }) => `${gate}=${status}`)
    .join(" ");
  const trailers = [
    `Hone-Incident: ${facts.incidentId}`,
    `Hone-Case: ${oneLine(facts.failingCase)}`,
    `Hone-Reward: ${facts.rewardBefore.toFixed(2)} -> ${facts.rewardAfter.toFixed(2)}`,
    `Hone-Proposer: ${facts.proposer}/${oneLine(facts.operator)}`,
    ...modelTrailers(facts.model),
    `Hone-Gates: ${gates}`,
    `Hone-Verdict: ${statusOf(facts.verification)}`,
    ...(facts.approvedBy === null ? [] : [`Hone-Approved-By: ${oneLine(facts.approvedBy)}`]),
    `Hone-Evidence: sha256:${facts.evidenceDigest}`,
  ];
  return `${subjectOf(facts.skill, facts.reason)}\n\n${wrapped(facts.summary)}\n\n${trailers.join("\n")}\n`;
}

/** The model as its server names it, and the digest of hone's prompts. */
function modelTrailers(model: ModelOrigin | null): readonly string[] {
  if (model === null) return ["Hone-Model: none"];
  const { name, prompt } = model;
  return [
    `Hone-Model: ${oneLine(name).slice(0, 200) || "unnamed"}`,
    `Hone-Prompt: sha256:${prompt}`,
  ];
}

/** The message of a rollback: one revert commit that names the one it takes back. */
export function rollbackMessage(facts: {
  readonly skill: string;
  readonly reverted: string;
  readonly subject: string;
  readonly restored: string;
  readonly reason: string;
  readonly by: string;
}): string {
  const trailers = [
    `Hone-Reverts: ${facts.reverted}`,
    `Hone-Restores: ${facts.restored}`,
    `Hone-Rollback-By: ${oneLine(facts.by)}`,
  ];
  return `${subjectOf(facts.skill, `roll back "${whatOf(facts)}"`)}\n\nThis reverts commit ${facts.reverted}.\n${wrapped(facts.reason)}\n\n${trailers.join("\n")}\n`;
}

/** The message of a retirement: the folder goes, the history names who let it go and why. */
export function retirementMessage(facts: {
  readonly skill: string;
  readonly version: string;
  readonly reason: string;
  readonly by: string;
}): string {
  const trailers = [`Hone-Retires: ${facts.version}`, `Hone-Retired-By: ${oneLine(facts.by)}`];
  const said = "The skill's folder is removed; `hone rollback` or `git revert` brings it back.";
  return `${subjectOf(facts.skill, `retired: ${facts.reason}`)}\n\n${wrapped(said)}\n\n${trailers.join("\n")}\n`;
}

/** What the reverted commit says it did, short enough to stand in quotes in a subject. */
function whatOf({ skill, subject }: { readonly skill: string; readonly subject: string }): string {
  const what = subject.startsWith(`skill(${skill}): `)
    ? subject.slice(`skill(${skill}): `.length)
    : subject;
  const room = MOST_SUBJECT - `skill(${skill}): roll back ""`.length;
  return what.length > room ? `${what.slice(0, Math.max(0, room - 3))}...` : what;
}

const MOST_SUBJECT = 100;

function subjectOf(skill: string, reason: string): string {
  const subject = `skill(${skill}): ${oneLine(reason)}`;
  return subject.length > MOST_SUBJECT ? `${subject.slice(0, MOST_SUBJECT - 3)}...` : subject;
}

/** Text from skills and servers must not forge a trailer or a second paragraph. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function wrapped(text: string): string {
  return oneLine(text)
    .slice(0, 1_000)
    .replace(/(?![^\n]{1,90}$)([^\n]{1,90})\s/g, "$1\n");
}
