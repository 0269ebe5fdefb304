import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import path from "node:path";
import Database from "better-sqlite3";
import { HoneError } from "../../src/domain/errors.ts";
import { canonical, type Json } from "../../src/domain/json.ts";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import type { Person } from "./person.ts";

type Place = { readonly workspace: TestWorkspace; readonly person: Person };

/** Every gate that a release has to pass; `hone` alone decides about none of them. */
const GATES = [
  "parse",
  "policy",
  "types",
  "failing-case",
  "regression",
  "differential",
  "conduct",
  "held-out",
  "acceptance",
  "approval",
];

/**
 * What must be true of a workspace after any fault, whether hone is open on it, has been killed, or
 * has been started again. `recovered`: nothing may be half done any more.
 */
export function assertSound(
  { workspace, person }: Place,
  { recovered }: { readonly recovered: boolean },
): void {
  const found = workspace.git("fsck", "--full", "--strict", "--no-dangling", "--no-progress");
  assert.equal(found, "", "git fsck");
  person.assertUntouched();
  withLedger(workspace, (db) => {
    assert.equal(db.pragma("integrity_check", { simple: true }), "ok", "the ledger's integrity");
    assert.deepEqual(db.pragma("foreign_key_check"), [], "the ledger's references");
    assertReleases(workspace, db, recovered);
    assertTasks(db, recovered);
  });
}

/** Reads the ledger beside whoever has it open. */
export function withLedger<T>({ dir }: TestWorkspace, read: (db: Database.Database) => T): T {
  const db = new Database(path.join(dir, "data/run/hone.db"), { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

type Row = { readonly commit_id: string; readonly state: string; readonly skill: string };

/** Ledger and git tell the same, and what git has was proven: each release has its evidence. */
function assertReleases(workspace: TestWorkspace, db: Database.Database, recovered: boolean): void {
  const rows = db.prepare("SELECT commit_id, state, skill FROM releases").all() as Row[];
  const made = madeIn(workspace);
  const known = rows.filter(({ state }) => state !== "aborted" && state !== "pending");
  for (const { commit_id: commit } of known) {
    assert.ok(made.has(commit), `the ledger's release ${commit} is in git`);
  }
  if (recovered) {
    assert.deepEqual(
      rows.filter(({ state }) => state === "pending"),
      [],
      "no release is half made",
    );
    const told = new Set(known.map(({ commit_id: commit }) => commit));
    assert.deepEqual(
      [...made.keys()].filter((commit) => !told.has(commit)),
      [],
      "git has no release that the ledger does not know",
    );
  }
  for (const [commit, trailers] of made) assertProven(workspace, commit, trailers);
}

type Trailers = { readonly gates: string; readonly evidence: string; readonly approvedBy: string };

/** The releases and rollbacks of the branch `hone`, by their commits. */
function madeIn(workspace: TestWorkspace): ReadonlyMap<string, Trailers> {
  const fields = ["Hone-Gates", "Hone-Evidence", "Hone-Approved-By", "Hone-Reverts"].map(
    (key) => `%(trailers:key=${key},valueonly,separator=)`,
  );
  const lines = workspace.git("log", `--format=%H|${fields.join("|")}`, "hone").split("\n");
  const made = new Map<string, Trailers>();
  for (const line of lines) {
    const [commit = "", gates = "", evidence = "", approvedBy = "", reverts = ""] = line.split("|");
    if (evidence !== "" || reverts !== "") made.set(commit, { gates, evidence, approvedBy });
  }
  return made;
}

/** A release has passed every gate, and its evidence is the one that its trailer names. */
function assertProven(workspace: TestWorkspace, commit: string, trailers: Trailers): void {
  const { gates, evidence, approvedBy } = trailers;
  if (evidence === "") return;
  const verdicts = new Map(gates.split(" ").map((each) => each.split("=") as [string, string]));
  const allowed = approvedBy === "" ? ["pass"] : ["pass", "needs-data"];
  for (const gate of GATES) {
    assert.ok(allowed.includes(verdicts.get(gate) ?? ""), `${commit} passed the gate ${gate}`);
  }
  const note = workspace.git("notes", "--ref=hone", "show", commit);
  const digest = createHash("sha256")
    .update(canonical(JSON.parse(note) as Json))
    .digest("hex");
  assert.equal(evidence, `sha256:${digest}`, `the evidence of ${commit}`);
}

/** No task is lost, and none has run twice. */
function assertTasks(db: Database.Database, recovered: boolean): void {
  const twice = db.prepare("SELECT task_id FROM runs GROUP BY task_id HAVING count(*) > 1").all();
  assert.deepEqual(twice, [], "no task has two runs");
  const lost = db
    .prepare(
      "SELECT id FROM tasks WHERE state = 'done' AND run_id NOT IN (SELECT id FROM runs) OR state = 'failed' AND error IS NULL",
    )
    .all();
  assert.deepEqual(lost, [], "each task that ended has its run or its reason");
  if (!recovered) return;
  const running = db.prepare("SELECT id FROM tasks WHERE state = 'running'").all();
  assert.deepEqual(running, [], "no task is under way that nobody works on");
}

/** The version that is served is the one at the head of `hone`. */
export async function assertServesTheHead(
  { operations }: Pick<OpenWorkspace, "operations">,
  { workspace }: Place,
  skill: string,
): Promise<void> {
  const { version } = await operations.skill({ name: skill });
  const active = workspace.git("log", "-1", "--format=%H", "hone", "--", `skills/${skill}`);
  assert.equal(version, active, "the active version is the head's");
}

/** An error of the world is one clear sentence with a hint, and no stack. */
export function assertClear(error: unknown): HoneError {
  if (!(error instanceof HoneError)) throw error;
  assertSentence(error.message);
  assert.notEqual(error.hint, "", `"${error.message}" has a hint`);
  assertSentence(error.hint);
  return error;
}

/** A reason as it is told in the status, in an event or to a caller. */
export function assertSentence(reason: string): void {
  assert.ok(reason.length > 10 && reason.length < 500, `"${reason}" is a sentence`);
  assert.doesNotMatch(reason, /\n\s+at |\[object|undefined|\bnull\b|node:internal/, reason);
}

/** What the ledger counts: an error of the world may add to none of them. */
export function countsOf(workspace: TestWorkspace): Readonly<Record<string, number>> {
  return withLedger(workspace, (db) => {
    const count = (sql: string): number =>
      (db.prepare(`SELECT count(*) AS n FROM ${sql}`).get() as { n: number }).n;
    return {
      scores: count("runs WHERE score IS NOT NULL"),
      incidents: count("incidents"),
      groups: count("groups"),
      released: count("releases WHERE state IN ('watching', 'kept') AND reverts IS NULL"),
      rollbacks: count("releases WHERE reverts IS NOT NULL AND state <> 'aborted'"),
    };
  });
}
