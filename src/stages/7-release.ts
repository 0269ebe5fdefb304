import { isUnborn } from "../domain/birth.ts";
import type { Candidate } from "../domain/candidate.ts";
import type { Case } from "../domain/case.ts";
import { releaseMessage } from "../domain/commit-message.ts";
import { HoneError } from "../domain/errors.ts";
import { containerIn, type Verification } from "../domain/gate.ts";
import type { Diagnosis } from "../domain/incident.ts";
import { canonical, type Json } from "../domain/json.ts";
import type { Evidence, Release } from "../domain/release.ts";
import { fileOf, type Skill } from "../domain/skill.ts";
import { grownSuite } from "../domain/suite-text.ts";
import type { Repository } from "../ports/repository.ts";
import type { Store } from "../ports/store.ts";

export type ReleaseInput = {
  readonly skill: Skill;
  readonly patched: Skill;
  readonly candidate: Candidate;
  readonly verification: Verification;
  readonly diagnosis: Omit<Diagnosis, "judged">;
  readonly signature: string;
  /** Share of the visible cases that passed on the parent, in [0,1]. */
  readonly rewardBefore: number;
  /** The visible cases of the released version, the incident's among them, with what they need. */
  readonly suite: readonly Case[];
  /** The canonical outcome of each of them, by the case's name. */
  readonly outcomes: Readonly<Record<string, Json>>;
  readonly approvedBy: string | null;
};

export type ReleasePorts = {
  readonly repository: Repository;
  readonly store: Store;
  readonly now: () => number;
  readonly sha256: (text: string) => string;
  readonly tools: Readonly<Record<string, string>>;
};

/**
 * A candidate that passed → a commit that is the active version. The order survives a crash at any
 * instant: objects, then a durable pending row, then branch and evidence in one ref transaction,
 * then the row with its incident and candidate. Throws `refused` where a person has uncommitted work on the skill, `git-conflict`
 * (retryable) where the skill or the branch has moved meanwhile.
 */
export async function release(input: ReleaseInput, ports: ReleasePorts): Promise<Release> {
  const { repository, store } = ports;
  const folder = `skills/${input.skill.name}`;
  await refuseUncommitted(folder, repository);
  const parent = await repository.head();
  const previous = await versionBefore(input.skill, parent, repository);
  const changes = changesOf(input);
  const evidence = evidenceOf(input, { parent, changes }, ports);
  const message = messageOf(input, ports.sha256(canonical(evidence)));
  const files = Object.fromEntries(
    Object.entries(changes).map(([file, text]) => [`${folder}/${file}`, text]),
  );
  const prepared = await repository.prepare(parent, files, message);
  const made: Release = {
    commit: prepared.commit,
    skill: input.skill.name,
    previous,
    incidentId: input.diagnosis.incidentId,
    candidateId: input.candidate.id,
    reverts: null,
    state: "pending",
    releasedAt: ports.now(),
    reason: input.candidate.reason,
  };
  store.addPendingRelease({ ...made, evidence });
  try {
    await repository.advance(prepared, evidence);
  } catch (error) {
    // git may have been ended after it had moved the branch: what stands, stands.
    if ((await repository.head()) !== prepared.commit) {
      store.setRelease(prepared.commit, "aborted", "the branch could not be moved");
      throw error;
    }
  }
  store.promote(prepared.commit);
  return { ...made, state: "watching" };
}

/**
 * The version that is replaced; of a skill that is born, the commit in which it was not there yet.
 * Throws `git-conflict` where the folder is not as it was when the work began.
 */
async function versionBefore(
  skill: Skill,
  parent: string,
  repository: Repository,
): Promise<string> {
  const folder = `skills/${skill.name}`;
  const isNew = isUnborn(skill);
  const isThere = (await repository.files(parent, folder)).length > 0;
  const previous = isNew ? parent : await repository.lastChange(parent, folder);
  if (isNew ? !isThere : previous === skill.version) return previous;
  throw new HoneError("git-conflict", `${skill.name} changed while it was worked on`, {
    hint: "hone starts again from the new version.",
    retryable: true,
  });
}

async function refuseUncommitted(folder: string, repository: Repository): Promise<void> {
  const dirty = await repository.uncommitted(folder);
  if (dirty.length === 0) return;
  throw new HoneError("refused", `${dirty.join(", ")} has changes that are not committed`, {
    hint: "Commit or undo them; hone does not release over a person's work.",
  });
}

/**
 * The new source, and the minimal failing case as one more line of the regression suite; all files
 * of a skill that is born.
 */
function changesOf({ skill, patched, candidate, suite }: ReleaseInput): Record<string, string> {
  if (isUnborn(skill)) return { ...patched.files, "cases.jsonl": grownSuite("", [], suite) };
  // Requests for a tool are a suite of their own, and people write it.
  if (skill.language === "definition") return { [fileOf(skill)]: candidate.source };
  const cases = grownSuite(skill.files["cases.jsonl"] ?? "", skill.cases, suite);
  return { [fileOf(skill)]: candidate.source, "cases.jsonl": cases };
}

function evidenceOf(
  input: ReleaseInput,
  {
    parent,
    changes,
  }: { readonly parent: string; readonly changes: Readonly<Record<string, string>> },
  { sha256, tools }: ReleasePorts,
): Evidence {
  const { skill, candidate, verification, diagnosis } = input;
  const digests = (files: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [file, sha256(text)]));
  return {
    schemaVersion: 1,
    skill: skill.name,
    parent,
    before: digests(skill.files),
    after: digests({ ...skill.files, ...changes }),
    incident: {
      signature: input.signature,
      failureClass: diagnosis.failureClass,
      summary: diagnosis.summary,
    },
    origin: candidate.origin,
    reason: candidate.reason,
    rewardBefore: input.rewardBefore,
    rewardAfter: verification.reward,
    verdicts: verification.verdicts.map(({ gate, status, reason }) => ({ gate, status, reason })),
    outcomes: input.outcomes,
    failingCase: diagnosis.failing.case,
    approvedBy: input.approvedBy,
    ...containerIn(verification),
    tools,
  };
}

function messageOf(input: ReleaseInput, evidenceDigest: string): string {
  const { candidate, verification, diagnosis } = input;
  return releaseMessage({
    skill: input.skill.name,
    reason: candidate.reason,
    summary: diagnosis.summary,
    incidentId: diagnosis.incidentId,
    failingCase: diagnosis.failing.case.name,
    rewardBefore: input.rewardBefore,
    rewardAfter: verification.reward,
    proposer: candidate.origin.proposer,
    operator: candidate.origin.operator,
    model: candidate.origin.model ?? null,
    verification,
    evidenceDigest,
    approvedBy: input.approvedBy,
  });
}
