import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A socket that listens, in the kernel's tables of them (Linux, `proc(5)`: /proc/net/tcp). */
const LISTENS = "0A";

/**
 * Whether all that listens at a port of this machine itself is in these processes, and something does;
 * null where the kernel does not tell.
 */
export function isPortOf(port: number, pids: readonly number[]): boolean | null {
  const listening = listenersAt(port);
  if (listening === null) return null;
  const own = new Set(pids.flatMap(socketsOf));
  return listening.length > 0 && listening.every((inode) => own.has(inode));
}

/** The inodes of the sockets by which a port is heard on the loopback interface. */
function listenersAt(port: number): readonly string[] | null {
  const tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(textOf);
  if (tables.every((table) => table === null)) return null;
  return tables.flatMap((table) =>
    (table ?? "").split("\n").flatMap((line) => {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      const [address = "", at = ""] = local.split(":");
      const isHere = Number.parseInt(at, 16) === port && LOCAL.test(address);
      return state === LISTENS && isHere ? [inode] : [];
    }),
  );
}

/** Any address, 127/8, and their forms of IPv6; words of four bytes, each with the lowest first. */
const LOCAL = /^(?:0{8}|[0-9A-F]{6}7F|0{32}|0{24}01000000|0{16}FFFF0000(?:0{8}|[0-9A-F]{6}7F))$/;

function socketsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((fd) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(linkOf(`${folder}/${fd}`)) ?? [];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    // It has ended, or is somebody else's.
    return [];
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return "";
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return null;
  }
}
