import type { Database } from "better-sqlite3";
import type { Claim } from "../../domain/claim.ts";
import type { Store } from "../../ports/store.ts";
import { pack, unpack, type Packed } from "./packed.ts";

type ClaimMethods = Pick<Store, "addClaim" | "claims" | "countClaims">;

type Row = Omit<Claim, "by" | "expectation"> & {
  readonly door: Claim["by"]["door"];
  readonly name: string;
  readonly expectation: Packed<Claim["expectation"]>;
};

const COLUMNS = `id, skill, subject, door, name, run_id AS runId, version, incident_id AS incidentId,
  expectation, reason, at, times`;

/** Claims: one row for each claimant and question, with the claimant's last word. */
export function claimsIn(db: Database): ClaimMethods {
  const upsert = db.prepare<[object], Row>(
    `INSERT INTO claims (id, skill, subject, door, name, run_id, version, incident_id, expectation,
       reason, at, times)
     VALUES (:id, :skill, :subject, :door, :name, :runId, :version, :incidentId, :expectation,
       :reason, :at, 1)
     ON CONFLICT (skill, subject, door, name) DO UPDATE SET run_id = :runId, version = :version,
       incident_id = :incidentId, expectation = :expectation, reason = :reason, at = :at,
       times = times + 1
     RETURNING ${COLUMNS}`,
  );
  const bySubject = db.prepare<[string, string], Row>(
    `SELECT ${COLUMNS} FROM claims WHERE skill = ? AND subject = ? ORDER BY seq LIMIT 100`,
  );
  const byIncident = db.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM claims WHERE incident_id = ? ORDER BY seq LIMIT 100`,
  );
  const count = db.prepare<[object], number>(
    `SELECT coalesce(sum(times), 0) FROM claims WHERE at >= :since
       AND (:skill IS NULL OR skill = :skill)
       AND (:door IS NULL OR (door = :door AND name = :name))`,
  );
  return {
    addClaim({ by, expectation, ...claim }) {
      const row = upsert.get({ ...claim, ...by, expectation: pack(expectation) });
      if (row === undefined) throw new Error("a claim that was just kept is there");
      return claimOf(row);
    },
    claims: (of) =>
      ("incident" in of ? byIncident.all(of.incident) : bySubject.all(of.skill, of.subject)).map(
        claimOf,
      ),
    countClaims: ({ since, skill = null, by = null }) =>
      count.pluck().get({ since, skill, door: by?.door ?? null, name: by?.name ?? null }) ?? 0,
  };
}

function claimOf({ door, name, expectation, ...row }: Row): Claim {
  return { ...row, by: { door, name }, expectation: unpack(expectation) };
}
