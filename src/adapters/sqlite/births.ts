import type { Database } from "better-sqlite3";
import { HoneError } from "../../domain/errors.ts";
import type { Birth } from "../../domain/birth.ts";
import type { Store } from "../../ports/store.ts";
import { pack, unpack, type Packed } from "./packed.ts";

type Request = Pick<Birth, "wanted" | "visible" | "heldOut">;
type Row = Omit<Birth, keyof Request> & { readonly request: Packed<Request> };

type BirthMethods = Pick<Store, "addBirth" | "birth" | "births" | "endProbation">;

/** A skill that was born is one whose release stands: the releases say which, and since when. */
const SELECTED = `SELECT births.incident_id AS incidentId, births.request, births.verdict,
  births.note, releases.commit_id AS "commit", releases.released_at AS bornAt
  FROM births LEFT JOIN releases ON releases.incident_id = births.incident_id
    AND releases.reverts IS NULL AND releases.state IN ('watching', 'kept')`;

/** Requests for new skills, and what became of those that were born. */
export function birthsIn(db: Database): BirthMethods {
  const insert = db.prepare(
    `INSERT INTO births (incident_id, skill, request, verdict, note)
     VALUES (:incidentId, :skill, :request, :verdict, :note) ON CONFLICT DO NOTHING`,
  );
  const select = db.prepare<[string], Row>(`${SELECTED} WHERE births.incident_id = ?`);
  const list = db.prepare<[object], Row>(
    `${SELECTED} WHERE (:skill IS NULL OR births.skill = :skill) ORDER BY births.seq DESC LIMIT 200`,
  );
  const change = db.prepare("UPDATE births SET verdict = ?, note = ? WHERE incident_id = ?");
  return {
    addBirth({ incidentId, verdict, note, ...request }) {
      const { wanted, visible, heldOut } = request;
      const packed = pack<Request>({ wanted, visible, heldOut });
      const row = { incidentId, skill: wanted.name, request: packed, verdict, note };
      return insert.run(row).changes === 1;
    },
    birth(incidentId) {
      const row = select.get(incidentId);
      return row === undefined ? null : birthOf(row);
    },
    births: ({ skill = null }) => list.all({ skill }).map(birthOf),
    endProbation(incidentId, verdict, note) {
      if (change.run(verdict, note, incidentId).changes === 0) {
        throw new HoneError("not-found", `the ledger knows no birth of incident ${incidentId}`);
      }
    },
  };
}

function birthOf({ request, ...row }: Row): Birth {
  return { ...row, ...unpack(request) };
}
