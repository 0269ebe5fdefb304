import Database from "better-sqlite3";
import { existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../domain/errors.ts";
import { isCorruption } from "./border.ts";
import { configure, findingsOf } from "./connection.ts";

export type Opened = {
  readonly db: Database.Database;
  /** What was wrong with the ledger that was there and where it is now; null: nothing. */
  readonly recovered: string | null;
  /** The ledger holds nothing yet. */
  readonly isNew: boolean;
};

/**
 * Opens the ledger's file for writing, making it if need be. One that is damaged is moved aside
 * with its WAL, never repaired in place and never deleted. Errors that say nothing of the file's
 * soundness (busy, full, unreadable) are thrown as they are.
 */
export function openOrRecover(file: string, now: () => number): Opened {
  mkdirSync(path.dirname(file), { recursive: true });
  const isNew = sizeOf(file) === 0;
  const found = openSound(file);
  if (typeof found !== "string") return { db: found, recovered: null, isNew };
  const aside = moveAside(file, now());
  const db = openSound(file);
  if (typeof db === "string") throw new Error(`a new ledger is damaged: ${db}`);
  const recovered = `The ledger was damaged (${found.slice(0, 200)}). It is now ${aside}; a new one was begun.`;
  return { db, recovered, isNew: true };
}

/** Bytes up to which a ledger is checked page by page whenever it is opened: about 0.2 s. */
const ALWAYS_CHECKED = 67_108_864;

/**
 * The connection, or what is wrong with the file. A larger ledger is checked only when it was not
 * closed in order, that is, when its WAL is still there.
 */
function openSound(file: string): Database.Database | string {
  const isChecked = sizeOf(file) <= ALWAYS_CHECKED || sizeOf(`${file}-wal`) > 0;
  const db = new Database(file);
  let findings: string;
  try {
    configure(db);
    findings = isChecked ? findingsOf(db, "quick_check") : "ok";
  } catch (error) {
    db.close();
    if (isCorruption(error)) return messageOf(error);
    throw error;
  }
  if (findings === "ok") return db;
  db.close();
  return findings;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The WAL goes first: should the move be cut short, the damage is still where it is looked for. */
function moveAside(file: string, at: number): string {
  const stamp = new Date(at).toISOString().replaceAll(/[:.]/g, "-");
  let aside = `${file}.corrupt-${stamp}`;
  for (let n = 2; existsSync(aside); n += 1) aside = `${file}.corrupt-${stamp}-${n}`;
  for (const suffix of ["-wal", "-shm", ""]) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  return aside;
}
