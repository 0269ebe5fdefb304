import type Database from "better-sqlite3";

/** Milliseconds that a call waits for another process's write. The daemon stands still meanwhile. */
const BUSY_MS = 1_000;

/** Bytes to which an emptied WAL file is cut. */
const WAL_KEPT = 4_194_304;

/**
 * Sets up a connection for writing: WAL, safe against the death of the process (NORMAL; `durably`
 * is safe against the loss of power too), foreign keys enforced. Throws SQLite's own errors.
 */
export function configure(db: Database.Database): void {
  db.pragma(`busy_timeout = ${BUSY_MS}`);
  db.pragma("journal_mode = WAL");
  db.pragma(`journal_size_limit = ${WAL_KEPT}`);
  db.pragma("synchronous = NORMAL");
  db.pragma("foreign_keys = ON");
  db.pragma("trusted_schema = OFF");
}

/** Runs a write that is on the disk when it returns (synchronous FULL), in a transaction. */
export function durably<T>(db: Database.Database, write: () => T): T {
  db.pragma("synchronous = FULL");
  try {
    return db.transaction(write).immediate();
  } finally {
    db.pragma("synchronous = NORMAL");
  }
}

/**
 * A truncating checkpoint that waits a moment for readers at most. False where a reader or writer
 * was in the way: SQLite says so in the column `busy`, not by an error.
 */
export function truncateWal(db: Database.Database): boolean {
  db.pragma("busy_timeout = 50");
  try {
    const [row] = db.pragma("wal_checkpoint(TRUNCATE)") as { readonly busy: number }[];
    return row?.busy === 0;
  } finally {
    db.pragma(`busy_timeout = ${BUSY_MS}`);
  }
}

/** "ok", or what SQLite found wrong, at most ten findings. `quick_check` skips the indexes. */
export function findingsOf(
  db: Database.Database,
  check: "integrity_check" | "quick_check",
): string {
  const rows = db.pragma(`${check}(10)`) as Readonly<Record<string, string>>[];
  return rows
    .flatMap((row) => Object.values(row))
    .join("; ")
    .replaceAll("\n", "; ");
}
