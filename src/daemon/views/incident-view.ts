import { nextTryAt, type Diagnosis } from "../../domain/incident.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { House } from "../../ports/house.ts";
import type { CandidateRecord, GroupRecord } from "../../ports/store.ts";
import { candidateRow } from "./candidate-row.ts";
import { claimRows } from "./claim-rows.ts";
import { incidentNamed, releasesFor } from "./incident-history.ts";
import { runView, shortened } from "./trace-view.ts";

/** Runs of an incident that are shown with their traces, and candidates of a group. */
const MOST_RUNS = 10;
const MOST_CANDIDATES = 50;

/**
 * All that is known of an incident: its runs with their traces (long texts cut), what reflection
 * found in the source, every group with its candidates, their gates, rewards and advantages, and the
 * releases that came of it.
 */
export async function incidentView(start: string, house: House): Promise<JsonObject> {
  const { store, library, now } = house;
  const found = incidentNamed(start, house);
  const { id, skill, version, ...facts } = found;
  const groups = store.groups(id);
  const [latest] = groups;
  const source = (await library.at(skill, version).catch(() => null))?.source ?? null;
  return {
    schemaVersion: 1,
    incident: id,
    skill,
    version,
    ...facts,
    nextAt: nextTryAt(found, now()),
    source,
    diagnosis: latest === undefined ? null : diagnosisView(latest.diagnosis, source),
    claims: claimRows(id, house),
    examples: store.runsOf(id, MOST_RUNS).map((run) => shortened(runView(run))),
    groups: groups.map((group) => groupView(group, store)),
    releases: releasesFor(found, { store }),
  };
}

/** The lines are those of the source that reflection looked at: the version of the incident, mostly. */
function diagnosisView(
  { summary, failureClass, failing, suspicions }: Omit<Diagnosis, "judged">,
  source: string | null,
): JsonObject {
  const lines = source?.split("\n") ?? [];
  const { name, args, expectation } = failing.case;
  return {
    summary,
    failureClass,
    failing: shortened({
      name,
      args,
      expectation: { ...expectation },
      outcome: failing.outcome as unknown as JsonObject,
      reason: failing.reason,
    }),
    suspicious: suspicions
      .slice(0, 10)
      .map(({ line, score }) => ({ line, score, text: lines[line - 1] ?? "" })),
  };
}

function groupView(group: GroupRecord, store: House["store"]): JsonObject {
  const { id, at, result, reason, tried, durationMs } = group;
  const records = store.candidates({ groupId: id, limit: MOST_CANDIDATES });
  return { group: id, at, result, reason, tried, durationMs, candidates: records.map(gatedRow) };
}

/** A candidate with what each gate said of it, in order. */
export function gatedRow(record: CandidateRecord): JsonObject {
  const gates = record.verification.verdicts.map(
    ({ gate, status, reason, durationMs, score = null }) => {
      return { gate, status, reason, durationMs, score };
    },
  );
  return { ...candidateRow(record), size: record.candidate.size, gates };
}
