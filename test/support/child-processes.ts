import { readdirSync, readFileSync } from "node:fs";

/** Process ids of the children of a process, by /proc. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((id) => Number.isInteger(id) && parentOf(id) === pid);
}

/** A process may end while one looks. */
function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}
