import { isReleasable } from "../domain/gate.ts";
import type { Diagnosis } from "../domain/incident.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Skill } from "../domain/skill.ts";
import { examine } from "../examine/examine.ts";
import { attempt } from "../repair.ts";
import type { Workshop } from "../ports/house.ts";
import { propose } from "../stages/4-propose.ts";
import { skillOf } from "./subject-skill.ts";
import type { Subject } from "./suites.ts";

/** Proposals verified per case and source, at most. */
const MOST_OFFERED = 24;

/**
 * The A/A control: on a source that is right, every proposer and the control candidates are put
 * through the cascade. Nothing may be released.
 */
export async function control(
  subject: Subject,
  {
    shop,
    budgetMs,
    signal,
  }: {
    readonly shop: Workshop;
    readonly budgetMs: number;
    readonly signal: AbortSignal;
  },
): Promise<JsonObject> {
  const { fixed, heldOut: _, buggy: __, ...known } = subject;
  const skill = await skillOf(known, fixed, shop.editor, signal);
  if (!("source" in skill)) {
    return { id: subject.id, offered: 0, releases: 0, error: skill.join("; ") };
  }
  const diagnosis = await pretended(subject.id, skill, shop, signal);
  let offered = 0;
  let releases = 0;
  const released: string[] = [];
  const work = { skill, diagnosis, seed: 1, budgetMs };
  for await (const news of propose(work, shop, signal)) {
    if (news.kind !== "proposal") continue;
    const made = await attempt(news.proposal, { skill, diagnosis }, shop, signal);
    offered += 1;
    if (isReleasable(made.verification)) {
      releases += 1;
      released.push(news.proposal.origin.operator);
    }
    if (offered >= MOST_OFFERED) break;
  }
  return { id: subject.id, offered, releases, released, error: null };
}

/** An incident that is none: its failing case passes. */
async function pretended(
  id: string,
  skill: Skill,
  shop: Workshop,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const ports = { ...shop, unrecorded: "closed" as const };
  const { judged } = await examine({ skill, cases: skill.cases }, ports, signal);
  const [failing] = judged;
  if (failing === undefined) throw new Error("a subject has a visible test");
  const whole = { start: 0, end: skill.source.length, line: 1, score: 1 };
  return {
    incidentId: id,
    failureClass: "wrong-value",
    failing,
    judged,
    suspicions: [whole],
    tried: [],
    summary: "control: nothing is wrong",
  };
}
