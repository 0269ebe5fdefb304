import { choose, type Attempt } from "../domain/group.ts";
import type { Skill } from "../domain/skill.ts";
import { examineInBrief } from "../examine/in-brief.ts";
import { repair } from "../repair.ts";
import type { Workshop } from "../ports/house.ts";
import { reflect } from "../stages/3-reflect.ts";
import { firstFailing, skillOf, type Known } from "./subject-skill.ts";

/** What a repair from the visible tests alone came to. */
export type Repaired = {
  readonly status: "patched" | "needs-data" | "unrepaired" | "error";
  readonly reason: string;
  /** The skill as the chosen patch leaves it, or as the one that waits for a person would. */
  readonly patched: Skill | null;
  readonly attempt: Attempt | null;
  /** Programs run in search of candidates. */
  readonly candidates: number;
  readonly ms: number;
};

/** Repairs one subject's source. It is handed what a repair may know, and nothing else. */
export async function repairSubject(
  known: Known,
  source: string,
  {
    shop,
    budgetMs,
    signal,
  }: {
    readonly shop: Workshop;
    readonly budgetMs: number;
    readonly signal: AbortSignal;
  },
): Promise<Repaired> {
  const startedAt = performance.now();
  const ended = (of: Omit<Repaired, "ms">): Repaired => ({
    ...of,
    ms: performance.now() - startedAt,
  });
  const nothing = { patched: null, attempt: null, candidates: 0 };
  const skill = await skillOf(known, source, shop.editor, signal);
  if (!("source" in skill)) {
    return ended({ ...nothing, status: "unrepaired", reason: skill.join("; ") });
  }
  const ports = { ...shop, unrecorded: "closed" as const };
  const { judged } = await examineInBrief({ skill, cases: skill.cases }, ports, signal);
  const failing = firstFailing(judged);
  if (failing === null) {
    return ended({ ...nothing, status: "needs-data", reason: "every visible test passes" });
  }
  const asked = { incidentId: known.id, skill, failing, tried: [] };
  const reflection = await reflect(asked, ports, signal);
  if (reflection.status !== "diagnosed") {
    return ended({ ...nothing, status: "error", reason: `reflection: ${reflection.status}` });
  }
  const { diagnosis } = reflection;
  const work = { skill, diagnosis, seed: 1, budgetMs, candidates: 20 };
  const group = await repair(work, shop, signal);
  const choice = choose(group);
  const candidates = group.tried;
  switch (choice.status) {
    case "release": {
      const { patched, attempt } = choice;
      return ended({
        status: "patched",
        reason: attempt.candidate.reason,
        patched,
        attempt,
        candidates,
      });
    }
    case "ask": {
      const { attempt, reason } = choice;
      return ended({ patched: attempt.patched, status: "needs-data", reason, attempt, candidates });
    }
    case "infra-error":
      return ended({ ...nothing, status: "error", reason: choice.reason, candidates });
    case "no-change":
      return ended({ ...nothing, status: "unrepaired", reason: choice.reason, candidates });
  }
}
