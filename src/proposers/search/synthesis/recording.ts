import type { JudgedCase } from "../../../domain/incident.ts";
import type { Noted, NotedContext, NotedRun, Probe } from "../../../ports/editor.ts";
import type { ProposalRequest } from "../../../ports/proposer.ts";
import { angelsOf, type Angels } from "./angels.ts";
import { probed, type Probed, type ProbePorts } from "./probing.ts";
import type { ProbePlan } from "./recorder.ts";
import { encoded } from "./values.ts";

/** Cases that are noted at most, failing ones first. */
const MOST_CASES = 20;

/** Turns of one hole that are noted in the failing case, and in all that pass together. */
const TURNS = 14;
const TURNS_TOGETHER = 40;

/** Turns of loops and entries into functions in one call. */
const FUEL = 20_000;

/** One case, run twice: first to count the turns of each hole, then to note some of them. */
type Run = {
  readonly judged: JudgedCase;
  readonly counts: readonly number[];
  readonly said: Probed;
};

/**
 * Runs the visible cases through a probe, and the failing one again with values forced into its
 * holes. By hole, what is known of it; null where no single change there can help: some failing
 * case never comes by.
 */
export async function recordingOf(
  probe: Probe,
  request: ProposalRequest,
  ports: ProbePorts,
  signal: AbortSignal,
): Promise<readonly (Noted | null)[]> {
  const runs = await runsOf(probe, request, ports, signal);
  const [failing] = runs;
  if (failing === undefined || failing.judged.passed) return [];
  const failed = runs.filter(({ judged }) => !judged.passed);
  const isReached = probe.holes.map((_, hole) =>
    failed.every(({ counts }) => (counts[hole] ?? 0) > 0),
  );
  const reached = probe.holes.flatMap((_, hole) => (isReached[hole] === true ? [hole] : []));
  const { judged, said, counts } = failing;
  const ended = runs.filter((run) => run.said.outcome[0] !== "spent");
  const used = Math.max(0, ...ended.map((run) => run.said.used));
  const subject = { skill: request.skill, failing: judged, said, counts, holes: reached, used };
  const angels = await angelsOf(probe, subject, ports, signal);
  return probe.holes.map((_, hole) =>
    isReached[hole] === true ? notedAt(hole, runs, angels.get(hole)) : null,
  );
}

async function runsOf(
  probe: Probe,
  { skill, diagnosis: { failing, judged } }: ProposalRequest,
  ports: ProbePorts,
  signal: AbortSignal,
): Promise<readonly Run[]> {
  const others = judged
    .filter((one) => one.case.name !== failing.case.name)
    .toSorted((a, b) => Number(a.passed) - Number(b.passed));
  const all = [failing, ...others].slice(0, MOST_CASES);
  const watch = probe.holes.map(() => 1);
  const plan: ProbePlan = { watch, keep: [], force: null, fuel: FUEL };
  const first = all.map((one) => ({ case: one.case, plan }));
  const counted = await probed(probe, { skill, asked: first, fresh: true }, ports, signal);
  const passing = all.filter(({ passed }) => passed).length;
  const fewer = Math.max(2, Math.min(6, Math.floor(TURNS_TOGETHER / Math.max(1, passing))));
  const asked = all.map((one, at) => ({
    case: one.case,
    plan: { ...plan, keep: keptOf(counted[at]?.counts ?? [], one.passed ? fewer : TURNS) },
  }));
  const said = await probed(probe, { skill, asked, fresh: true }, ports, signal);
  return all.flatMap((one, at): Run[] => {
    const [counts, noted] = [counted[at]?.counts, said[at]];
    return counts && noted ? [{ judged: one, counts, said: noted }] : [];
  });
}

/** The first turns of each hole, and the last ones. */
function keptOf(counts: readonly number[], turns: number): ProbePlan["keep"] {
  const tail = Math.floor(turns / 2);
  return counts.map((count) => [turns - tail, count - tail]);
}

function notedAt(hole: number, runs: readonly Run[], angels: Angels | undefined): Noted | null {
  if (angels?.isIdle === true) return null;
  const contexts: NotedContext[] = [];
  const add = (notes: readonly NotedContext[], of: Omit<NotedRun, "from" | "to">): NotedRun => {
    const from = contexts.length;
    contexts.push(...notes.map(({ atoms, was }) => ({ atoms, was })));
    return { ...of, from, to: contexts.length };
  };
  const own = runs.flatMap(({ judged, counts, said }): NotedRun[] => {
    const notes = said.notes.filter((note) => note.hole === hole);
    const isComplete = notes.length === counts[hole] && said.outcome[0] !== "spent";
    if (notes.length === 0 && isComplete) return [];
    const { expectation } = judged.case;
    return [
      add(notes, {
        passed: judged.passed,
        isComplete,
        isForced: false,
        ...(expectation.kind === "value" ? { expected: encoded(expectation.value) } : {}),
      }),
    ];
  });
  const forced = (angels?.paths ?? []).map((notes) =>
    add(notes, { passed: false, isComplete: true, isForced: true }),
  );
  return {
    contexts,
    runs: [...own, ...forced],
    isExhaustive: angels?.isExhaustive ?? false,
  };
}
