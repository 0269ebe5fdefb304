import type { Database } from "better-sqlite3";
import type { Pull } from "../../domain/bandit.ts";
import type { ArmRecord, Store } from "../../ports/store.ts";

/** What was learnt of the ways in which models are asked. */
export function pullsIn(db: Database): Pick<Store, "addPulls" | "pulls" | "arms"> {
  const insert = db.prepare(
    `INSERT INTO pulls (group_id, position, failure_class, arm, reward, cost)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const latest = db.prepare<[string, number], Pull>(
    `SELECT arm, reward, cost FROM pulls WHERE failure_class = ? ORDER BY seq DESC LIMIT ?`,
  );
  const arms = db.prepare<[number], ArmRecord>(
    `SELECT failure_class AS failureClass, arm, count(*) AS pulls, avg(reward) AS won,
       avg(cost) AS tokens
     FROM pulls GROUP BY failure_class, arm ORDER BY pulls DESC, failure_class, arm LIMIT ?`,
  );
  const add = db.transaction((groupId: string, failureClass: string, all: readonly Pull[]) => {
    all.forEach(({ arm, reward, cost }, position) => {
      insert.run(groupId, position, failureClass, arm, reward, cost);
    });
  });
  return {
    addPulls: (groupId, failureClass, all) => add.immediate(groupId, failureClass, all),
    pulls: (failureClass, limit) => latest.all(failureClass, limit),
    arms: (limit) => arms.all(limit),
  };
}
