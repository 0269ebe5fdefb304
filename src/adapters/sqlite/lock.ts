import Database from "better-sqlite3";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { HoneError } from "../../domain/errors.ts";
import { atBorder } from "./border.ts";

/**
 * Takes the lock that makes this process the only one of its workspace, or null when another holds
 * it. It is an exclusive transaction on an empty database: the operating system releases it when
 * the process dies, however it dies. Nothing else in this process may open `file`, for POSIX locks
 * end when any descriptor of the file is closed. Throws `store-failed` when the file cannot be made.
 */
export function takeLock(file: string): Disposable | null {
  return atBorder(`taking the lock ${file}`, () => {
    mkdirSync(path.dirname(file), { recursive: true });
    const db = new Database(file, { timeout: 0 });
    if (isTaken(db)) {
      db.close();
      return null;
    }
    return { [Symbol.dispose]: () => db.close() };
  });
}

/** Takes the lock of a workspace when it is free; throws `busy` where that takes too long. */
export async function waitForLock(dir: string, patienceMs: number): Promise<Disposable> {
  const file = path.join(dir, "data", "run", "hone.lock");
  const endsAt = Date.now() + patienceMs;
  for (;;) {
    const lock = takeLock(file);
    if (lock !== null) return lock;
    if (Date.now() >= endsAt) {
      throw new HoneError("busy", `another hone process works in ${dir}`, {
        hint: "Wait for it to end. If it is a daemon whose socket is gone, restart it: data/run/hone.log has its pid.",
        retryable: true,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function isTaken(db: Database.Database): boolean {
  try {
    db.exec("BEGIN EXCLUSIVE");
    return false;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return true;
    db.close();
    throw error;
  }
}
