import type { Database } from "better-sqlite3";
import { HoneError } from "../../domain/errors.ts";
import type { Release } from "../../domain/release.ts";
import type { ReleaseRecord, Store } from "../../ports/store.ts";
import { durably } from "./connection.ts";
import { newestIn } from "./newest.ts";
import { pack, unpack, type Packed } from "./packed.ts";

/** A row of `releases`, as `COLUMNS` names it. */
export type ReleaseRow = Omit<ReleaseRecord, "evidence"> & {
  readonly evidence: Packed<ReleaseRecord["evidence"]>;
};

type ReleaseMethods = Pick<
  Store,
  "addPendingRelease" | "setRelease" | "promote" | "release" | "releases" | "watched"
>;

const FACTS = `commit_id AS "commit", skill, previous, incident_id AS incidentId,
  candidate_id AS candidateId, reverts, state, released_at AS releasedAt, reason`;
const COLUMNS = `${FACTS}, evidence`;

/**
 * Releases. Their writes are on the disk when they return, even against the loss of power: the
 * pending row must not be younger than the ref that it announces. A commit that was aborted may
 * become pending again.
 */
export function releasesIn(db: Database): ReleaseMethods {
  const insert = db.prepare(
    `INSERT INTO releases (commit_id, skill, previous, incident_id, candidate_id, reverts, state,
       released_at, reason, evidence)
     VALUES (:commit, :skill, :previous, :incidentId, :candidateId, :reverts, 'pending',
       :releasedAt, :reason, :evidence)
     ON CONFLICT (commit_id) DO UPDATE SET state = 'pending', reason = excluded.reason,
       released_at = excluded.released_at, evidence = excluded.evidence
     WHERE state = 'aborted'`,
  );
  const change = db.prepare("UPDATE releases SET state = ?, reason = ? WHERE commit_id = ?");
  const select = db.prepare<[string], ReleaseRow>(
    `SELECT ${COLUMNS} FROM releases WHERE commit_id = ?`,
  );
  const placeOf = db
    .prepare<[string], number>("SELECT seq FROM releases WHERE commit_id = ?")
    .pluck();
  const newest = newestIn(db, "releases", COLUMNS);
  // Asked with each live run, so that evidence is left where it is.
  const watched = db.prepare<[string], Release>(
    `SELECT ${FACTS} FROM releases WHERE skill = ? AND state = 'watching' ORDER BY seq DESC`,
  );
  const promote = promotionIn(db);

  return {
    addPendingRelease(release) {
      durably(db, () => insert.run({ ...release, evidence: pack(release.evidence) }));
    },
    setRelease(commit, state, reason) {
      const { changes } = durably(db, () => change.run(state, reason, commit));
      if (changes === 0) throw new HoneError("not-found", `the ledger knows no release ${commit}`);
    },
    promote(commit) {
      durably(db, () => {
        const row = select.get(commit);
        if (row?.state === "pending") promote(row);
      });
    },
    release(commit) {
      const row = select.get(commit);
      return row === undefined ? null : recordOf(row);
    },
    /** Newest first. */
    releases({ before, ...query }) {
      const place = before === undefined ? {} : { before: placeOf.get(before) ?? 0 };
      return newest({ ...query, ...place }).map(recordOf);
    },
    watched: (skill) => watched.all(skill),
  };
}

/** The steps of `promote`, to be taken in one transaction. */
function promotionIn(db: Database): (row: ReleaseRow) => void {
  const change = db.prepare("UPDATE releases SET state = ?, reason = ? WHERE commit_id = ?");
  const repair = db.prepare("UPDATE incidents SET state = 'repaired', note = ? WHERE id = ?");
  const decide = db.prepare(
    `UPDATE candidates SET state = ?
     WHERE seq = (SELECT max(seq) FROM candidates WHERE id = ?)`,
  );
  const candidateOf = db
    .prepare<[string], string | null>("SELECT candidate_id FROM releases WHERE commit_id = ?")
    .pluck();

  return ({ commit, reverts, incidentId, candidateId, reason }) => {
    if (reverts === null) {
      change.run("watching", reason, commit);
      repair.run(reason, incidentId);
      decide.run("released", candidateId);
      return;
    }
    change.run("rolled-back", reason, reverts);
    change.run("kept", reason, commit);
    // Its candidate counts as refused, so that it is not tried again.
    decide.run("rejected", candidateOf.get(reverts) ?? null);
  };
}

function recordOf(row: ReleaseRow): ReleaseRecord {
  return { ...row, evidence: unpack(row.evidence) };
}
