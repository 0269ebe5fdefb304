import Database from "better-sqlite3";
import { HoneError, messageOf } from "../../domain/errors.ts";

/**
 * Runs a call into SQLite (or the file system under it) and names the border at which it broke:
 * `store-failed`, retryable where the world may mend itself. Bugs pass through unchanged.
 */
export function atBorder<T>(what: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    if (!isOfTheWorld(cause)) throw cause;
    throw new HoneError("store-failed", `${what} failed: ${messageOf(cause)}`, {
      ...remedyOf(cause.code),
      cause,
    });
  }
}

/** The same for every method of an object, named after the method. */
export function bordered<T extends object>(methods: T): T {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]) =>
      atBorder(`the ledger's ${name}`, () => (method as (...of: unknown[]) => unknown)(...args)),
  ]);
  return Object.fromEntries(wrapped) as T;
}

/** Whether an error says that the file is no sound database. */
export function isCorruption(thrown: unknown): boolean {
  return isOfTheWorld(thrown) && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code);
}

function isOfTheWorld(thrown: unknown): thrown is Error & { readonly code: string } {
  if (thrown instanceof Database.SqliteError) return true;
  return thrown instanceof Error && "syscall" in thrown && "code" in thrown;
}

function remedyOf(code: string): { readonly retryable: boolean; readonly hint: string } {
  if (/^(SQLITE_FULL|ENOSPC|EFBIG|SQLITE_IOERR|EIO)/.test(code)) {
    return { retryable: true, hint: "Is the disk full? Free some space; hone tries again." };
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return { retryable: true, hint: "Another process is writing to the ledger; try again." };
  }
  if (/^(SQLITE_READONLY|SQLITE_CANTOPEN|EROFS|EACCES|EPERM)/.test(code)) {
    return { retryable: true, hint: "The ledger's folder cannot be written to; check its owner." };
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return {
      retryable: false,
      hint: "Stop hone, move the ledger away and start it again: it is rebuilt from git.",
    };
  }
  return { retryable: false, hint: "" };
}
