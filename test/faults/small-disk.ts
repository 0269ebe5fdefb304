import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";

/** A file system of a few megabytes, which only a test that may mount has. */
export class SmallDisk {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Leaves so many bytes of it; what fills it can be taken away again. */
  fill(leftBytes: number): Disposable {
    const { bavail, bsize } = statfsSync(this.folder);
    const file = path.join(this.folder, "ballast");
    try {
      writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes), 1));
    } catch (error) {
      // Somebody else has written meanwhile: it is full.
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
    return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
  }
}

/**
 * A small disk for one test; null where nothing may be mounted, which fails the test when
 * HONE_REQUIRE_FAULTS is set.
 */
export function aSmallDisk(t: TestContext, megabytes: number): SmallDisk | null {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "hone-disk-")));
  const isThere = isMounted(t, ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  t.after(() => {
    if (isThere) unmount(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return isThere ? new SmallDisk(folder) : null;
}

/** A folder that can only be read, though this process may do anything; false: not mounted. */
export function readOnly(t: TestContext, folder: string): Disposable | null {
  if (!isMounted(t, ["--bind", folder, folder])) return null;
  assert.ok(isMounted(t, ["-o", "remount,ro,bind", folder, folder]));
  return { [Symbol.dispose]: () => unmount(folder) };
}

function isMounted(t: TestContext, words: readonly string[]): boolean {
  const { status, stderr, error } = spawnSync("mount", words, { encoding: "utf8" });
  if (status === 0) return true;
  const reason = error?.message ?? stderr.trim();
  t.diagnostic(`NOT SHOWN: nothing can be mounted here (${reason}); run it as root`);
  assert.ok(!process.env["HONE_REQUIRE_FAULTS"], `HONE_REQUIRE_FAULTS: mount: ${reason}`);
  return false;
}

function unmount(folder: string): void {
  const { status, stderr } = spawnSync("umount", [folder], { encoding: "utf8" });
  if (status === 0) return;
  // Something still ends there; the mount goes when it has.
  assert.equal(spawnSync("umount", ["--lazy", folder]).status, 0, stderr);
}
