import type { FetchRule } from "./case.ts";

const GATE_NAMES = [
  "parse",
  "policy",
  "types",
  "failing-case",
  "regression",
  "differential",
  "conduct",
  "held-out",
  "docker",
  "acceptance",
  "approval",
] as const;
export type GateName = (typeof GATE_NAMES)[number];

const VERDICT_STATUSES = ["pass", "fail", "needs-data", "infra-error"] as const;
export type VerdictStatus = (typeof VERDICT_STATUSES)[number];

/** What a candidate ran in besides an isolate. */
export type ContainerRun = {
  /** Such as `Docker 20.10.24`. */
  readonly engine: string;
  /** Digest of the image. */
  readonly image: string;
};

/** The answer of one gate about one candidate, kept with its reason. */
export type Verdict = {
  readonly gate: GateName;
  readonly status: VerdictStatus;
  readonly reason: string;
  readonly durationMs: number;
  /** What the gate saw of the world while it ran: new recordings, added to the cases. */
  readonly recorded?: readonly FetchRule[];
  /** It waits for a person because of what it is, not because too little is known of it. */
  readonly isCritical?: boolean;
  /** It waits because it is not sure enough, so that one which is less sure would wait too. */
  readonly isUnsure?: boolean;
  /** Share of the visible cases that pass, in [0,1], where the gate counted them. */
  readonly score?: number;
  /** Cases that nobody who proposes has seen, which were asked and pass; absent where none are. */
  readonly unseenPassed?: number;
  /** Where it ran in a container; null where it should have and there was no engine. */
  readonly container?: ContainerRun | null;
};

/** All verdicts of a candidate, in order; the first failure ended it. */
export type Verification = {
  readonly candidateId: string;
  readonly verdicts: readonly Verdict[];
  /** Share of visible cases that pass, in [0,1]: the reward of the candidate in its group. */
  readonly reward: number;
};

/** The worst verdict decides; a gate that could not run is never a pass. */
export function statusOf(verification: Verification): VerdictStatus {
  const seen = new Set(verification.verdicts.map(({ status }) => status));
  if (seen.has("fail")) return "fail";
  if (seen.has("infra-error")) return "infra-error";
  return seen.has("needs-data") || seen.size === 0 ? "needs-data" : "pass";
}

/** Whether hone may release it without asking anyone. */
export function isReleasable(verification: Verification): boolean {
  return statusOf(verification) === "pass";
}

/** Whether a candidate passed in a container, and in which; `off`: it was not to. */
export function containerIn({ verdicts }: Verification): {
  readonly docker: "off" | "unavailable" | "passed";
  readonly container: ContainerRun | null;
} {
  const container = verdicts.find(({ gate }) => gate === "docker")?.container;
  if (container === undefined) return { docker: "off", container: null };
  return { docker: container === null ? "unavailable" : "passed", container };
}

/**
 * Whether nothing but a person's word is wanting. To look further then would be to look for a patch
 * that gets by without asking.
 */
export function asksAPerson(verification: Verification): boolean {
  if (statusOf(verification) !== "needs-data") return false;
  return verification.verdicts.every(
    ({ status, isCritical = false }) => status === "pass" || isCritical,
  );
}

/** Whether the text of a candidate raises a question that a person has to answer. */
export function isSuspect({ verdicts }: Verification): boolean {
  return verdicts.some(({ gate, status }) => gate === "policy" && status === "needs-data");
}

/** Everything that a candidate waits for, in one line. */
export function waitsFor({ verdicts }: Verification): string {
  return verdicts
    .filter(({ status }) => status === "needs-data")
    .map(({ reason }) => reason)
    .join("; ");
}

/** All that the gates had to ask of the live world. */
export function recordedIn({ verdicts }: Verification): readonly FetchRule[] {
  return verdicts.flatMap(({ recorded }) => recorded ?? []);
}
