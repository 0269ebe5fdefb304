import { HoneError, messageOf } from "../../domain/errors.ts";
import { caseOfRun, isPaused, type Incident, type IncidentState } from "../../domain/incident.ts";
import type { Case } from "../../domain/case.ts";
import { inputOf, type Skill } from "../../domain/skill.ts";
import type { JudgedCase } from "../../domain/incident.ts";
import type { JsonObject } from "../../domain/json.ts";
import { incidentOf } from "../../domain/incident.ts";
import { examine } from "../../examine/examine.ts";
import { improve } from "../../loop.ts";
import type { Settled } from "../../records.ts";
import type { House } from "../../ports/house.ts";
import type { Operations } from "../../ports/operations.ts";
import { candidateRow } from "../views/candidate-row.ts";
import { parkedForEngine } from "../engine-watch.ts";
import { follow } from "../follow.ts";
import { claimedCase } from "../agents/reporting.ts";
import { refuseInSafeMode } from "../life/safe-mode.ts";
import { pauseIn, refuseWhilePaused } from "../model/spending.ts";
import { unlessPaused } from "./unless-paused.ts";
import { countUnfinished, forgetUnfinished, MOST_UNFINISHED, unfinishedAt } from "./unfinished.ts";
import type { Workspace } from "../workspace.ts";

/** The operation `improve`: works on a skill's incidents now, whatever their pause. */
export function improvingOf(workspace: Workspace): Pick<Operations, "improve"> {
  const { house, signal } = workspace;
  return {
    async improve({ skill: name }) {
      refuseInSafeMode(workspace.mode);
      refuseWhilePaused(house.store);
      await follow(workspace);
      const skill = await house.library.active(name);
      const open = house.store.incidents({
        skill: name,
        states: ["open", "improving", "no-change", "gave-up"],
        limit: 20,
      });
      const work =
        open.length > 0
          ? open.map((incident) => ({ incident, failing: null }))
          : await firstFailing(skill, house, signal);
      if (work.length === 0) {
        return {
          schemaVersion: 1,
          skill: name,
          result: "nothing-to-do",
          reason: "no open incident, and every case passes",
          attempts: [],
        };
      }
      const settled: Settled[] = [];
      for (const { incident, failing } of work) {
        settled.push(await improveOne({ incident, failing, isAsked: true }, workspace));
      }
      await follow(workspace);
      const best = settled.find(({ result }) => result === "released") ?? settled[0];
      return {
        schemaVersion: 1,
        skill: name,
        result: best?.result ?? "no-change",
        reason: best?.reason ?? "",
        commit: best?.commit ?? null,
        candidate: best?.candidate ?? null,
        attempts: settled,
        candidates: settled.flatMap(({ incident }) => candidatesOf(incident, house)),
      };
    },
  };
}

type Wish = {
  readonly incident: Incident;
  /** Null: the incident's first failing run. */
  readonly failing: Case | null;
  /** A person asks, so that the incident's pause does not count. */
  readonly isAsked: boolean;
};

/**
 * One incident, when those before it are done. Throws `not-found` where the ledger has lost the run;
 * an incident whose improvement breaks is open again, after a pause.
 */
export async function improveOne(wish: Wish, workspace: Workspace): Promise<Settled> {
  return await workspace.oneImprovement(async () => await improveNow(wish, workspace));
}

async function improveNow(
  { incident, failing, isAsked }: Wish,
  workspace: Workspace,
): Promise<Settled> {
  const { house } = workspace;
  await house.alone(async () => undefined);
  const current = house.store.incident(incident.id) ?? incident;
  const isEarly = !isAsked && isPaused(current, house.now());
  if (isEarly || !isWorkable(current, failing)) return alreadySettled(current);
  if (!(await house.library.names()).includes(incident.skill)) return closed(incident, house);
  const { store } = house;
  if (!isAsked && unfinishedAt(current.id, store) >= MOST_UNFINISHED) return gaveUp(current, house);
  try {
    const settled = await unlessPaused(store, workspace.signal, async (signal) => {
      const active = await house.library.active(incident.skill);
      const isMisused = current.failureClass === "tool-misused";
      const skill = isMisused ? await house.definition(active, signal) : active;
      const of = failing ?? failingCaseOf(incident, skill, house);
      return await parkedOrImproved(current, of, house, signal);
    });
    forgetUnfinished(current.id, store);
    return settled;
  } catch (error) {
    broke(current, error, workspace);
    throw error;
  }
}

/** What broke is open again: at once where the workspace is closed or repairs were paused, else later. */
function broke(
  { id, state: before }: Incident,
  error: unknown,
  { house: { store, now, settings }, signal }: Pick<Workspace, "house" | "signal">,
): void {
  if (signal.aborted) return reopened(id, store);
  const isBug = !(error instanceof HoneError);
  if (isBug) countUnfinished(id, store);
  const { state } = store.incident(id) ?? { state: before };
  if (!isUnfinished(state)) return;
  if (pauseIn(store) !== null) return reopened(id, store);
  const note = messageOf(error);
  store.setIncident(id, { state: "open", note, retryAt: now() + settings.backoffMs });
}

/** A ledger that is closed already is told by the next start. */
function reopened(id: string, store: House["store"]): void {
  try {
    if (store.incident(id)?.state === "improving") store.setIncident(id, { state: "open" });
  } catch {
    // Nothing is lost: what was under way is open after the next start anyway.
  }
}

async function parkedOrImproved(
  incident: Incident,
  failing: Case,
  house: House,
  signal: AbortSignal,
): Promise<Settled> {
  const parked = await parkedForEngine(incident, house);
  if (parked !== null) return parked;
  // They are ready by the time that a candidate has come so far.
  void house.containers?.warm();
  return await improve(incident, failing, house, signal);
}

/**
 * One that ended is worked on again only for a case that stands in the suite and fails. Nobody else
 * works on one that is under way: its improvement broke, and the ledger could not be told.
 */
function isWorkable({ state }: Incident, failing: Case | null): boolean {
  switch (state) {
    case "open":
    case "improving":
    case "no-change":
    case "gave-up":
      return true;
    case "waiting-approval":
    case "claimed":
      return false;
    case "repaired":
    case "closed":
    case "invalid-task":
      return failing !== null;
  }
}

/** An incident whose improvement ends hone itself is met again after each restart, but not for ever. */
function gaveUp(incident: Incident, house: House): Settled {
  const note = `hone itself ended ${MOST_UNFINISHED} times while it worked on this; \`hone improve ${incident.skill}\` tries again`;
  house.store.setIncident(incident.id, { state: "gave-up", note });
  house.tell("incident.gave-up", incident.skill, { incident: incident.id, reason: note });
  return alreadySettled({ ...incident, state: "gave-up", note });
}

function isUnfinished(state: IncidentState): boolean {
  return state === "open" || state === "improving" || state === "no-change";
}

function alreadySettled({ id, state, note }: Incident): Settled {
  const result = state === "waiting-approval" ? state : "closed";
  const reason = `nothing to do now, the incident is ${state}: ${note}`;
  return { incident: id, result, reason, commit: null, candidate: null, tried: 0 };
}

/** The incident of a skill that somebody deleted. */
function closed(incident: Incident, house: House): Settled {
  const note = `there is no skill ${incident.skill} any more`;
  house.store.setIncident(incident.id, { state: "closed", note });
  house.tell("incident.closed", incident.skill, { incident: incident.id, reason: note });
  return alreadySettled({ ...incident, state: "closed", note });
}

function failingCaseOf(incident: Incident, skill: Skill, house: House): Case {
  const claimed = claimedCase(incident, skill, house);
  if (claimed !== null) return claimed;
  const standing = skill.cases.find(({ name }) => name === incident.note.replace(/^case: /, ""));
  if (standing !== undefined) return standing;
  const run = house.store.run(incident.firstRunId) ?? house.store.runsOf(incident.id, 1)[0];
  if (run === undefined) {
    throw new HoneError("not-found", `the ledger has no run of incident ${incident.id}`);
  }
  return caseOfRun(run, skill, `incident ${incident.id}`);
}

/** A case that the active version fails; else a request for which a model does not call the tool. */
async function firstFailing(
  skill: Skill,
  house: House,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof failingCases>>> {
  const failing = await failingCases(skill, house, signal);
  if (failing.length > 0 || house.model === null || !skill.files["calls.jsonl"]) return failing;
  return await failingCases(await house.definition(skill, signal), house, signal);
}

/** Visible cases that the active version fails are incidents too; their questions count as runs. */
async function failingCases(
  skill: Skill,
  house: House,
  signal: AbortSignal,
): Promise<readonly { readonly incident: Incident; readonly failing: Case }[]> {
  const ports = { ...house, unrecorded: "closed" as const };
  const { judged } = await examine({ skill, cases: skill.cases }, ports, signal);
  return judged
    .filter(({ passed }) => !passed)
    .slice(0, 1)
    .map((one) => ({ incident: incidentOfCase(one, skill, house), failing: one.case }));
}

function incidentOfCase({ case: of, trace }: JudgedCase, skill: Skill, house: House): Incident {
  const { expectation } = of;
  const run = {
    id: house.newId("run"),
    taskId: house.newId("task"),
    skill: skill.name,
    version: skill.version,
    input: inputOf(skill.signature, of.args),
    expectation: expectation.kind === "reward" ? null : expectation,
    trace,
    reward: { status: "unscored", reason: "a regression case, not live work" } as const,
    startedAt: house.now(),
    isHeldOut: false,
  };
  house.store.addRun(run);
  const opened = { ...incidentOf(run, house.newId("incident")), note: `case: ${of.name}` };
  const wanted = skill.language === "definition" ? misused(opened) : opened;
  return house.store.joinIncident(wanted, run.id).incident;
}

function candidatesOf(incident: string, house: House): JsonObject[] {
  const [group] = house.store.groups(incident);
  if (group === undefined) return [];
  return house.store.candidates({ groupId: group.id, limit: 50 }).map(candidateRow);
}

function misused(opened: Incident): Incident {
  const { skill } = opened;
  const summary = `a model does not call ${skill} as it should`;
  return { ...opened, failureClass: "tool-misused", signature: `${skill} misused`, summary };
}
