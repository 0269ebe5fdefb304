import type { Database } from "better-sqlite3";
import type { Json } from "../../domain/json.ts";
import type { Store } from "../../ports/store.ts";
import { pack, unpack, type Packed } from "./packed.ts";

/** The key-value state of each skill; keys are listed in the order of their bytes. */
export function kvIn(db: Database): Pick<Store, "kvGet" | "kvSet" | "kvDelete" | "kvList"> {
  const get = db.prepare<[string, string], Packed<Json>>(
    "SELECT value FROM kv WHERE skill = ? AND key = ?",
  );
  const set = db.prepare(
    "INSERT INTO kv VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  const remove = db.prepare("DELETE FROM kv WHERE skill = ? AND key = ?");
  // 0xFF is no byte of UTF-8, so the upper end lies above every key with the prefix.
  const range = db.prepare<[string, string, string], string>(
    `SELECT key FROM kv WHERE skill = ? AND key >= ? AND key < ? || CAST(x'FF' AS TEXT)
     ORDER BY key`,
  );
  return {
    kvGet(skill, key) {
      const stored = get.pluck().get(skill, key);
      return stored === undefined ? undefined : unpack(stored);
    },
    kvSet(skill, key, value) {
      set.run(skill, key, pack(value));
    },
    kvDelete(skill, key) {
      remove.run(skill, key);
    },
    kvList: (skill, prefix) => range.pluck().all(skill, prefix, prefix),
  };
}
