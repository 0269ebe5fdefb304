import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { Git } from "./git-process.ts";
import type { NewObject } from "./objects.ts";

const TYPES = { commit: 1, tree: 2, blob: 3 } as const;

/**
 * Writes objects as loose files, all in one process: to start a git costs more than what it does
 * here. No filter, hook or line-end setting sees them, and git hashes each anew.
 */
export async function writeObjects(git: Git, objects: readonly NewObject[]): Promise<void> {
  await git.run({ args: ["unpack-objects", "-q"], stdin: packOf(objects) });
}

/** Objects in git's pack format, version 2 (gitformat-pack): each whole, none as a delta. */
function packOf(objects: readonly NewObject[]): Buffer {
  const header = Buffer.alloc(12);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const entries = objects.flatMap(({ type, content }) => [
    entryHeader(TYPES[type], content.length),
    deflateSync(content),
  ]);
  const body = Buffer.concat([header, ...entries]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** Type and size: four bits of the size beside the type, then seven in each further byte. */
function entryHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = size >>> 4; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 128;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}
