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

type CandidateRow = {
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
};

export type WaitingDetail = {
  readonly candidate: string;
  readonly change: string;
  readonly confidence: number | null;
  readonly reason: string;
  readonly source: string;
};

export type Why = { readonly waiting?: readonly WaitingDetail[] };

export type WhyIncident = {
  readonly incident: string;
  readonly skill: string;
  readonly version: string;
  readonly failureClass: string;
  readonly summary: string;
  readonly state: string;
  readonly note: string;
  readonly runs: number;
  readonly rejections: number;
  readonly openedAt: number;
  readonly failingCase: { readonly name: string; readonly args: unknown } | null;
  readonly suspicious: readonly { readonly line: number; readonly score: number }[];
  readonly groups: readonly {
    readonly at: number;
    readonly result: string;
    readonly reason: string;
    readonly tried: number;
  }[];
  readonly candidates: readonly CandidateRow[];
  readonly releases: readonly {
    readonly commit: string;
    readonly state: string;
    readonly releasedAt: number;
    readonly reason: string;
  }[];
};
