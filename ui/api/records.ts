import type { Incident } from "./answers.ts";

/** What the verbs answer that show one record whole, as far as the dashboard shows it. */

export type Evidence = {
  readonly digest: string;
  readonly isWhole: boolean;
  readonly evidence: {
    readonly reason: string;
    readonly rewardBefore: number;
    readonly rewardAfter: number;
    readonly approvedBy: string | null;
    readonly docker: string;
    readonly incident: { readonly summary: string };
    readonly failingCase: { readonly name: string };
    readonly outcomes: Readonly<Record<string, unknown>>;
    readonly verdicts: readonly Pick<Gate, "gate" | "status" | "reason">[];
  };
};

export type Gate = {
  readonly gate: string;
  readonly status: string;
  readonly reason: string;
  readonly durationMs: number;
  readonly score: number | null;
};

type Rival = {
  readonly reason: string;
  readonly confidence: number;
  readonly differsOn: {
    readonly input: string;
    readonly chosen: string;
    readonly rival: string;
  } | null;
};

export type CandidateRow = {
  readonly candidate: string;
  readonly proposer: string;
  readonly operator: string;
  readonly model: string | null;
  readonly state: string;
  readonly reward: number;
  readonly advantage: number | null;
  readonly reason: string;
  readonly change: string;
  readonly confidence: number | null;
  readonly rivals: readonly Rival[];
  readonly size: number;
  readonly gates: readonly Gate[];
};

export type Candidate = CandidateRow & {
  readonly skill: string;
  readonly incident: string;
  readonly waitsFor: string;
  readonly file: string;
  readonly parent: string | null;
  readonly parentSource: string | null;
  readonly source: string;
  /** Null where it cannot be told. */
  readonly capabilities: readonly string[] | null;
};

export type Exchange = { readonly kind: string; readonly args: unknown; readonly answer: unknown };

export type Example = {
  readonly run: string;
  readonly version: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly reward: { readonly status: string; readonly score?: number };
  readonly input: unknown;
  readonly expectation: unknown;
  readonly trace: {
    readonly exchanges: readonly Exchange[];
    readonly logs: readonly {
      readonly level?: string;
      readonly message?: string;
      readonly text?: string;
    }[];
    readonly outcome: unknown;
  } | null;
};

export type Group = {
  readonly group: string;
  readonly at: number;
  readonly result: string;
  readonly reason: string;
  readonly tried: number;
  readonly durationMs: number;
  readonly candidates: readonly CandidateRow[];
};

/** What somebody says of a run; it proves nothing. */
export type Claim = {
  readonly by: string;
  readonly expected?: unknown;
  readonly throws?: string;
  readonly reason: string;
  readonly at: number;
  readonly times: number;
};

export type Suspicious = { readonly line: number; readonly score: number; readonly text: string };

export type IncidentDetail = Omit<Incident, "id" | "claims"> & {
  readonly claims: readonly Claim[];
  readonly incident: string;
  readonly source: string | null;
  readonly diagnosis: {
    readonly summary: string;
    readonly failing: {
      readonly name: string;
      readonly args: unknown;
      readonly expectation: unknown;
      readonly outcome: unknown;
      readonly reason: string;
    };
    readonly suspicious: readonly Suspicious[];
  } | null;
  readonly examples: readonly Example[];
  readonly groups: readonly Group[];
  readonly releases: readonly {
    readonly commit: string;
    readonly state: string;
    readonly reverts: string | null;
    readonly releasedAt: number;
    readonly reason: string;
  }[];
};
