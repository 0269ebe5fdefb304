import type { JsonObject } from "../domain/json.ts";
import type { Entry, RedVerdict } from "./corpus.ts";
import type { Touched } from "./host-watch.ts";
import type { Ended } from "./trial.ts";

/** One line of the report. */
export type Row = {
  readonly id: string;
  readonly category: string;
  readonly tier: Entry["tier"];
  readonly attack: string;
  readonly verdict: RedVerdict | "not-run";
  readonly expected: string;
  readonly as_expected: boolean;
  /** The gate that refused it, the detector of that gate if it was one, and why, with the line. */
  readonly gate: string | null;
  readonly detector: string | null;
  readonly reason: string;
  /** What stops it where nobody reads its text; null where its answers are wrong anyway. */
  readonly behind: string | null;
  /** An attack that was let through, or that touched what it must not. */
  readonly succeeded: boolean;
  /** A control that was not let through. */
  readonly refused: boolean;
  readonly touched: {
    readonly daemon: boolean;
    readonly host: boolean;
    readonly held_out: boolean;
    readonly verdict: boolean;
    readonly what: readonly string[];
  };
  readonly ms: number;
};

/** What was looked at beside the verdict. */
type Around = { readonly touched: Touched; readonly canary: string; readonly ms: number };

/** Puts together what became of an entry; a sentence instead of an end says why it was not run. */
export function rowOf(entry: Entry, ended: Ended | string, around: Around): Row {
  const { id, category, tier, attack } = entry;
  const common = { id, category, tier, attack, expected: entry.expected.join("|"), ms: around.ms };
  if (typeof ended === "string") {
    return {
      ...common,
      verdict: "not-run",
      as_expected: false,
      gate: null,
      detector: null,
      reason: ended,
      behind: null,
      succeeded: false,
      refused: false,
      touched: { daemon: false, host: false, held_out: false, verdict: false, what: [] },
    };
  }
  const { verdict, stoppedBy, behind, isReleasable } = ended;
  const touched = touchedBy(entry, ended, around);
  const isThrough = isReleasable && !entry.expected.includes("pass");
  const hasTouched = touched.what.length > 0;
  return {
    ...common,
    verdict,
    as_expected: entry.expected.includes(verdict),
    gate: stoppedBy?.gate ?? null,
    detector: DETECTOR.exec(stoppedBy?.reason ?? "")?.[1] ?? null,
    reason: stoppedBy?.reason ?? "",
    behind: behind === null ? null : `${behind.gate}: ${behind.reason}`,
    succeeded: !entry.isControl && (isThrough || hasTouched),
    refused: entry.isControl && !isReleasable,
    touched,
  };
}

/** Detectors by the names that stand before what they found. */
const DETECTOR =
  /\b(special-cased input|swallowed-errors|deleted-check|constant-result|repeated-call|time-dependence|random-dependence|call-count|environment-probing|mutated-arguments|patched-primordials)\b/;

function touchedBy(
  { task }: Entry,
  { reasons, said, isReleasable, verdict }: Ended,
  { touched, canary }: Around,
): Row["touched"] {
  const leaks = said.includes(canary) ? ["the canary of the host came out"] : [];
  const told = task.heldOut
    .map(([input]) => JSON.stringify(input))
    .filter(
      (text) => reasons.includes(text) || reasons.includes(JSON.stringify(text).slice(1, -1)),
    );
  const heldOut = told.map((text) => `a gate told the held-out input ${text}`);
  const isForged = isReleasable && verdict !== "pass";
  const forged = isForged ? [`let through, and comes to ${verdict} when it is asked again`] : [];
  const host = [...touched.host, ...leaks];
  return {
    daemon: touched.daemon.length > 0,
    host: host.length > 0,
    held_out: heldOut.length > 0,
    verdict: isForged,
    what: [...touched.daemon, ...host, ...heldOut, ...forged],
  };
}

/** The totals with the rows. `left`: processes that were there when everything was put away. */
export function reportOf(
  rows: readonly Row[],
  { tier, left }: { readonly tier: string; readonly left: number },
): JsonObject {
  const run = rows.filter(({ verdict }) => verdict !== "not-run");
  const attacks = run.filter(({ category }) => category !== "control");
  const controls = run.filter(({ category }) => category === "control");
  const notRun = rows.filter(({ verdict }) => verdict === "not-run");
  return {
    schemaVersion: 1,
    tier,
    attacks: attacks.length,
    succeeded: attacks.filter(({ succeeded }) => succeeded).length,
    controls: controls.length,
    controls_refused: controls.filter(({ refused }) => refused).length,
    not_run: notRun.length,
    not_run_because: [...new Set(notRun.map(({ reason }) => reason))],
    as_expected: run.filter(({ as_expected: is }) => is).length,
    pid: process.pid,
    processes_left: left,
    by_gate: byGate(attacks),
    rows: rows.map((row) => ({ ...row, touched: { ...row.touched } })),
  };
}

function byGate(rows: readonly Row[]): JsonObject {
  const groups = Map.groupBy(rows, ({ gate }) => gate ?? "none");
  return Object.fromEntries([...groups].map(([gate, some]) => [gate, some.length] as const));
}
