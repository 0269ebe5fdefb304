import type { Case } from "../domain/case.ts";
import type { GateName, Verification } from "../domain/gate.ts";
import { isReleasable } from "../domain/gate.ts";
import type { Diagnosis, JudgedCase } from "../domain/incident.ts";
import { DEFAULT_REWARD } from "../domain/reward.ts";
import { DEFAULT_LIMITS, type Program, type Skill } from "../domain/skill.ts";
import type { Outcome } from "../domain/trace.ts";
import { examine, type ExaminePorts } from "../examine/examine.ts";
import { attempt } from "../repair.ts";
import type { Gate } from "../ports/gate.ts";
import type { Workshop } from "../ports/house.ts";
import { verify } from "../stages/6-verify.ts";
import type { Entry, Pair, RedVerdict, TaskSpec } from "./corpus.ts";

/** What became of an attack. */
export type Ended = {
  /** Of the questions, asked as if nobody had read the text; of the gates where those are passed. */
  readonly verdict: RedVerdict;
  /** The gate that refused it, the first of the cascade; null: it was let through. */
  readonly stoppedBy: { readonly gate: GateName | "container"; readonly reason: string } | null;
  /** The gate that refuses it where its text is not read: the wall behind the first. */
  readonly behind: { readonly gate: string; readonly reason: string } | null;
  readonly isReleasable: boolean;
  /** What the gates wrote down of it: nothing held-out may be in there. */
  readonly reasons: string;
  /** Everything that the attack said: nothing of the host may be in there. */
  readonly said: string;
};

/** What a trial works with: `gates` are the whole cascade, held-out cases included. */
export type Arena = {
  readonly shop: Workshop;
  readonly gatesFor: (heldOut: readonly Case[]) => readonly Gate[];
  readonly signal: AbortSignal;
};

/** Time for one call, in milliseconds: attacks that wait do it often. */
const TIMEOUT_MS = 1_000;

/** Puts an attack in the place of a candidate for the incumbent, and lets every wall work on it. */
export async function trialOf(
  { source, task }: Pick<Entry, "source" | "task">,
  incumbent: string,
  arena: Arena,
): Promise<Ended> {
  const { shop, signal } = arena;
  const skill = await skillOf(incumbent, task, shop, signal);
  const diagnosis = await diagnosisOf(skill, shop, signal);
  const proposal = {
    edits: [{ op: "replace", target: "*", code: source } as const],
    origin: { proposer: "offered", operator: "redteam", seed: 1, parent: null } as const,
    reason: "red team",
  };
  const gates = arena.gatesFor(casesOf(task.heldOut, "held-out"));
  const made = await attempt(proposal, { skill, diagnosis }, { ...shop, gates }, signal);
  const program = made.patched?.program ?? rawProgram(source);
  const seen = await byTheWalls({ skill, program, task }, shop, signal);
  const refused = refusalIn(made.verification);
  const unread =
    seen.verdict === "pass" && made.patched !== null && STATIC.has(refused?.gate ?? "")
      ? await verify(
          { ...made, patched: made.patched, skill, diagnosis },
          { gates: gates.filter(({ name }) => !STATIC.has(name)) },
          signal,
        )
      : null;
  const behind = unread === null ? null : refusalIn(unread);
  const isUnsteady = UNSTEADY.test((behind ?? refused)?.reason ?? "");
  const stopped = isUnsteady ? "nondeterministic" : "reject";
  return {
    verdict: seen.verdict === "pass" && refused !== null ? stopped : seen.verdict,
    stoppedBy: refused,
    behind,
    isReleasable: isReleasable(made.verification),
    reasons: JSON.stringify([made.verification, unread]),
    said: seen.said,
  };
}

/** Gates that read a candidate's text and run nothing. */
const STATIC: ReadonlySet<string> = new Set(["parse", "policy", "types"]);

/** Detectors of answers that depend on more than the input. */
const UNSTEADY = /^(?:(?:time|random)-dependence|call-count|environment-probing|repeated-call)\b/;

function refusalIn({ verdicts }: Verification): Ended["stoppedBy"] {
  const refused = verdicts.find(({ status }) => status !== "pass");
  return refused === undefined ? null : { gate: refused.gate, reason: refused.reason };
}

/** A program that is run as it is, whatever the editor thinks of it. */
export function rawProgram(text: string): Program {
  return { text, entry: "skill", strict: false, takesCtx: false };
}

/** Asks all questions of a program, one after the other, until one goes wrong. */
export async function byTheWalls(
  asked: { readonly skill: Skill; readonly program: Program; readonly task: TaskSpec },
  { sandbox, hosts, judgeCase }: Omit<ExaminePorts, "unrecorded">,
  signal: AbortSignal,
): Promise<{ readonly verdict: RedVerdict; readonly said: string }> {
  const { skill, program, task } = asked;
  const ports = { sandbox, hosts, judgeCase, unrecorded: "closed" } as const;
  const said: string[] = [];
  for (const of of [...casesOf(task.visible, "visible"), ...casesOf(task.heldOut, "held-out")]) {
    const cases = [of];
    const { judged } = await examine({ skill, cases, program, unconfirmed: true }, ports, signal);
    const [one] = judged;
    if (one === undefined) throw new Error("one case gives one judgement");
    said.push(JSON.stringify([one.outcome, one.trace.logs, one.trace.steps]));
    if (!one.passed) return { verdict: verdictOf(one), said: said.join("\n") };
  }
  return { verdict: "pass", said: said.join("\n") };
}

function verdictOf({ outcome }: JudgedCase): RedVerdict {
  return VERDICT_OF[outcome.status];
}

const VERDICT_OF: Readonly<Record<Outcome["status"], RedVerdict>> = {
  returned: "fail",
  "bad-result": "reject",
  threw: "crash",
  "not-loaded": "crash",
  "out-of-memory": "crash",
  crashed: "crash",
  "unhandled-rejection": "crash",
  "timed-out": "timeout",
  "never-settled": "timeout",
};

function casesOf(pairs: readonly Pair[], kind: string): Case[] {
  return pairs.map(([input, value], at) => ({
    name: `${kind} ${at + 1}`,
    args: [input],
    expectation: { kind: "value", value },
    world: {},
  }));
}

/** The incumbent as a skill of plain JavaScript. */
export async function skillOf(
  source: string,
  task: TaskSpec,
  { editor }: Pick<Workshop, "editor">,
  signal: AbortSignal,
): Promise<Skill> {
  const inspected = await editor.inspect({ text: source, language: "js", entry: "skill" }, signal);
  if (inspected.status === "unsound") {
    throw new Error(`the incumbent is no skill: ${JSON.stringify(inspected.problems)}`);
  }
  const { status: _, ...contract } = inspected;
  return {
    ...contract,
    name: "target",
    version: "incumbent",
    description: "what the red team wants to replace",
    manifest: {
      kind: "function",
      capabilities: {},
      reward: DEFAULT_REWARD,
      limits: { ...DEFAULT_LIMITS, timeoutMs: TIMEOUT_MS },
      review: "critical",
    },
    language: "js",
    source,
    cases: casesOf(task.visible, "visible"),
    files: { "skill.js": source },
  };
}

async function diagnosisOf(
  skill: Skill,
  shop: Omit<ExaminePorts, "unrecorded">,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const ports = { ...shop, unrecorded: "closed" as const };
  const { judged } = await examine({ skill, cases: skill.cases }, ports, signal);
  const failing = judged.find(({ passed }) => !passed);
  if (failing === undefined) throw new Error("the incumbent has no fault");
  return {
    incidentId: "redteam",
    failureClass: "wrong-value",
    failing,
    judged: [failing, ...judged.filter((one) => one !== failing)],
    suspicions: [],
    tried: [],
    summary: "the incumbent is wrong on one visible input",
  };
}
