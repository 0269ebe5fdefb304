import { HoneError } from "../../domain/errors.ts";
import { waitsFor } from "../../domain/gate.ts";
import { wilson } from "../../domain/interval.ts";
import { canonical, type Json, type JsonObject } from "../../domain/json.ts";
import type { Evidence } from "../../domain/release.ts";
import { isWords, type Skill } from "../../domain/skill.ts";
import { examine } from "../../examine/examine.ts";
import type { House } from "../../ports/house.ts";
import type { Operations } from "../../ports/operations.ts";
import type { CommitInfo } from "../../ports/repository.ts";
import type { VersionStats } from "../../ports/store.ts";
import type { Sandbox } from "../../ports/sandbox.ts";
import { canariesIn } from "../live/canaries.ts";
import { candidateRow } from "./candidate-row.ts";
import { explainedIncident, isIncidentId, recentIncidents } from "./incident-history.ts";
import { waitingCandidates } from "./waiting.ts";
import type { Workspace } from "../workspace.ts";

type History = Pick<Operations, "log" | "diff" | "why" | "verify">;

/** The operations that read the history: git is the audit log, these are views of it. */
export function historyOf({ house, signal }: Workspace): History {
  return {
    async log({ skill }) {
      const commits = await commitsOf(skill, house);
      const stats = new Map(house.store.versionStats(skill).map((one) => [one.version, one]));
      const canaries = await canariesIn(house, skill);
      const versions = commits.map((info) => ({
        commit: info.commit,
        at: info.at,
        author: info.author,
        subject: info.subject,
        state:
          house.store.release(info.commit)?.state ?? (isRelease(info) ? "kept" : "by a person"),
        share: canaries.find(({ commit }) => commit === info.commit)?.share ?? null,
        reward: info.trailers["Hone-Reward"] ?? null,
        ...rewardOf(stats.get(info.commit)),
      }));
      return { schemaVersion: 1, skill, versions };
    },
    async diff({ skill, from, to }) {
      const [newest, before] = await commitsOf(skill, house);
      if (newest === undefined) throw noHistory(skill);
      const start = from ?? before?.commit ?? newest.commit;
      const end = to ?? newest.commit;
      const diff = await house.repository.diff(start, end, `skills/${skill}`);
      return { schemaVersion: 1, skill, from: start, to: end, diff };
    },
    async why({ skill }) {
      if (isIncidentId(skill)) return explainedIncident(skill, house);
      const commits = await commitsOf(skill, house);
      const made = commits.find(isRelease);
      const now = { waiting: waitingFor(skill, house), incidents: recentIncidents(skill, house) };
      if (made === undefined) {
        const note = "hone has not changed this skill";
        const version = commits[0]?.commit ?? null;
        return { schemaVersion: 1, skill, version, note, ...now };
      }
      return { schemaVersion: 1, skill, ...(await explained(made, house)), ...now };
    },
    async verify({ commit }) {
      return await verified(commit, house, signal);
    },
  };
}

/** Live rewards of a version, with the interval in which their mean lies. */
function rewardOf(stats: VersionStats | undefined): JsonObject {
  const { runs = 0, scored = 0, meanReward = null } = stats ?? {};
  const interval = wilson(meanReward, scored);
  return { runs, scored, meanReward, interval: interval === null ? null : { ...interval } };
}

/** Candidates of a skill that wait for a person, the surest first: what each changes, why it waits, and its source. */
function waitingFor(skill: string, { store }: House): JsonObject[] {
  return waitingCandidates(store, skill).map(({ candidate, verification }) => ({
    candidate: candidate.id,
    change: candidate.reason,
    confidence: candidate.confidence ?? null,
    reason: waitsFor(verification),
    source: candidate.source,
  }));
}

async function commitsOf(skill: string, house: House): Promise<readonly CommitInfo[]> {
  const commits = await house.repository.history(`skills/${skill}`, 100);
  if (commits.length === 0) throw noHistory(skill);
  return commits;
}

function noHistory(skill: string): HoneError {
  return new HoneError("not-found", `there is no history of a skill named ${skill}`, {
    hint: "`hone skills ls` lists the skills.",
  });
}

function isRelease({ trailers }: CommitInfo): boolean {
  return Object.keys(trailers).some((name) => name.startsWith("Hone-"));
}

/** From git alone where the ledger is gone; the group comes from the ledger where it is there. */
async function explained(info: CommitInfo, house: House): Promise<JsonObject> {
  const text = await house.repository.evidence(info.commit);
  const evidence = text === null ? null : (JSON.parse(text) as Evidence);
  const incident = info.trailers["Hone-Incident"] ?? null;
  const [group] = incident === null ? [] : house.store.groups(incident);
  const candidates =
    group === undefined ? [] : house.store.candidates({ groupId: group.id, limit: 50 });
  const failing = evidence?.failingCase ?? null;
  return {
    commit: info.commit,
    at: info.at,
    subject: info.subject,
    because: info.body,
    trailers: info.trailers,
    incident,
    failingCase: failing === null ? null : { ...failing, args: failing.args },
    suspicious:
      group?.diagnosis.suspicions.slice(0, 3).map(({ line, score }) => ({ line, score })) ?? [],
    programsTried: group?.tried ?? null,
    verdicts: evidence?.verdicts ?? [],
    candidates: candidates.map(candidateRow),
  };
}

/** Re-runs a release's evidence from git alone: the same files, the same outcomes, the same digest. */
async function verified(commit: string, house: House, signal: AbortSignal): Promise<JsonObject> {
  const info = await house.repository.info(commit);
  const text = await house.repository.evidence(info.commit);
  if (text === null) {
    throw new HoneError("not-found", `commit ${commit} carries no evidence`, {
      hint: "Only releases made by hone do; `hone log <skill>` lists them.",
    });
  }
  const evidence = JSON.parse(text) as Evidence;
  const differences: JsonObject[] = [];
  const tiers: JsonObject[] = [];
  const compare = (what: string, expected: Json, actual: Json): void => {
    if (canonical(expected) !== canonical(actual)) differences.push({ what, expected, actual });
  };
  const digest = house.sha256(canonical(evidence));
  compare("evidence digest", info.trailers["Hone-Evidence"] ?? null, `sha256:${digest}`);
  compare("parent", evidence.parent, info.parents[0] ?? null);
  compare("files before", evidence.before, await digestsAt(evidence.parent, evidence.skill, house));
  compare("files after", evidence.after, await digestsAt(info.commit, evidence.skill, house));
  const skill = await provenIn(evidence, info.commit, house, signal);
  if (skill === null) compare("skill", "loads", "cannot be loaded");
  else {
    const ports = { ...house, unrecorded: "closed" as const };
    for (const [tier, sandbox] of await tiersFor(skill, house)) {
      const { judged } = await examine(
        { skill, cases: skill.cases },
        { ...ports, sandbox },
        signal,
      );
      const outcomes = Object.fromEntries(
        judged.map(({ case: of, outcome }) => [of.name, canonical(outcome)]),
      );
      for (const [name, seen] of Object.entries(outcomes)) {
        compare(`case "${name}" (${tier})`, evidence.outcomes[name] ?? null, seen);
      }
      tiers.push({
        tier,
        cases: judged.length,
        outcomes: `sha256:${house.sha256(canonical(outcomes))}`,
      });
    }
  }
  const result = differences.length === 0 ? "same" : "different";
  return {
    schemaVersion: 1,
    commit: info.commit,
    skill: evidence.skill,
    result,
    digest,
    tiers,
    differences,
  };
}

/** What a release is about, as it was then: the skill, or what it says of itself. */
async function provenIn(
  { skill: name, before, after }: Evidence,
  commit: string,
  { library, definition }: House,
  signal: AbortSignal,
): Promise<Skill | null> {
  const skill = await library.at(name, commit);
  const isReworded = before["SKILL.md"] !== undefined && before["SKILL.md"] !== after["SKILL.md"];
  return skill !== null && isReworded ? await definition(skill, signal) : skill;
}

/** Words have no code of their own: there is one wall around hone's text. */
async function tiersFor(
  skill: Skill,
  house: House,
): Promise<readonly (readonly [string, House["sandbox"]])[]> {
  return isWords(skill) ? [["isolate", house.sandbox]] : await tiersOf(house);
}

/** Every wall that there is now, the container's only where an engine answers or one is required. */
async function tiersOf({
  sandbox,
  containers,
}: House): Promise<readonly (readonly [string, Sandbox])[]> {
  const isolate = ["isolate", sandbox] as const;
  if (containers === null) return [isolate];
  const isThere = containers.mode === "required" || (await containers.state()).status === "ready";
  return isThere ? [isolate, ["docker", containers.sandbox]] : [isolate];
}

/** Of the files that are text, as in `Skill.files`: what else is in the folder no release changes. */
async function digestsAt(commit: string, skill: string, house: House): Promise<JsonObject> {
  const folder = `skills/${skill}`;
  const entries: [string, string][] = [];
  for (const { path, blob } of await house.repository.files(commit, folder)) {
    const text = await house.repository.textOrNull(blob);
    if (text !== null) entries.push([path.slice(folder.length + 1), house.sha256(text)]);
  }
  return Object.fromEntries(entries);
}
