import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

type Row = { readonly pid: number; readonly group: number; readonly startedAt: string };

/** Where the kernel tells of every process (Linux, `proc(5)`). */
const PROC = "/proc";

/**
 * When a process began, as a text that no later process of the same id has; null: it is gone, or
 * only waits for its parent to take note.
 */
export function startOf(pid: number): string | null {
  return running().find((row) => row.pid === pid)?.startedAt ?? null;
}

/**
 * Ids of the running processes of a group; with `since`, of those that began then or later in the
 * same boot: another boot gives the same numbers to others.
 */
export function membersOf(group: number, since?: string): readonly number[] {
  return running().flatMap((row) =>
    row.group === group && isSince(row.startedAt, since) ? [row.pid] : [],
  );
}

function isSince(at: string, since?: string): boolean {
  if (since === undefined) return true;
  const [now, then] = [BOOT_AND_TICKS.exec(at), BOOT_AND_TICKS.exec(since)];
  if (now === null) return true;
  return then !== null && now[1] === then[1] && Number(now[2]) >= Number(then[2]);
}

/** A start as `/proc` tells it. */
const BOOT_AND_TICKS = /^([0-9a-f-]{36}) (\d+)$/;

function running(): readonly Row[] {
  return existsSync(`${PROC}/self/stat`) ? fromProc() : fromPs();
}

function fromProc(): readonly Row[] {
  const boot = textOf(`${PROC}/sys/kernel/random/boot_id`).trim();
  return readdirSync(PROC).flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = textOf(`${PROC}/${name}/stat`);
    // The name in brackets may hold anything; what follows the last bracket are fields 3 and on.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", , group = ""] = fields;
    if (stat === "" || state === "Z" || state === "X") return [];
    return [{ pid: Number(name), group: Number(group), startedAt: `${boot} ${fields[19]}` }];
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

function fromPs(): readonly Row[] {
  const printed = execFileSync("ps", ["-A", "-o", "pid=,pgid=,stat=,lstart="], {
    encoding: "utf8",
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C" },
  });
  return printed.split("\n").flatMap((line) => {
    const [, pid = "", group = "", state = "", startedAt = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (pid === "" || state.startsWith("Z")) return [];
    return [{ pid: Number(pid), group: Number(group), startedAt }];
  });
}
