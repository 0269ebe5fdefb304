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

type Alarm = {
  readonly kind: string;
  readonly skill: string;
  readonly cause: string;
  readonly text: string;
  readonly raisedAt: number;
};

/** A release under watch beside the version before it. */
type Canary = {
  readonly skill: string;
  readonly commit: string;
  /** Share of the live work, in [0,1]. */
  readonly share: number;
  readonly reason: string;
  readonly runs: number;
  readonly meanReward: number | null;
  readonly meanBefore: number | null;
  readonly shadows: number;
  readonly shadowsDiffer: number;
};

export type Pin = { readonly skill: string; readonly version: string; readonly by: string };

export type Status = {
  readonly alarms: readonly Alarm[];
  readonly canaries: readonly Canary[];
  readonly pins: readonly Pin[];
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
  /** How many clients claim that it is wrong. */
  readonly claims: number;
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
