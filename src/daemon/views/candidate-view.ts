import type { Candidate } from "../../domain/candidate.ts";
import { capabilityDiff } from "../../domain/capability-diff.ts";
import { HoneError } from "../../domain/errors.ts";
import { waitsFor } from "../../domain/gate.ts";
import type { JsonObject } from "../../domain/json.ts";
import { fileOf, type Skill } from "../../domain/skill.ts";
import type { House } from "../../ports/house.ts";
import type { CandidateRecord } from "../../ports/store.ts";
import { gatedRow } from "./incident-view.ts";

/**
 * A candidate whole: its source and that of the version it was made from, what each gate said, and
 * what it may reach that the version before may not.
 */
export async function candidateView(id: string, house: House): Promise<JsonObject> {
  const record = house.store.candidate(id);
  if (record === null) {
    throw new HoneError("not-found", `there is no candidate ${id}`, {
      hint: "`hone why` of an incident lists its candidates.",
    });
  }
  const { candidate, groupId, verification } = record;
  const parent = await parentOf(record, house);
  const file = fileIn(candidate, parent, house);
  return {
    schemaVersion: 1,
    ...gatedRow(record),
    skill: candidate.skill,
    incident: candidate.incidentId,
    group: groupId,
    waitsFor: waitsFor(verification),
    file,
    parent: parent?.version ?? null,
    parentSource: parent?.files[file] ?? null,
    source: candidate.source,
    capabilities: await reachOf({ candidate, parent, file }, house),
  };
}

/** The version that was active when the group worked; null where there was none, or it is lost. */
async function parentOf(
  { candidate: { skill, incidentId }, groupId }: CandidateRecord,
  { store, repository, library }: House,
): Promise<Skill | null> {
  const at = store.groups(incidentId).find(({ id }) => id === groupId)?.at ?? 0;
  const commits = await repository.history(`skills/${skill}`, 100).catch(() => []);
  // Git counts in seconds; a release that came of this group may be of the same one.
  const before = commits.find((made) => (store.release(made.commit)?.releasedAt ?? made.at) <= at);
  const version = before?.commit ?? store.incident(incidentId)?.version;
  return version === undefined ? null : await library.at(skill, version).catch(() => null);
}

/** Reflection on what a tool says of itself changes SKILL.md, every other one the skill's source. */
function fileIn({ incidentId }: Candidate, parent: Skill | null, { store }: House): string {
  const isDefinition = store.incident(incidentId)?.failureClass === "tool-misused";
  return isDefinition ? "SKILL.md" : fileOf(parent ?? { language: "ts" });
}

/** In a few words each; null where one of the two cannot be read. */
async function reachOf(
  {
    candidate: { skill, source },
    parent,
    file,
  }: { readonly candidate: Candidate; readonly parent: Skill | null; readonly file: string },
  { library }: House,
): Promise<readonly string[] | null> {
  if (parent === null) return null;
  const drafted = await library.draft(skill, { ...parent.files, [file]: source });
  return drafted.status === "sound" ? capabilityDiff(parent, drafted.skill) : null;
}
