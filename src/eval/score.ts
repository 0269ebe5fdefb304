import type { Skill } from "../domain/skill.ts";
import { examine, type ExaminePorts } from "../examine/examine.ts";
import type { Repaired } from "./repair-subject.ts";
import type { Subject } from "./suites.ts";

const CASE_RESULTS = ["correct", "overfit", "needs_data", "unrepaired", "error"] as const;
type CaseResult = (typeof CASE_RESULTS)[number];

/**
 * One line of the report. `plausible`: a patch was found, released or waiting for a person, that
 * passes every visible test. `correct` counts released ones alone; `waiting_correct` says of one that
 * waits that it passes every held-out test: what a person who says yes would have got.
 */
export type Scored = {
  readonly id: string;
  readonly kind: string;
  readonly difficulty: string;
  readonly result: CaseResult;
  readonly plausible: boolean;
  readonly waiting_correct: boolean;
  readonly confidence: number | null;
  readonly visible: number;
  readonly held_out: number;
  readonly proposer: string | null;
  readonly operator: string | null;
  readonly reason: string;
  readonly candidates: number;
  readonly ms: number;
};

/** Scores the chosen or waiting patch, once, on the tests that nothing that proposes has seen. */
export async function score(
  subject: Subject,
  repaired: Repaired,
  ports: ExaminePorts,
  signal: AbortSignal,
): Promise<Scored> {
  const { patched, attempt } = repaired;
  const passesAll = async (skill: Skill, cases: Subject["visible"]): Promise<boolean> =>
    (await examine({ skill, cases }, ports, signal)).judged.every(({ passed }) => passed);
  const plausible = patched !== null && (await passesAll(patched, subject.visible));
  const correct = plausible && (await passesAll(patched, subject.heldOut));
  return {
    id: subject.id,
    kind: subject.kind,
    difficulty: subject.difficulty,
    result: resultOf(repaired, plausible, correct),
    plausible,
    waiting_correct: repaired.status === "needs-data" && correct,
    confidence: attempt?.candidate.confidence ?? null,
    visible: subject.visible.length,
    held_out: subject.heldOut.length,
    proposer: attempt?.candidate.origin.proposer ?? null,
    operator: attempt?.candidate.origin.operator ?? null,
    reason: repaired.reason,
    candidates: repaired.candidates,
    ms: Math.round(repaired.ms),
  };
}

function resultOf({ status }: Repaired, plausible: boolean, correct: boolean): CaseResult {
  switch (status) {
    case "patched":
      if (correct) return "correct";
      return plausible ? "overfit" : "unrepaired";
    case "needs-data":
      return "needs_data";
    case "unrepaired":
      return "unrepaired";
    case "error":
      return "error";
  }
}
