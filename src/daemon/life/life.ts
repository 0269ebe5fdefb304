import { readFileSync } from "node:fs";
import type { Config } from "../../config.ts";
import {
  begun,
  crashed,
  ended,
  normal,
  quietAt,
  type Crash,
  type LifeRecord,
} from "../../domain/crash-loop.ts";
import { messageOf } from "../../domain/errors.ts";
import { readLives, writeLives } from "./life-record.ts";
import { writePid, forgetPid } from "./pid-file.ts";
import type { SafeMode } from "./safe-mode.ts";

/** One life of the daemon, as it is counted. */
export type Life = {
  readonly startedAt: number;
  readonly mode: SafeMode;
  /** The last daemon ended without a word, in whatever it had under way. */
  readonly hasDied: boolean;
  /** The last time that a daemon crashed, while such times count. */
  readonly lastCrash: Crash | null;
  /** When safe mode ends without a crash; null: it is not in force. */
  readonly quietAt: () => number | null;
  /** A bug ends this life. Synchronous, for the process may not live on. */
  readonly crash: (reason: string) => void;
  /** Safe mode is over. */
  readonly leaveSafeMode: () => void;
  /** It ended in order: after a signal, or with an error of the world. */
  readonly end: () => void;
};

/**
 * Begins a life: counts how the last one ended, decides whether this one is in safe mode, and leaves
 * the pid file. The caller has the workspace's lock. Never throws: what cannot be written down on a
 * full disk is told by `onTrouble`.
 */
export function beginLife(
  dir: string,
  {
    config: { life: settings },
    isNormal,
    onTrouble,
  }: {
    readonly config: Pick<Config, "life">;
    /** Safe mode is not wanted, whatever has happened. */
    readonly isNormal: boolean;
    readonly onTrouble: (sentence: string) => void;
  },
): Life {
  const at = Date.now();
  const before = readLives(dir);
  const counted = begun(before, { at, pid: process.pid, boot: bootId() }, settings);
  let record: LifeRecord = isNormal ? normal(counted) : counted;
  const mode: SafeMode = { current: record.safe };
  const keep = (next: LifeRecord): void => {
    record = next;
    try {
      writeLives(dir, record);
    } catch (error) {
      onTrouble(`how the daemon began and ended cannot be kept: ${messageOf(error)}`);
    }
  };
  keep(record);
  writePid(dir, onTrouble);
  return {
    startedAt: at,
    mode,
    hasDied: before.open !== null,
    lastCrash: counted.crashes.at(-1) ?? null,
    quietAt: () => quietAt(record, settings),
    crash: (reason) => keep(crashed(record, { at: Date.now(), reason })),
    leaveSafeMode: () => {
      mode.current = null;
      keep(normal(record));
    },
    end: () => {
      keep(ended(record));
      forgetPid(dir);
    },
  };
}

/** Whether the last daemon ended without a word; asked by whoever has the lock of the workspace. */
export function hasDied(dir: string): boolean {
  return readLives(dir).open !== null;
}

/** Safe mode as it stands for a command that works without a daemon. */
export function safeModeOf(dir: string, { life }: Pick<Config, "life">): SafeMode {
  const record = readLives(dir);
  const until = quietAt(record, life);
  return { current: until === null || Date.now() >= until ? null : record.safe };
}

/** Ends safe mode where no daemon is up: the next start is a normal one. */
export function forgetCrashes(dir: string): void {
  writeLives(dir, normal(readLives(dir)));
}

/** Tells one boot of the machine from another; empty where the system does not say. */
function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
