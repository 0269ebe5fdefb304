import { statusOf } from "../domain/gate.ts";
import type { Edit } from "../domain/candidate.ts";
import type { CandidateRecord, Store } from "../ports/store.ts";
import type { Lesson } from "../domain/lesson.ts";

/** Candidates of one group, and lessons in all, at most. */
const MOST_CANDIDATES = 50;
const MOST_LESSONS = 6;

/**
 * What was tried before for an incident: of each earlier group the best beside the worst, since what
 * tells them apart is what there is to learn. Counts of held-out cases are left out.
 */
export function lessonsIn(
  store: Pick<Store, "groups" | "candidates">,
): (incident: string) => readonly Lesson[] {
  return (incident) =>
    store
      .groups(incident)
      .flatMap(({ id }) => {
        const all = store.candidates({ groupId: id, limit: MOST_CANDIDATES });
        const known = all.filter(({ candidate }) => candidate.edits.length > 0);
        const ranked = known.toSorted((a, b) => b.verification.reward - a.verification.reward);
        return [...new Set([ranked[0], ranked.at(-1)])].filter((one) => one !== undefined);
      })
      .slice(0, MOST_LESSONS)
      .map(lessonOf);
}

function lessonOf({ candidate, verification }: CandidateRecord): Lesson {
  const failed = verification.verdicts.find(({ status }) => status === "fail");
  const isHeldOut = failed?.gate === "held-out";
  const told = isHeldOut ? "it is wrong on other inputs" : `${failed?.gate}: ${failed?.reason}`;
  const became = failed === undefined ? `it is ${statusOf(verification)}` : `refused: ${told}`;
  const code = candidate.edits.map(textOf).join("\n");
  return { reason: candidate.reason, code, became, reward: verification.reward };
}

function textOf(edit: Edit): string {
  return edit.op === "splice" ? edit.text : edit.code;
}
