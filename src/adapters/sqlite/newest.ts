import type { Database } from "better-sqlite3";
import type { Incident } from "../../domain/incident.ts";
import type { ReleaseRow } from "./releases.ts";

/** Tables with `skill`, `state` and `seq`, and their rows by the columns that are asked for. */
type Rows = { readonly incidents: Incident; readonly releases: ReleaseRow };

type Query = {
  readonly skill?: string;
  readonly states?: readonly string[];
  /** Only rows before this one, by `seq`. */
  readonly before?: number;
  readonly limit: number;
};

/**
 * Reads rows newest first, by skill and by states. Each way to ask has a statement and an index of
 * its own, so that what is cheap does not grow with the ledger.
 */
export function newestIn<Table extends keyof Rows>(
  db: Database,
  table: Table,
  columns: string,
): (query: Query) => readonly Rows[Table][] {
  const prepare = (condition: string) =>
    db.prepare<[object], Rows[Table]>(
      `SELECT ${columns} FROM ${table} ${condition} ORDER BY seq DESC LIMIT :limit`,
    );
  const all = prepare("WHERE seq < :before");
  const ofSkill = prepare("WHERE skill = :skill AND seq < :before");
  const ofSkillInStates = prepare(
    "WHERE skill = :skill AND state IN (SELECT value FROM json_each(:states)) AND seq < :before",
  );
  // As many of each state as are wanted at all: no more are looked at, whatever the state.
  const inStates = prepare(
    `WHERE seq IN (SELECT of.seq FROM json_each(:states) CROSS JOIN ${table} AS of ON of.seq IN (
       SELECT seq FROM ${table} WHERE state = value AND seq < :before ORDER BY seq DESC LIMIT :limit))`,
  );
  return ({ skill, states, before = Number.MAX_SAFE_INTEGER, limit }) => {
    if (states === undefined) {
      return skill === undefined
        ? all.all({ before, limit })
        : ofSkill.all({ skill, before, limit });
    }
    const wanted = { states: JSON.stringify(states), before, limit };
    return skill === undefined ? inStates.all(wanted) : ofSkillInStates.all({ skill, ...wanted });
  };
}
