import { randomUUID } from "node:crypto";
import { open, mkdir, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { HoneError } from "../domain/errors.ts";

/** A file as it was read: where it really is, what it holds, who may read it. */
export type Read = { readonly file: string; readonly text: string | null; readonly mode: number };

/** Reads a file through links; one that is not there is to be made, for its owner alone. */
export async function readForReplacing(file: string): Promise<Read> {
  try {
    const real = await realpath(file);
    const { mode } = await stat(real);
    const bytes = await readFile(real);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { file: real, text, mode: mode & 0o777 };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") {
      return { file, text: null, mode: 0o600 };
    }
    const why =
      cause instanceof TypeError ? "it is not UTF-8 text" : (cause as NodeJS.ErrnoException).code;
    throw new HoneError("bad-config", `${file} cannot be read: ${why}`, {
      cause,
      hint: "Nothing was written.",
    });
  }
}

/**
 * Puts a text in the place of what was read, at once or not at all, and keeps the text before it in a
 * file beside it. Returns that file; null where there was none. Throws `busy` where somebody has
 * written meanwhile.
 */
export async function replaceFile(read: Read, text: string): Promise<string | null> {
  const { file, mode } = read;
  await mkdir(path.dirname(file), { recursive: true });
  const backup = read.text === null ? null : `${file}.before-hone`;
  const fresh = `${file}.${randomUUID()}.tmp`;
  try {
    await writeWhole(fresh, text, mode);
    if ((await readForReplacing(file)).text !== read.text) {
      throw new HoneError("busy", `${file} was changed by another program meanwhile`, {
        hint: "Try again.",
        retryable: true,
      });
    }
    if (backup !== null && read.text !== null) await keep(backup, read.text, mode);
    await rename(fresh, file);
  } catch (cause) {
    await rm(fresh, { force: true });
    if (cause instanceof HoneError) throw cause;
    throw new HoneError("refused", `${file} cannot be written: ${String(cause)}`, { cause });
  }
  return backup;
}

async function keep(file: string, text: string, mode: number): Promise<void> {
  const fresh = `${file}.${randomUUID()}.tmp`;
  await writeWhole(fresh, text, mode);
  await rename(fresh, file);
}

/** The bytes are on the disk before the name is. */
async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  await using handle = await open(file, "wx", mode);
  await handle.writeFile(text);
  await handle.chmod(mode);
  await handle.sync();
}
