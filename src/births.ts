import { isUnborn, type Birth } from "./domain/birth.ts";
import type { Candidate, Proposal } from "./domain/candidate.ts";
import { HoneError } from "./domain/errors.ts";
import { asksAPerson, isReleasable, recordedIn, statusOf } from "./domain/gate.ts";
import { choose, type Attempt, type Group } from "./domain/group.ts";
import type { Diagnosis, Incident } from "./domain/incident.ts";
import type { Release } from "./domain/release.ts";
import type { Skill } from "./domain/skill.ts";
import { skillFilesOf } from "./domain/skill-text.ts";
import { blankOf, sketchesOf, sourceOf } from "./domain/sketch.ts";
import { examine } from "./examine/examine.ts";
import { recordedSuite } from "./examine/recorded-suite.ts";
import { attempt, repair } from "./repair.ts";
import type { House } from "./ports/house.ts";
import * as ledger from "./records.ts";
import { reflect } from "./stages/3-reflect.ts";
import { release } from "./stages/7-release.ts";

/**
 * Request → a group of candidates for a skill that is not there yet. It goes the way of a repair: a
 * body that does nothing is the faulty version, the examples are its cases. What passes waits for a
 * person; nothing is born by itself.
 */
export async function conceive(
  birth: Birth,
  house: House,
  signal: AbortSignal,
): Promise<ledger.Settled> {
  const incident = openRequest(birth, house);
  const startedAt = house.now();
  const blank = await draftOf(birth, blankOf(birth.wanted).source, house);
  const diagnosis = await diagnose(birth, blank, house, signal);
  if (diagnosis === null) throw nothingAsked(birth);
  const groups: Group[] = [];
  for await (const made of ideas({ birth, blank, diagnosis, startedAt }, house, signal)) {
    groups.push(made);
    if (made.attempts.some(isFound) || countOf(groups) >= house.settings.candidates) break;
  }
  const group: Group = {
    attempts: groups.flatMap(({ attempts }) => attempts),
    failures: groups.flatMap(({ failures }) => failures),
    tried: groups.reduce((sum, { tried }) => sum + tried, 0),
    durationMs: house.now() - startedAt,
  };
  const choice = choose(group);
  const settled = ledger.recordGroup({ incident, diagnosis, group, choice }, house);
  if (choice.status !== "ask") {
    // Nobody comes back to a skill that is not there: whoever wants it asks again, with more examples.
    house.store.setIncident(incident.id, { state: "closed", note: settled.reason });
  }
  return settled;
}

/** A body that is known already, or whatever the proposers make of one sketch after the other. */
async function* ideas(
  work: {
    readonly birth: Birth;
    readonly blank: Skill;
    readonly diagnosis: Diagnosis;
    readonly startedAt: number;
  },
  house: House,
  signal: AbortSignal,
): AsyncGenerator<Group> {
  const { birth, blank, diagnosis, startedAt } = work;
  const { wanted } = birth;
  const offered = async (source: string, operator: string, reason: string): Promise<Group> => {
    const proposal = wholeOf(source, { operator, reason });
    const made = await attempt(proposal, { skill: blank, diagnosis }, house, signal);
    return { attempts: [made], failures: [], tried: 1, durationMs: 0 };
  };
  if (wanted.body !== null) {
    yield await offered(sourceOf(wanted, wanted.body), "composed", "the steps that runs repeat");
    return;
  }
  const { budgetMs, candidates } = house.settings;
  const sketches = sketchesOf(wanted, birth.visible);
  for (const [at, sketch] of [...sketches, blankOf(wanted)].entries()) {
    const leftMs = startedAt + budgetMs - house.now();
    if (leftMs <= 0) return;
    const skill = await draftOf(birth, sketch.source, house);
    const found = await diagnose(birth, skill, house, signal);
    if (found === null) {
      yield await offered(sketch.source, "sketch", `a sketch does: ${sketch.name}`);
      continue;
    }
    const isLast = at === sketches.length;
    // A sketch is for enumeration; whoever writes whole programs is asked once, without one.
    const proposers = house.proposers.filter(({ name }) => isLast !== (name === "search"));
    // What comes last is as likely to find it: each has its share of the time that is left.
    const share = leftMs / (sketches.length + 1 - at);
    const task = { skill, diagnosis: found, seed: house.newSeed(), budgetMs: share, candidates };
    yield await repair(task, { ...house, proposers }, signal);
  }
}

function countOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { attempts }) => sum + attempts.length, 0);
}

function isFound({ verification }: Attempt): boolean {
  return isReleasable(verification) || asksAPerson(verification);
}

/**
 * A candidate for a new skill that a person approved → a commit with its folder, and the first day
 * of its probation. It is verified again on what is there now. Throws `refused` where it does not
 * pass any more, or where there is such a skill by now.
 */
export async function deliver(
  {
    birth,
    incident,
    candidate,
    by,
  }: {
    readonly birth: Birth;
    readonly incident: Incident;
    readonly candidate: Candidate;
    readonly by: string;
  },
  house: House,
  signal: AbortSignal,
): Promise<Release> {
  const { name, description } = birth.wanted;
  if ((await house.library.names()).includes(name)) throw taken(name);
  const blank = await draftOf(birth, blankOf(birth.wanted).source, house);
  const diagnosis = await diagnose(birth, blank, house, signal);
  if (diagnosis === null) throw nothingAsked(birth);
  const { operator } = candidate.origin;
  const whole = { ...candidate, ...wholeOf(candidate.source, { operator, reason: description }) };
  const proposal = { ...whole, origin: candidate.origin };
  const made = await attempt(proposal, { skill: blank, diagnosis }, house, signal);
  const status = statusOf(made.verification);
  const { patched, verification } = made;
  if (patched === null || status === "fail" || status === "infra-error") {
    const reason = verification.verdicts.at(-1)?.reason ?? status;
    throw new HoneError("refused", `${candidate.id} does not pass any more: ${reason}`);
  }
  const { judged: _, ...kept } = diagnosis;
  const recorded = recordedIn(verification);
  const input = {
    skill: { ...blank, files: {} },
    patched,
    candidate: { ...made.candidate, id: candidate.id, reason: `born: ${description}` },
    verification,
    diagnosis: { ...kept, incidentId: incident.id, summary: summaryOf(birth, candidate) },
    signature: incident.signature,
    rewardBefore: 0,
    ...(await recordedSuite({ skill: patched, cases: patched.cases, recorded }, house, signal)),
    approvedBy: by,
  };
  const born = await house.alone(async () => {
    house.mayRelease();
    return await release(input, house);
  });
  house.tell("skill.born", name, { commit: born.commit, by });
  return born;
}

function openRequest({ incidentId, wanted, visible, heldOut }: Birth, house: House): Incident {
  const summary = `there is no skill ${wanted.name}: ${wanted.description}`;
  const wantedIncident: Incident = {
    id: incidentId,
    skill: wanted.name,
    version: incidentId,
    signature: house.sha256(`missing-skill ${wanted.name}`),
    failureClass: "missing-skill",
    summary,
    state: "improving",
    firstRunId: incidentId,
    runs: 0,
    rejections: 0,
    openedAt: house.now(),
    retryAt: 0,
    note: "",
  };
  const { incident } = house.store.joinIncident(wantedIncident, incidentId);
  const unborn = { commit: null, bornAt: null, verdict: null, note: "" };
  house.store.addBirth({ incidentId, wanted, visible, heldOut, ...unborn });
  house.tell("skill.wanted", wanted.name, { incident: incidentId, by: wanted.by });
  return incident;
}

/** The skill with one source or another, in no commit yet. Throws `bad-input` with all problems. */
async function draftOf({ wanted, visible }: Birth, source: string, house: House): Promise<Skill> {
  const files = skillFilesOf(wanted, source, visible);
  const drafted = await house.library.draft(wanted.name, files);
  if (drafted.status === "sound" && isUnborn(drafted.skill)) return drafted.skill;
  const problems = drafted.status === "sound" ? [] : drafted.problems;
  throw new HoneError("bad-input", `${wanted.name} cannot be made: ${problems.join("; ")}`);
}

/** What reflection finds of a draft; null where it does all that the visible examples ask. */
async function diagnose(
  { incidentId }: Birth,
  skill: Skill,
  house: House,
  signal: AbortSignal,
): Promise<Diagnosis | null> {
  const ports = { ...house, unrecorded: "closed" as const };
  const { judged } = await examine({ skill, cases: skill.cases }, ports, signal);
  const failing = judged.find(({ passed }) => !passed)?.case;
  if (failing === undefined) return null;
  const reflection = await reflect({ incidentId, skill, failing, tried: [] }, ports, signal);
  if (reflection.status === "diagnosed") return reflection.diagnosis;
  const hint = "An example must ask for the same each time.";
  throw new HoneError("refused", `the example "${failing.name}" does not repeat`, { hint });
}

/** A whole source as a proposal. */
function wholeOf(
  source: string,
  { operator, reason }: { readonly operator: string; readonly reason: string },
): Proposal {
  return {
    edits: [{ op: "replace", target: "*", code: source }],
    origin: { proposer: "offered", operator, seed: 0, parent: null },
    reason,
  };
}

function summaryOf({ wanted, visible, heldOut }: Birth, { reason, origin }: Candidate): string {
  const examples = `${visible.length} examples and ${heldOut.length} set aside`;
  return `${wanted.by} asked for ${wanted.name}: ${wanted.description} Made from ${examples} by ${origin.proposer}: ${reason}`;
}

function taken(name: string): HoneError {
  return new HoneError("refused", `there is a skill ${name} already`, {
    hint: `\`hone improve ${name}\` works on it; a commit that changes its cases says what it should do.`,
  });
}

function nothingAsked({ wanted }: Birth): HoneError {
  return new HoneError("bad-input", `the examples of ${wanted.name} ask for nothing`, {
    hint: "Give examples of the form {input, expect}.",
  });
}
