import { isSameCase, type Case } from "./domain/case.ts";
import { incidentOf, inheritedFrom, type Diagnosis, type Incident } from "./domain/incident.ts";
import { HoneError } from "./domain/errors.ts";
import { recordedIn, statusOf } from "./domain/gate.ts";
import { choose, type Attempt } from "./domain/group.ts";
import { isTasksFault } from "./domain/invalid-task.ts";
import type { Candidate } from "./domain/candidate.ts";
import type { Release } from "./domain/release.ts";
import { fallsShort } from "./domain/reward.ts";
import type { Skill } from "./domain/skill.ts";
import type { Run, Task } from "./domain/task.ts";
import { recordedSuite } from "./examine/recorded-suite.ts";
import type { House } from "./ports/house.ts";
import * as progress from "./progress.ts";
import * as ledger from "./records.ts";
import { attempt, repair } from "./repair.ts";
import { adopt, type Adoption } from "./stages/0-adopt.ts";
import { run } from "./stages/1-run.ts";
import { reflect, type Reflection } from "./stages/3-reflect.ts";
import { release } from "./stages/7-release.ts";
import { noteBase, versionsFor, type Versions } from "./versions.ts";
import { mindRelease } from "./watching.ts";

/**
 * Task → scored run. It keeps the versions that it began with. A run that falls short joins or opens
 * an incident; a release under watch is held against what came before it.
 */
export async function perform(
  task: Task,
  house: House,
  signal: AbortSignal,
  versions: Versions = versionsFor(task, house),
): Promise<Run> {
  const { traffic } = house;
  traffic.running += 1;
  try {
    const made = await runScored(task, versions, house, signal);
    await mindRelease(made.skill, house, signal);
    traffic.onRun(made);
    return made;
  } finally {
    traffic.running -= 1;
  }
}

async function runScored(
  task: Task,
  versions: Versions,
  house: House,
  signal: AbortSignal,
): Promise<Run> {
  const skill = await versions(task.skill);
  const made = await performOn({ task, skill }, house, signal, versions);
  if (fallsShort(made.reward, skill.manifest.reward.threshold)) openIncident(made, house);
  return made;
}

/** A run of a version that is named, of which nothing follows for the active one. */
export async function performOn(
  { task, skill }: { readonly task: Task; readonly skill: Skill },
  house: House,
  signal: AbortSignal,
  versions: Versions = versionsFor(task, house),
): Promise<Run> {
  const environment = { now: house.now(), seed: house.newSeed() };
  const { input, expectation } = task;
  const trace = await run({ skill, input, environment }, { ...house, versions }, signal);
  const reward = await house.score({ skill, input, trace, expectation }, signal);
  return ledger.recordRun({ task, skill, trace, reward, startedAt: environment.now }, house);
}

/**
 * Incident → release, a candidate that waits for a person, or no change with the reasons. A skill
 * that changed meanwhile is judged as it is now.
 */
export async function improve(
  incident: Incident,
  failing: Case,
  house: House,
  signal: AbortSignal,
): Promise<ledger.Settled> {
  const skill = await subjectOf(incident, house, signal);
  const runs = house.store.runsOf(incident.id, RUNS);
  if (isTasksFault(runs, goodRuns(incident, skill, house))) {
    return ledger.recordInvalidTask(incident, house);
  }
  progress.beginRepair(incident, house);
  const reflection = await reflectOn({ incident, failing, skill }, house, signal);
  if (reflection.status !== "diagnosed") {
    return ledger.recordUnexplained(incident, reflection, house);
  }
  const { diagnosis } = reflection;
  const { budgetMs, candidates } = house.settings;
  const onAttempt = (made: Attempt): void => progress.tellAttempt(incident, made, house);
  const work = { skill, diagnosis, seed: house.newSeed(), budgetMs, candidates, onAttempt };
  const group = await repair(work, house, signal);
  const choice = choose(group);
  const settled = ledger.recordGroup({ incident, diagnosis, group, choice }, house);
  return choice.status === "release"
    ? await ship({ incident, skill, diagnosis, attempt: choice.attempt }, settled, house, signal)
    : settled;
}

type Shipment = {
  readonly incident: Incident;
  readonly skill: Skill;
  readonly diagnosis: Diagnosis;
  readonly attempt: Attempt;
  readonly approvedBy?: string;
};

/**
 * A candidate that waited for a person and was approved → the active version. It is verified again
 * on the version that is active now; a lack of data is what the person makes up for. Throws `refused`
 * where it does not pass any more.
 */
export async function reconsider(
  {
    incident,
    failing,
    candidate,
    by,
  }: {
    readonly incident: Incident;
    readonly failing: Case;
    readonly candidate: Candidate;
    readonly by: string;
  },
  house: House,
  signal: AbortSignal,
): Promise<ledger.Settled> {
  const { id, reason } = candidate;
  const skill = await subjectOf(incident, house, signal);
  const reflection = await reflectOn({ incident, failing, skill }, house, signal);
  if (reflection.status !== "diagnosed") throw stale(`the case of ${id} does not fail any more`);
  const { diagnosis } = reflection;
  const made = await attempt(candidate, { skill, diagnosis }, house, signal);
  const status = statusOf(made.verification);
  if (made.patched === null || status === "fail" || status === "infra-error") {
    const verdict = made.verification.verdicts.at(-1);
    throw stale(`${id} does not pass any more: ${verdict?.reason ?? status}`);
  }
  const kept = { ...made, candidate: { ...made.candidate, id } };
  const shipment = { incident, skill, diagnosis, attempt: kept, approvedBy: by };
  const common = { incident: incident.id, reason, commit: null, candidate: id, tried: 0 };
  return await ship(shipment, { ...common, result: "released" }, house, signal);
}

function stale(message: string): HoneError {
  const hint = "The skill has changed since; `hone improve` starts again.";
  return new HoneError("refused", message, { hint });
}

/** A verified candidate → the active version. Why it could not be is told, never thrown. */
async function ship(
  shipment: Shipment,
  settled: ledger.Settled,
  house: House,
  signal: AbortSignal,
): Promise<ledger.Settled> {
  const { incident, skill, attempt } = shipment;
  let made: Release;
  try {
    made = await released(shipment, house, signal);
  } catch (error) {
    return ledger.recordUnreleased(incident, attempt.candidate.id, error, house);
  }
  noteBase(made, skill, house);
  ledger.recordRelease(made, house);
  return { ...settled, result: "released", commit: made.commit };
}

async function released(
  { incident, skill, diagnosis, attempt, approvedBy }: Shipment,
  house: House,
  signal: AbortSignal,
): Promise<Release> {
  const { candidate, patched, verification } = attempt;
  if (patched === null) throw new Error("a candidate that passed was patched");
  const { judged, ...kept } = diagnosis;
  const failing = kept.failing.case;
  const isKnown = patched.cases.some((of) => isSameCase(of, failing));
  const cases = isKnown ? patched.cases : [...patched.cases, failing];
  const recorded = recordedIn(verification);
  const input = {
    skill,
    patched,
    candidate,
    verification,
    diagnosis: kept,
    signature: incident.signature,
    rewardBefore: judged.filter(({ passed }) => passed).length / judged.length,
    ...(await recordedSuite({ skill: patched, cases, recorded }, house, signal)),
    approvedBy: approvedBy ?? null,
  };
  return await house.alone(async () => {
    house.mayRelease();
    return await release(input, house);
  });
}

/** Takes in what people committed, if it is sound. */
export async function takeIn(house: House, signal: AbortSignal): Promise<Adoption> {
  return await house.alone(async () => {
    const ports = { ...house, unrecorded: "closed" as const };
    return ledger.recordAdoption(await adopt(ports, signal), house);
  });
}

/** What an incident is about, as it is now: the skill, or what it says of itself. */
async function subjectOf(
  { skill, failureClass }: Incident,
  { library, definition }: House,
  signal: AbortSignal,
): Promise<Skill> {
  const active = await library.active(skill);
  return failureClass === "tool-misused" ? await definition(active, signal) : active;
}

function openIncident(made: Run, house: House): void {
  const wanted = incidentOf(made, house.newId("incident"));
  const { incident, isNew } = house.store.joinIncident(wanted, made.id);
  const { id, summary, failureClass } = incident;
  if (!isNew) return;
  const alike = house.store
    .incidents({ skill: made.skill, limit: ALIKE })
    .find((one) => one.signature === incident.signature && one.id !== id);
  const inherited = inheritedFrom(alike);
  if (inherited !== null) house.store.setIncident(id, inherited);
  house.tell("incident.opened", made.skill, { incident: id, failureClass, summary });
}

/** Incidents of a skill among which an earlier one of the same failure is looked for. */
const ALIKE = 200;

async function reflectOn(
  of: { readonly incident: Incident; readonly failing: Case; readonly skill: Skill },
  house: House,
  signal: AbortSignal,
): Promise<Reflection> {
  const tried = house.store.refusedDigests(of.incident.signature);
  const { skill, failing } = of;
  // Another version asks for what this one's recording does not have; the world says whether it is
  // mended by that already.
  const isChanged = skill.version !== of.incident.version;
  const ports = { ...house, unrecorded: isChanged ? ("reading" as const) : ("closed" as const) };
  return await reflect({ incidentId: of.incident.id, skill, failing, tried }, ports, signal);
}

/** Runs of an incident, and good runs beside them, that are looked at. */
const RUNS = 50;

/** Good runs of the incident's version since it opened. */
function goodRuns({ version, firstRunId }: Incident, skill: Skill, house: House): readonly Run[] {
  const minimumScore = skill.manifest.reward.threshold;
  const query = { skill: skill.name, version, heldOut: false, minimumScore, limit: RUNS };
  // By the ledger's order, since the clock may have been put back meanwhile.
  const older = house.store.runs({ ...query, before: firstRunId }).map(({ id }) => id);
  return house.store.runs(query).filter(({ id }) => !older.includes(id));
}
