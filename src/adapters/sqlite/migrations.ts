import type { Database } from "better-sqlite3";
import { HoneError } from "../../domain/errors.ts";
import { ANSWERS } from "./answers.ts";
import { CLAIMS } from "./claims-schema.ts";
import { MINUTES } from "./minutes-schema.ts";
import { BIRTHS, FIRST_SCHEMA, MODEL_CALLS, MODEL_SECONDS, PULLS, REFUSALS } from "./schema.ts";
import { WATCH } from "./watch-schema.ts";
import { DAYS, TOTALS } from "./totals-schema.ts";

/** "hone" in ASCII: marks the file as a ledger (PRAGMA application_id). */
const APPLICATION_ID = 0x686f6e65;

/** Each takes the ledger from the version of its index to the next. Never edit one; add one. */
const MIGRATIONS: readonly string[] = [
  FIRST_SCHEMA,
  REFUSALS,
  BIRTHS,
  MODEL_CALLS,
  PULLS,
  TOTALS,
  MINUTES,
  WATCH,
  MODEL_SECONDS,
  ANSWERS,
  CLAIMS,
  DAYS,
];

/**
 * Brings a ledger to the present version, step by step, each step one transaction with its number
 * (PRAGMA user_version). Throws `store-failed` for a ledger of a newer hone or a file of another
 * program, both left as they are.
 */
export function migrate(db: Database, migrations: readonly string[] = MIGRATIONS): void {
  const version = versionOf(db);
  if (version > migrations.length) throw newer(version, migrations.length);
  if (version === 0) refuseForeign(db);
  migrations.slice(version).forEach((sql, at) => {
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${version + at + 1}`);
    }).immediate();
  });
}

/** Throws `store-failed` unless the ledger has the present version: for readers, who change nothing. */
export function requirePresentVersion(db: Database): void {
  const version = versionOf(db);
  if (version > MIGRATIONS.length) throw newer(version, MIGRATIONS.length);
  if (version === MIGRATIONS.length) return;
  throw new HoneError("store-failed", `the ledger ${db.name} has the older version ${version}`, {
    hint: "Start hone once: it brings the ledger up to date.",
  });
}

function versionOf(db: Database): number {
  return db.pragma("user_version", { simple: true }) as number;
}

function refuseForeign(db: Database): void {
  const owner = db.pragma("application_id", { simple: true });
  const tables = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get();
  if (tables === 0 || owner === APPLICATION_ID) return;
  throw new HoneError("store-failed", `${db.name} is a database of another program`, {
    hint: "Move the file away; hone makes its own.",
  });
}

function newer(version: number, known: number): HoneError {
  return new HoneError(
    "store-failed",
    `the ledger has version ${version}, and this hone knows versions up to ${known}`,
    {
      hint: "Use the newer hone, or move the ledger away: releases are rebuilt from git.",
    },
  );
}
