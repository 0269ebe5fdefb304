import type { Edit } from "../../domain/candidate.ts";
import { statusOf, type GateName } from "../../domain/gate.ts";
import type { Ancestor, Lesson, Recollection } from "../../domain/lesson.ts";
import type { CandidateRecord, Store } from "../../ports/store.ts";

/** Groups that are looked at, candidates of each, and lessons in all, at most. */
const MOST_GROUPS = 12;
const MOST_CANDIDATES = 50;
const MOST_LESSONS = 6;

/** Gates whose reasons speak of what proposers know anyway. Of the others nothing is told but their no. */
const TOLD: ReadonlySet<GateName> = new Set([
  "parse",
  "policy",
  "types",
  "failing-case",
  "regression",
  "differential",
  "conduct",
]);

/**
 * What was tried before for an incident: of each earlier group the best beside the worst, since what
 * tells them apart is what there is to learn, and the patches from which others may go on. Nothing of
 * held-out cases is in it, not even their count.
 */
export function lessonsIn(
  store: Pick<Store, "groups" | "candidates">,
): (incident: string) => Recollection {
  return (incident) => {
    const groups = store.groups(incident);
    const tried = groups
      .slice(0, MOST_GROUPS)
      .map(({ id }) => store.candidates({ groupId: id, limit: MOST_CANDIDATES }));
    const lessons = tried.flatMap(bestBesideWorst).slice(0, MOST_LESSONS).map(lessonOf);
    return { lessons, ancestors: ancestorsAmong(tried.flat()), groups: groups.length };
  };
}

function bestBesideWorst(all: readonly CandidateRecord[]): readonly CandidateRecord[] {
  const known = all.filter(({ candidate }) => candidate.edits.length > 0);
  const ranked = known.toSorted((a, b) => b.verification.reward - a.verification.reward);
  return [...new Set([ranked[0], ranked.at(-1)])].filter((one) => one !== undefined);
}

/** Each text once: what could be made of the source, and passes some case. */
function ancestorsAmong(tried: readonly CandidateRecord[]): readonly Ancestor[] {
  const made = tried.filter(
    ({ candidate, verification }) => candidate.digest !== "" && verification.reward > 0,
  );
  const byDigest = new Map(made.map((one) => [one.candidate.digest, one] as const));
  return [...byDigest.values()].map(({ candidate: { id, source }, verification }) => {
    const children = tried.filter(({ candidate }) => candidate.origin.parent === id).length;
    const { reward } = verification;
    return { id, source, children, reward, became: whatBecame(verification) };
  });
}

function lessonOf({ candidate, verification }: CandidateRecord): Lesson {
  const code = candidate.edits.map(textOf).join("\n");
  const { reward } = verification;
  return { reason: candidate.reason, code, became: whatBecame(verification), reward };
}

function whatBecame(verification: CandidateRecord["verification"]): string {
  const failed = verification.verdicts.find(({ status }) => status === "fail");
  if (failed === undefined) return `it is ${statusOf(verification)}`;
  return TOLD.has(failed.gate)
    ? `refused: ${failed.gate}: ${failed.reason}`
    : "refused: it is wrong on other inputs";
}

function textOf(edit: Edit): string {
  return edit.op === "splice" ? edit.text : edit.code;
}
