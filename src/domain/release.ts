import type { Case } from "./case.ts";
import type { Json } from "./json.ts";
import type { ContainerRun, Verdict } from "./gate.ts";
import type { Origin } from "./candidate.ts";

const RELEASE_STATES = ["pending", "watching", "kept", "rolled-back", "aborted"] as const;
export type ReleaseState = (typeof RELEASE_STATES)[number];

/** A candidate that passed, as a git commit. A rollback is a release too: it names what it reverts. */
export type Release = {
  readonly commit: string;
  readonly skill: string;
  /** The version that was active before. */
  readonly previous: string;
  readonly incidentId: string | null;
  readonly candidateId: string | null;
  readonly reverts: string | null;
  readonly state: ReleaseState;
  readonly releasedAt: number;
  readonly reason: string;
};

/**
 * Everything needed to check a release again, offline, by a third party. Canonical JSON; its
 * SHA-256 stands in the commit's `Hone-Evidence` trailer and the document in refs/notes/hone.
 */
export type Evidence = {
  readonly schemaVersion: 1;
  readonly skill: string;
  readonly parent: string;
  /** SHA-256 of the text of each file of the skill, before and after. */
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  readonly incident: {
    readonly signature: string;
    readonly failureClass: string;
    readonly summary: string;
  };
  readonly origin: Origin;
  readonly reason: string;
  readonly rewardBefore: number;
  readonly rewardAfter: number;
  readonly verdicts: readonly Pick<Verdict, "gate" | "status" | "reason">[];
  /** The outcome of each case of the released version, as canonical text, by the case's name. */
  readonly outcomes: Readonly<Record<string, Json>>;
  readonly failingCase: Case;
  readonly approvedBy: string | null;
  /** `unavailable`: it was released without, since there was no engine. */
  readonly docker: "off" | "unavailable" | "passed";
  readonly container: ContainerRun | null;
  readonly tools: Readonly<Record<string, string>>;
};

/** What one release's watch knows. Rewards are in the order of the runs. */
export type WatchInput = {
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Scores of both versions for the same questions, beside the live runs; absent: none are asked for. */
  readonly pairs?: readonly { readonly before: number; readonly after: number }[];
};
