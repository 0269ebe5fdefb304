import Database from "better-sqlite3";
import { existsSync, statSync } from "node:fs";
import { HoneError } from "../../domain/errors.ts";
import type { Store } from "../../ports/store.ts";
import { activityIn } from "./activity.ts";
import { alarmsIn } from "./alarms.ts";
import { answersIn } from "./answers.ts";
import { birthsIn } from "./births.ts";
import { atBorder, bordered } from "./border.ts";
import { claimsIn } from "./claims.ts";
import { findingsOf, truncateWal } from "./connection.ts";
import { eventsIn } from "./events.ts";
import { groupsIn } from "./groups.ts";
import { incidentsIn } from "./incidents.ts";
import { kvIn } from "./kv.ts";
import { migrate, requirePresentVersion } from "./migrations.ts";
import { modelCallsIn } from "./model-calls.ts";
import { notesIn } from "./notes.ts";
import { pruningIn } from "./pruning.ts";
import { pullsIn } from "./pulls.ts";
import { openOrRecover, type Opened } from "./recovery.ts";
import { releasesIn } from "./releases.ts";
import { runsIn } from "./runs.ts";
import { shadowsIn } from "./shadows.ts";
import { tasksIn } from "./tasks.ts";

/** The ledger, with what its opening found. */
export type SqliteStore = Store & Pick<Opened, "recovered" | "isNew">;

/**
 * Opens the ledger for the one process that writes it; hold `takeLock` first. A missing file is
 * made (`isNew`), a damaged one is moved aside (`recovered` says what and where). Throws
 * `store-failed` when the file cannot be opened or was written by a newer hone.
 */
export function openStore(
  file: string,
  { now = Date.now }: { readonly now?: () => number } = {},
): SqliteStore {
  return atBorder(`opening the ledger ${file}`, () => {
    const { db, ...found } = openOrRecover(file, now);
    return closingOnError(db, () => {
      migrate(db);
      return { ...storeOn(db, now), ...found };
    });
  });
}

/**
 * Opens the ledger for reading beside the process that writes it; every write throws
 * `store-failed`. Throws `not-found` where there is no ledger.
 */
export function openStoreReadOnly(file: string): Store {
  if (!existsSync(file)) {
    throw new HoneError("not-found", `there is no ledger at ${file}`, {
      hint: "It is made when hone first runs in this workspace.",
    });
  }
  return atBorder(`opening the ledger ${file}`, () => {
    const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 1_000 });
    return closingOnError(db, () => {
      requirePresentVersion(db);
      return storeOn(db, Date.now);
    });
  });
}

function storeOn(db: Database.Database, now: () => number): Store {
  const tables = {
    ...tasksIn(db),
    ...runsIn(db),
    ...incidentsIn(db),
    ...groupsIn(db),
    ...birthsIn(db),
    ...claimsIn(db),
    ...releasesIn(db),
    ...eventsIn(db),
    ...kvIn(db),
    ...modelCallsIn(db),
    ...pruningIn(db),
    ...pullsIn(db),
    ...notesIn(db, now),
    ...answersIn(db, now),
    ...shadowsIn(db),
    ...alarmsIn(db),
    ...upkeepOf(db),
  };
  const activity = bordered(activityIn(db));
  return { ...bordered(tables), activity, [Symbol.dispose]: () => db.close() };
}

function upkeepOf(db: Database.Database): Pick<Store, "checkpoint" | "integrity"> {
  return {
    checkpoint() {
      truncateWal(db);
      return statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    },
    integrity() {
      const broken = db.pragma("foreign_key_check") as unknown[];
      const findings = findingsOf(db, "integrity_check");
      return findings === "ok" && broken.length > 0
        ? `${broken.length} rows refer to rows that are not there`
        : findings;
    },
  };
}

function closingOnError<T>(db: Database.Database, build: () => T): T {
  let isBuilt = false;
  try {
    const built = build();
    isBuilt = true;
    return built;
  } finally {
    if (!isBuilt) db.close();
  }
}
