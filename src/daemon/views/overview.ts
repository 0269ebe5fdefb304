import { waitsFor } from "../../domain/gate.ts";
import {
  INCIDENT_STATES,
  nextTryAt,
  PAUSED_AFTER,
  type Incident,
  type IncidentState,
} from "../../domain/incident.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Loaded } from "../../ports/library.ts";
import type { House } from "../../ports/house.ts";
import type { Operations } from "../../ports/operations.ts";
import { pinOf, pinsIn } from "../../pins.ts";
import { inProbation } from "../../tenure.ts";
import { canariesIn } from "../live/canaries.ts";
import { probationsIn, retirementsIn } from "../repairs/endings.ts";
import { followProblems } from "../follow.ts";
import { modelIn } from "../model/model-state.ts";
import { safeModeProblems, servedInstead } from "../life/safe-mode.ts";
import { pauseIn } from "../model/spending.ts";
import { waitingCandidates } from "./waiting.ts";
import type { Workspace } from "../workspace.ts";

type Overview = Pick<Operations, "skills" | "skill" | "status" | "incidents">;

const ENDED: readonly IncidentState[] = ["repaired", "closed", "invalid-task"];

/** The operations that show how things stand. */
export function overviewOf({ house, dir, config, signal, mode }: Workspace): Overview {
  return {
    async skills() {
      const loaded = await house.library.loadAll(await house.repository.head());
      const folders = (await house.repository.uncommitted("skills")).map(folderOf);
      return {
        schemaVersion: 1,
        skills: loaded.map((one) => rowOf(one, house)),
        uncommitted: [...new Set(folders)],
        problems: followProblems(house.store),
      };
    },
    async skill({ name }) {
      const skill = await house.library.active(name);
      const { version, description, manifest, inputSchema, outputSchema, source, cases } = skill;
      const stats = house.store.versionStats(name);
      return {
        schemaVersion: 1,
        name,
        version,
        description,
        manifest,
        inputSchema,
        outputSchema,
        cases: cases.map((one) => ({
          name: one.name,
          args: one.args,
          expectation: one.expectation,
        })),
        versions: stats,
        pinned: pinOf(name, house.store)?.version ?? null,
        uncommitted: await house.repository.uncommitted(`skills/${name}`),
        source,
      };
    },
    async incidents({ skill, all }) {
      const states = INCIDENT_STATES.filter((state) => all === true || !ENDED.includes(state));
      const found = house.store.incidents({
        ...(skill === undefined ? {} : { skill }),
        states,
        limit: 200,
      });
      const now = house.now();
      const incidents = found.map((one) => ({
        ...one,
        nextAt: nextTryAt(one, now),
        claims: house.store.claims({ incident: one.id }).length,
      }));
      return { schemaVersion: 1, incidents };
    },
    status: async () => await statusOf({ house, dir, config, signal, mode }),
  };
}

async function statusOf({
  house,
  dir,
  config,
  signal,
  mode,
}: Pick<Workspace, "house" | "dir" | "config" | "signal" | "mode">): Promise<JsonObject> {
  const { store, repository } = house;
  const head = await repository.head();
  const followed = await repository.followed();
  const { unscored, badReward } = store.countUnscored();
  const open = store.incidents({
    states: ["open", "improving", "no-change", "waiting-approval", "gave-up", "claimed"],
    limit: 200,
  });
  const releases = store.releases({ limit: 10 });
  return {
    schemaVersion: 1,
    workspace: dir,
    mode: mode.current === null ? "normal" : "safe",
    servedInstead: servedInstead(mode, store),
    head,
    followed: followed === null ? null : { ...followed },
    publish: config.publish,
    publication: publicationOf(store),
    ...(await containersIn(house)),
    ...(await modelIn(house.model, signal)),
    tasks: store.countTasks(),
    unscored,
    badReward,
    openIncidents: open.length,
    problems: [...safeModeProblems(mode), ...problemsOf(house)],
    incidents: open.slice(0, 20).map((one) => incidentRow(one, house.now())),
    probation: await probationsIn(house),
    retirement: await retirementsIn(house),
    pins: Object.entries(pinsIn(store)).map(([skill, pin]) => ({ skill, ...pin })),
    canaries: await canariesIn(house),
    alarms: store.alarms({}).map((alarm) => ({ ...alarm })),
    waiting: waitingCandidates(store).map(({ candidate, verification }) => ({
      candidate: candidate.id,
      skill: candidate.skill,
      change: candidate.reason,
      confidence: candidate.confidence ?? null,
      reason: waitsFor(verification),
    })),
    releases: releases.map(({ commit, skill, state, incidentId, reverts, releasedAt, reason }) => ({
      commit,
      skill,
      state,
      incident: incidentId,
      reverts,
      releasedAt,
      reason,
    })),
  };
}

/** The skill whose folder a path is in. */
function folderOf(path: string): string {
  return path.split("/")[1] ?? path;
}

/** What became of the last publication; there is nothing up to date about a commit that is refused. */
function publicationOf(store: House["store"]): string {
  const said = store.note("publication") ?? "";
  const isRefused = said === "up-to-date" && (store.note("refused-commit") ?? "") !== "";
  return isRefused ? "nothing to bring while a newer commit of yours is refused" : said;
}

function incidentRow(incident: Incident, now: number): JsonObject {
  const { id, skill, state, failureClass, runs, rejections, note } = incident;
  const nextAt = nextTryAt(incident, now);
  return { id, skill, state, failureClass, runs, rejections, nextAt, note };
}

/** The second wall as it is now: off, ready, or why there is none. */
async function containersIn({ containers }: House): Promise<JsonObject> {
  if (containers === null) return { docker: "off" };
  const state = await containers.state();
  return state.status === "ready"
    ? { docker: "ready", engine: state.engine, image: state.image }
    : { docker: "unavailable", engine: state.reason, image: "" };
}

/** What a person should know about, as sentences; kept in the ledger until it is over. */
function problemsOf({ store, troubles, now }: House): readonly string[] {
  const rebuilt = store.note("ledger-rebuilt") ?? "";
  const pause = pauseIn(store);
  const paused = store
    .incidents({ states: ["open", "no-change"], limit: 200 })
    .filter(({ rejections }) => rejections >= PAUSED_AFTER)
    .filter((one) => one.state === "no-change" || nextTryAt(one, now()) !== null)
    .map((incident) => pausedText(incident, now()));
  const stuck = store
    .releases({ states: ["watching"], limit: 50 })
    .flatMap(({ commit: made, skill }) => {
      const why = store.note(`stuck-rollback/${made}`) ?? "";
      return why === ""
        ? []
        : [`release ${made} of ${skill} did worse and could not be taken back: ${why}`];
    });
  return [
    ...followProblems(store),
    ...troubles(),
    ...(rebuilt === "" ? [] : [rebuilt]),
    ...(pause === null ? [] : [`repairs are paused by ${pause}; \`hone resume\` lets them go on`]),
    ...stuck,
    ...paused,
  ];
}

function pausedText(incident: Incident, now: number): string {
  const { skill, id, rejections } = incident;
  const nextAt = nextTryAt(incident, now);
  const until = nextAt === null ? "" : `, until ${new Date(nextAt).toISOString()}`;
  return `${skill} is paused for incident ${id} after ${rejections} refused groups${until}; \`hone improve ${skill}\` tries now`;
}

function rowOf(one: Loaded, house: House): JsonObject {
  const { store } = house;
  if (one.status === "unsound") {
    return { name: one.name, problems: one.problems, description: "cannot be loaded" };
  }
  const { name, version, description, cases, manifest } = one.skill;
  const stats = store.versionStats(name).find((each) => each.version === version);
  return {
    name,
    version,
    description,
    kind: manifest.kind,
    pinned: pinOf(name, store)?.version ?? null,
    stands: inProbation(name, house) === null ? "" : "probation",
    runs: stats?.runs ?? 0,
    meanReward: stats?.meanReward ?? null,
    cases: cases.length,
  };
}
