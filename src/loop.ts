import { withRecordings, type Case } from "./domain/case.ts";
import type { Diagnosis, Incident } from "./domain/incident.ts";
import { incidentOf } from "./domain/incident.ts";
import { isReleasable, recordedIn } from "./domain/gate.ts";
import type { Attempt, Group } from "./domain/group.ts";
import type { Proposal } from "./domain/candidate.ts";
import { canonical, type Json } from "./domain/json.ts";
import { choose } from "./domain/group.ts";
import type { Release } from "./domain/release.ts";
import { fallsShort } from "./domain/reward.ts";
import type { Skill } from "./domain/skill.ts";
import type { Run, Task } from "./domain/task.ts";
import { examine } from "./examine/examine.ts";
import type { House, Workshop } from "./ports/house.ts";
import * as ledger from "./records.ts";
import type { Settled } from "./records.ts";
import { adopt, type Adoption } from "./stages/0-adopt.ts";
import { run } from "./stages/1-run.ts";
import { reflect, type Reflection } from "./stages/3-reflect.ts";
import { propose } from "./stages/4-propose.ts";
import { patch } from "./stages/5-patch.ts";
import { verify } from "./stages/6-verify.ts";
import { release } from "./stages/7-release.ts";
import { watch } from "./stages/8-watch.ts";
import { rollback } from "./stages/9-rollback.ts";

/**
 * Task → scored run. It keeps the version that was active when it began. A run that falls short
 * joins or opens an incident; a release under watch is held against what came before it.
 */
export async function perform(task: Task, house: House, signal: AbortSignal): Promise<Run> {
  const skill = await house.library.active(task.skill);
  const environment = { now: house.now(), seed: house.newSeed() };
  const { input, expectation } = task;
  const ports = { ...house, callSkill: callerOf(house, 1) };
  const trace = await run({ skill, input, environment }, ports, signal);
  const reward = await house.score({ skill, input, trace, expectation }, signal);
  const made = ledger.recordRun({ task, skill, trace, reward, startedAt: environment.now }, house);
  if (fallsShort(reward, skill.manifest.reward.threshold)) openIncident(made, house);
  await mindRelease(skill, house, signal);
  return made;
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
): Promise<Settled> {
  const skill = await house.library.active(incident.skill);
  house.store.setIncident(incident.id, { state: "improving" });
  const reflection = await reflectOn(incident, failing, skill, house, signal);
  if (reflection.status !== "diagnosed") {
    return ledger.recordUnexplained(incident, reflection, house);
  }
  const { diagnosis } = reflection;
  const { budgetMs, candidates } = house.settings;
  const work = { skill, diagnosis, seed: house.newSeed(), budgetMs, candidates };
  const group = await repair(work, house, signal);
  const choice = choose(group);
  const settled = ledger.recordGroup({ incident, diagnosis, group, choice }, house);
  return choice.status === "release"
    ? await ship({ incident, skill, diagnosis, attempt: choice.attempt }, settled, house, signal)
    : settled;
}

export type Repair = {
  readonly skill: Skill;
  readonly diagnosis: Diagnosis;
  readonly seed: number;
  readonly budgetMs: number;
  /** Proposals verified at most. */
  readonly candidates: number;
};

/** Diagnosis → group: propose, patch, verify, until one passes or the budget is used. */
export async function repair(work: Repair, shop: Workshop, signal: AbortSignal): Promise<Group> {
  const startedAt = shop.now();
  const attempts: Attempt[] = [];
  let tried = 0;
  for await (const news of propose(work, shop, signal)) {
    if (news.kind === "tried") tried += news.programs;
    else attempts.push(await attempt(news.proposal, work, shop, signal));
    const last = attempts.at(-1);
    const isFound = last !== undefined && isReleasable(last.verification);
    if (isFound || attempts.length >= work.candidates) break;
  }
  return { attempts, tried: tried + attempts.length, durationMs: shop.now() - startedAt };
}

/** Proposal → attempt: what cannot be applied fails at the first gate. */
export async function attempt(
  proposal: Proposal,
  { skill, diagnosis }: Pick<Repair, "skill" | "diagnosis">,
  shop: Workshop,
  signal: AbortSignal,
): Promise<Attempt> {
  const id = shop.newId("candidate");
  const made = await patch({ proposal, skill, diagnosis, id }, shop, signal);
  const { candidate } = made;
  if (made.status === "refused") {
    const refusal = { gate: "parse", status: "fail", reason: made.reason, durationMs: 0 } as const;
    const verification = { candidateId: id, verdicts: [refusal], reward: 0 };
    return { candidate, patched: null, verification };
  }
  const { patched } = made;
  const verification = await verify({ candidate, skill, diagnosis, patched }, shop, signal);
  return { candidate, patched, verification };
}

export type Shipment = {
  readonly incident: Incident;
  readonly skill: Skill;
  readonly diagnosis: Diagnosis;
  readonly attempt: Attempt;
  readonly approvedBy?: string;
};

/** A verified candidate → the active version. Why it could not be is told, never thrown. */
export async function ship(
  shipment: Shipment,
  settled: Settled,
  house: House,
  signal: AbortSignal,
): Promise<Settled> {
  const { incident, attempt } = shipment;
  try {
    const made = await released(shipment, house, signal);
    ledger.recordRelease(made, house);
    return { ...settled, result: "released", commit: made.commit };
  } catch (error) {
    return ledger.recordUnreleased(incident, attempt.candidate.id, error, house);
  }
}

async function released(
  { incident, skill, diagnosis, attempt, approvedBy }: Shipment,
  house: House,
  signal: AbortSignal,
): Promise<Release> {
  const { candidate, patched, verification } = attempt;
  if (patched === null) throw new Error("a candidate that passed was patched");
  const { judged, ...kept } = diagnosis;
  const suite = [...patched.cases, withRecordings(kept.failing.case, recordedIn(verification))];
  const ports = { ...house, unrecorded: "closed" as const };
  const after = await examine({ skill: patched, cases: suite }, ports, signal);
  const outcomes = after.judged.map((one) => [one.case.name, canonical(one.outcome as Json)]);
  const input = {
    skill,
    patched,
    candidate,
    verification,
    diagnosis: kept,
    signature: incident.signature,
    rewardBefore: judged.filter(({ passed }) => passed).length / judged.length,
    outcomes: Object.fromEntries(outcomes) as Record<string, string>,
    approvedBy: approvedBy ?? null,
  };
  return await house.alone(async () => await release(input, house));
}

/** Takes in what people committed, if it is sound. */
export async function takeIn(house: House, signal: AbortSignal): Promise<Adoption> {
  return await house.alone(async () => {
    const ports = {
      ...house,
      loadAll: (commit: string) => house.library.loadAll(commit),
      unrecorded: "closed" as const,
    };
    return ledger.recordAdoption(await adopt(ports, signal), house);
  });
}

/** Gives a skill back what it was before a release, by one revert commit. */
export async function takeBack(
  made: Release,
  why: { readonly reason: string; readonly by: string },
  house: House,
): Promise<Release> {
  return await house.alone(async () =>
    ledger.recordRollback(made, await rollback({ made, ...why }, house), house),
  );
}

function openIncident(made: Run, house: House): void {
  const wanted = incidentOf(made, house.newId("incident"));
  const { incident, isNew } = house.store.joinIncident(wanted, made.id);
  const { id, summary, failureClass } = incident;
  if (isNew) house.tell("incident.opened", made.skill, { incident: id, failureClass, summary });
}

async function reflectOn(
  { id, signature }: Incident,
  failing: Case,
  skill: Skill,
  house: House,
  signal: AbortSignal,
): Promise<Reflection> {
  const tried = house.store.refusedDigests(signature);
  const ports = { ...house, unrecorded: "closed" as const };
  return await reflect({ incidentId: id, skill, failing, tried }, ports, signal);
}

/** A release under watch: keep watching, keep it, or take it back. */
async function mindRelease(skill: Skill, house: House, signal: AbortSignal): Promise<void> {
  const watched = { skill: skill.name, states: ["watching"], limit: 1 } as const;
  const [made] = house.store.releases(watched);
  if (made === undefined) return;
  const { settings, library } = house;
  const ports = {
    ...house,
    settings: settings.watch,
    skillAt: (name: string, version: string) => library.at(name, version),
    unrecorded: "reading" as const,
  };
  const decision = await watch(made, ports, signal);
  const isOpen = house.store.release(made.commit)?.state === "watching";
  if (!isOpen || decision.status === "watching") return;
  if (decision.status === "kept") ledger.recordKept(made, decision.reason, house);
  else await takeBack(made, { reason: decision.reason, by: "hone" }, house);
}

/** Skills may call skills, a few levels deep; the inner run is part of the outer trace. */
function callerOf(house: House, depth: number): Parameters<typeof run>[1]["callSkill"] {
  return async (name, input, signal) => {
    if (depth > 4) throw new Error(`skills call each other more than 4 levels deep at ${name}`);
    const skill = await house.library.active(name);
    const environment = { now: house.now(), seed: house.newSeed() };
    const ports = { ...house, callSkill: callerOf(house, depth + 1) };
    const { outcome } = await run({ skill, input, environment }, ports, signal);
    if (outcome.status === "returned") return outcome.value;
    throw new Error("error" in outcome ? outcome.error.message : `${name}: ${outcome.status}`);
  };
}
