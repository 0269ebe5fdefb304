import type { Database } from "better-sqlite3";
import type { Shadow } from "../../domain/shadow.ts";
import type { Store } from "../../ports/store.ts";

type Row = Omit<Shadow, "isSame"> & { readonly isSame: 0 | 1 };

/** Runs that were repeated on the other version while a release was under watch. */
export function shadowsIn(db: Database): Pick<Store, "addShadow" | "shadows"> {
  const insert = db.prepare<[Row]>(
    `INSERT INTO shadows (run_id, skill, release_id, before, after, is_same, at)
     VALUES (:runId, :skill, :release, :before, :after, :isSame, :at)
     ON CONFLICT (run_id) DO NOTHING`,
  );
  const list = db.prepare<[string, number], Row>(
    `SELECT run_id AS runId, skill, release_id AS release, before, after, is_same AS isSame, at
     FROM shadows WHERE release_id = ? ORDER BY seq DESC LIMIT ?`,
  );
  return {
    addShadow: (shadow) => insert.run({ ...shadow, isSame: shadow.isSame ? 1 : 0 }).changes === 1,
    shadows: (release, limit) =>
      list
        .all(release, limit)
        .map((row) => ({ ...row, isSame: row.isSame === 1 }))
        .toReversed(),
  };
}
