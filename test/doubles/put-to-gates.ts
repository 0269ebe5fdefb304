import { isReleasable } from "../../src/domain/gate.ts";
import type { Skill } from "../../src/domain/skill.ts";
import { firstFailing, skillOf } from "../../src/eval/subject-skill.ts";
import type { Subject } from "../../src/eval/suites.ts";
import { examine } from "../../src/examine/examine.ts";
import { attempt } from "../../src/repair.ts";
import type { Workshop } from "../../src/ports/house.ts";
import type { Proposer } from "../../src/ports/proposer.ts";
import { reflect } from "../../src/stages/3-reflect.ts";

/** What became of the candidates of one proposer for one faulty source. */
export type Put = {
  readonly offered: number;
  /** Operators of those that every gate let through, and whether they are right on held-out tests. */
  readonly released: readonly { readonly operator: string; readonly isCorrect: boolean }[];
  /** Operators of those that wait for a person. */
  readonly waiting: readonly string[];
};

const NOTHING: Put = { offered: 0, released: [], waiting: [] };

/** Puts every candidate of a proposer for a faulty source to the gates, not only the first that passes. */
export async function putToGates(
  subject: Subject,
  proposer: Proposer,
  { shop, signal }: { readonly shop: Workshop; readonly signal: AbortSignal },
): Promise<Put> {
  const { heldOut, fixed: _, buggy, ...known } = subject;
  const skill = await skillOf(known, buggy, shop.editor, signal);
  if (!("source" in skill)) return NOTHING;
  const ports = { ...shop, unrecorded: "closed" as const };
  const { judged } = await examine({ skill, cases: skill.cases }, ports, signal);
  const failing = firstFailing(judged);
  if (failing === null) return NOTHING;
  const asked = { incidentId: known.id, skill, failing, tried: [] };
  const reflection = await reflect(asked, ports, signal);
  if (reflection.status !== "diagnosed") return NOTHING;
  const { diagnosis } = reflection;
  const isRight = async (patched: Skill): Promise<boolean> => {
    const { judged: answers } = await examine({ skill: patched, cases: heldOut }, ports, signal);
    return answers.every(({ passed }) => passed);
  };
  const released: { operator: string; isCorrect: boolean }[] = [];
  const waiting: string[] = [];
  let offered = 0;
  const request = { skill, diagnosis, seed: 1, budgetMs: 60_000 };
  for await (const news of proposer.propose(request, signal)) {
    if (news.kind === "tried") continue;
    offered += 1;
    const { patched, verification } = await attempt(
      news.proposal,
      { skill, diagnosis },
      shop,
      signal,
    );
    const { operator } = news.proposal.origin;
    if (isReleasable(verification) && patched !== null) {
      released.push({ operator, isCorrect: await isRight(patched) });
    } else if (verification.verdicts.every(({ status }) => status !== "fail")) {
      waiting.push(operator);
    }
  }
  return { offered, released, waiting };
}
