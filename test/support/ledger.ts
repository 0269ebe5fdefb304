import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Birth } from "../../src/domain/birth.ts";
import type { Candidate } from "../../src/domain/candidate.ts";
import type { Verdict } from "../../src/domain/gate.ts";
import type { Diagnosis, Incident } from "../../src/domain/incident.ts";
import type { Reward } from "../../src/domain/reward.ts";
import type { Run, Task } from "../../src/domain/task.ts";
import type { Outcome, Trace } from "../../src/domain/trace.ts";
import type { CandidateRecord, GroupRecord, ReleaseRecord } from "../../src/ports/store.ts";

/** A folder of its own that is gone when the test ends. */
export function temporaryFolder(t: { after(release: () => void): void }): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "hone-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function aTask(overrides: Partial<Task> = {}): Task {
  return {
    id: "task-1",
    skill: "parse-price",
    input: { text: "12 €" },
    expectation: null,
    source: "cli",
    createdAt: 1_000,
    ...overrides,
  };
}

export function aTrace(overrides: Partial<Trace> = {}): Trace {
  return {
    environment: { now: 1_000, seed: 7 },
    grants: [],
    steps: [],
    logs: [],
    outcome: { status: "returned", value: 12 },
    usage: { wallMs: 3, cpuMs: 2, heapBytes: 4_096 },
    ...overrides,
  };
}

/** A trace of one fetch: asked at once, answered `latencyMs` later. */
export function aFetchTrace(
  answer: { readonly status: number; readonly body?: string; readonly latencyMs?: number },
  outcome: Outcome = { status: "returned", value: null },
): Trace {
  const { status, body = '{"ok":true}', latencyMs = 5 } = answer;
  const url = "https://api.test/v1/items";
  return aTrace({
    grants: ["fetch"],
    steps: [
      {
        requests: [{ id: 1, kind: "fetch", args: { url, method: "GET", headers: {}, body: null } }],
        answers: [
          {
            id: 1,
            status: "resolved",
            value: {
              status,
              headers: { "content-type": "application/json" },
              body,
              url,
              redirected: false,
            },
          },
        ],
        now: 1_000 + latencyMs,
      },
    ],
    outcome,
  });
}

export function scored(score: number): Reward {
  return { status: "scored", score, components: { "code.outcome": score } };
}

export function aRun(overrides: Partial<Run> = {}): Run {
  return {
    id: "run-1",
    taskId: "task-1",
    skill: "parse-price",
    version: "v1",
    input: { text: "12 €" },
    expectation: null,
    trace: aTrace(),
    reward: scored(1),
    startedAt: 1_000,
    isHeldOut: false,
    ...overrides,
  };
}

export function anIncident(overrides: Partial<Incident> = {}): Incident {
  return {
    id: "incident-1",
    skill: "parse-price",
    version: "v1",
    signature: "parse-price|threw|TypeError",
    failureClass: "threw",
    summary: "threw TypeError",
    state: "open",
    firstRunId: "run-1",
    runs: 0,
    rejections: 0,
    openedAt: 1_000,
    retryAt: 0,
    note: "",
    ...overrides,
  };
}

export function aDiagnosis(overrides: Partial<Diagnosis> = {}): Omit<Diagnosis, "judged"> {
  return {
    incidentId: "incident-1",
    failureClass: "threw",
    failing: {
      case: { name: "one", args: ["x"], expectation: { kind: "value", value: 1 }, world: {} },
      outcome: { status: "returned", value: 2 },
      trace: aTrace(),
      passed: false,
      reason: "expected 1, got 2",
    },
    suspicions: [{ start: 0, end: 4, line: 1, score: 0.9 }],
    tried: [],
    summary: "a wrong value",
    ...overrides,
  };
}

export function aBirth(incidentId: string): Birth {
  const wanted = {
    name: "parse-price",
    description: "Reads a price.",
    parameters: [{ name: "text", type: "string" }],
    result: "number",
    capabilities: {},
    body: null,
    by: "Ann",
  };
  const of = {
    name: "one",
    args: ["1"],
    expectation: { kind: "value", value: 1 },
    world: {},
  } as const;
  const unborn = { commit: null, bornAt: null, verdict: null, note: "" };
  return { incidentId, wanted, visible: [of], heldOut: [{ ...of, name: "two" }], ...unborn };
}

export function aGroup(overrides: Partial<GroupRecord> = {}): GroupRecord {
  return {
    id: "group-1",
    incidentId: "incident-1",
    skill: "parse-price",
    signature: "parse-price|threw|TypeError",
    tried: 12,
    result: "no-change",
    reason: "no candidate passed",
    durationMs: 12.5,
    at: 2_000,
    diagnosis: aDiagnosis(),
    ...overrides,
  };
}

export function aCandidate(overrides: Partial<Candidate> = {}): Candidate {
  return {
    id: "candidate-1",
    incidentId: "incident-1",
    skill: "parse-price",
    edits: [{ op: "splice", start: 3, end: 4, text: "+" }],
    origin: { proposer: "search", operator: "arithmetic", seed: 1, parent: null },
    reason: "plus for minus",
    source: "export function parsePrice() {}",
    digest: "digest-1",
    size: 1,
    ...overrides,
  };
}

export function aCandidateRecord(
  candidate: Partial<Candidate> = {},
  overrides: Partial<Omit<CandidateRecord, "candidate">> & {
    readonly verdicts?: readonly Verdict[];
  } = {},
): CandidateRecord {
  const whole = aCandidate(candidate);
  const { verdicts = [], ...rest } = overrides;
  return {
    candidate: whole,
    groupId: "group-1",
    state: "rejected",
    advantage: null,
    verification: { candidateId: whole.id, verdicts, reward: 0.5 },
    ...rest,
  };
}

export function aRelease(overrides: Partial<ReleaseRecord> = {}): ReleaseRecord {
  return {
    commit: "c1",
    skill: "parse-price",
    previous: "v1",
    incidentId: "incident-1",
    candidateId: "candidate-1",
    reverts: null,
    state: "pending",
    releasedAt: 3_000,
    reason: "repairs parse-price",
    evidence: null,
    ...overrides,
  };
}
