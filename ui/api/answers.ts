/** What the daemon's verbs answer, as far as the dashboard shows it. */

type Interval = { readonly low: number; readonly high: number };

export type Reckoning = {
  readonly runs: number;
  readonly scored: number;
  readonly meanReward: number | null;
  readonly interval?: Interval | null;
};

export type GateCount = { readonly gate: string; readonly candidates: number };

type Counts = Reckoning & {
  readonly incidents: number;
  readonly repaired: number;
  readonly releases: number;
  readonly rollbacks: number;
  readonly refused: number;
};

export type ReleaseEffect = {
  readonly commit: string;
  readonly skill: string;
  readonly previous: string;
  readonly incidentId: string | null;
  readonly reverts: string | null;
  readonly state: string;
  readonly releasedAt: number;
  readonly reason: string;
  readonly before: Reckoning;
  readonly after: Reckoning;
};

export type Activity = {
  readonly from: number;
  readonly to: number;
  readonly days: number;
  readonly stepMs: number;
  readonly rewards: readonly (Reckoning & { readonly at: number })[];
  readonly counts: Counts & { readonly before: Counts };
  readonly trends: readonly (Reckoning & { readonly skill: string; readonly before: Reckoning })[];
  readonly releases: readonly ReleaseEffect[];
  readonly refusals: readonly {
    readonly id: string;
    readonly incidentId: string;
    readonly skill: string;
    readonly reason: string;
    readonly tried: number;
    readonly at: number;
    readonly gates: readonly GateCount[];
  }[];
  readonly refusedBy: readonly GateCount[];
  readonly lastEvent: number;
  /** By whom repairs are paused, and why. */
  readonly paused: string | null;
  /** Under which name decisions are recorded. */
  readonly you: string;
};

export type Waiting = {
  readonly candidate: string;
  readonly skill: string;
  readonly change: string;
  readonly confidence: number | null;
  readonly reason: string;
};

export type Status = {
  readonly workspace: string;
  readonly head: string;
  readonly docker: "off" | "ready" | "unavailable";
  readonly engine?: string;
  readonly model: string;
  readonly served?: string;
  readonly openIncidents: number;
  readonly unscored: number;
  readonly badReward: number;
  readonly problems: readonly string[];
  readonly waiting: readonly Waiting[];
  readonly publication: string;
  readonly tasks: Readonly<Record<string, number>>;
};

export type SkillRow = {
  readonly name: string;
  readonly version?: string;
  readonly description: string;
  readonly kind?: string;
  readonly stands?: string;
  readonly runs?: number;
  readonly meanReward?: number | null;
  readonly cases?: number;
  readonly problems?: readonly string[];
};

export type Skills = {
  readonly skills: readonly SkillRow[];
  readonly uncommitted: readonly string[];
  readonly problems: readonly string[];
};

export type Incident = {
  readonly id: string;
  readonly skill: string;
  readonly version: string;
  readonly failureClass: string;
  readonly summary: string;
  readonly state: string;
  readonly runs: number;
  readonly rejections: number;
  readonly openedAt: number;
  readonly nextAt: number | null;
  readonly note: string;
};

export type Incidents = { readonly incidents: readonly Incident[] };

export type LogVersion = Reckoning & {
  readonly commit: string;
  readonly at: number;
  readonly author: string;
  readonly subject: string;
  readonly state: string;
  readonly reward: string | null;
};

export type Log = { readonly skill: string; readonly versions: readonly LogVersion[] };

export type Skill = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly manifest: {
    readonly kind: string;
    readonly review?: string;
    readonly capabilities?: unknown;
    readonly reward?: { readonly threshold?: number };
  };
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly cases: readonly {
    readonly name: string;
    readonly args: unknown;
    readonly expectation: unknown;
  }[];
  readonly uncommitted: readonly string[];
  readonly source: string;
};

export type Diff = {
  readonly skill: string;
  readonly from: string;
  readonly to: string;
  readonly diff: string;
};

export type Gate = {
  readonly gate: string;
  readonly status: string;
  readonly reason: string;
  readonly durationMs: number;
  readonly score: number | null;
};

export type Rival = {
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

export type Suspicious = { readonly line: number; readonly score: number; readonly text: string };

export type IncidentDetail = Omit<Incident, "id"> & {
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
