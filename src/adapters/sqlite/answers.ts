import type { Database } from "better-sqlite3";
import type { JsonObject } from "../../domain/json.ts";
import type { Store } from "../../ports/store.ts";
import { pack, unpack, type Packed } from "./packed.ts";

/** Answers by the keys of their requests. */
export const ANSWERS = `
CREATE TABLE answers (
  key TEXT PRIMARY KEY,
  at REAL NOT NULL,
  request TEXT NOT NULL,
  answer ANY NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX answers_by_time ON answers (at);
`;

/** How long an answer is kept, in milliseconds. */
const KEPT_MS = 86_400_000;

type Row = { readonly request: string; readonly answer: Packed<JsonObject> };

/** Answers that are given again to who asks with the same key within a day. */
export function answersIn(
  db: Database,
  now: () => number,
): Pick<Store, "keptAnswer" | "keepAnswer"> {
  const find = db.prepare<[string, number], Row>(
    "SELECT request, answer FROM answers WHERE key = ? AND at > ?",
  );
  const forget = db.prepare("DELETE FROM answers WHERE at <= ?");
  const keep = db.prepare("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)");
  return {
    keptAnswer(key) {
      const row = find.get(key, now() - KEPT_MS);
      return row === undefined ? null : { request: row.request, answer: unpack(row.answer) };
    },
    keepAnswer(key, { request, answer }) {
      forget.run(now() - KEPT_MS);
      keep.run(key, now(), request, pack(answer));
    },
  };
}
