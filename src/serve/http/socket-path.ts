import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import path from "node:path";

/** The kernel's limit on a socket's path is 108 bytes on Linux and 104 on macOS. */
const LONGEST = 100;

/**
 * Where the daemon of a workspace listens: data/run/hone.sock inside it, or a hashed folder of this
 * user in /tmp when that is too long for a socket. It depends on the workspace and the user alone:
 * a daemon under a service manager and a shell have different TMPDIR and XDG_RUNTIME_DIR.
 */
export function socketPathOf(workspaceDir: string): string {
  const dir = realpathSync(workspaceDir);
  const inside = path.join(dir, "data", "run", "hone.sock");
  if (Buffer.byteLength(inside) <= LONGEST) return inside;
  const hash = createHash("sha256").update(dir).digest("hex").slice(0, 20);
  return path.join("/tmp", `hone-${process.getuid?.() ?? 0}-${hash}`, "hone.sock");
}

/** Whether a folder holds nothing but the socket, and so goes with it. */
export function isMadeForSocket(dir: string): boolean {
  return /^\/tmp\/hone-\d+-[0-9a-f]{20}$/.test(dir);
}
