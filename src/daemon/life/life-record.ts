import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { NO_LIFE, type LifeRecord } from "../../domain/crash-loop.ts";

/** The daemon's lives so far. One that cannot be read counts as none: it is replaced as a whole. */
export function readLives(dir: string): LifeRecord {
  try {
    const found = JSON.parse(readFileSync(fileOf(dir), "utf8")) as Partial<LifeRecord> | null;
    return Array.isArray(found?.crashes) ? { ...NO_LIFE, ...found } : NO_LIFE;
  } catch {
    return NO_LIFE;
  }
}

/** Replaces the record. Synchronous, since its caller may be about to die. Throws as `node:fs` does. */
export function writeLives(dir: string, record: LifeRecord): void {
  const file = fileOf(dir);
  writeFileSync(`${file}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function fileOf(dir: string): string {
  return path.join(dir, "data", "run", "life.json");
}
