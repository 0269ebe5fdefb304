import type fs from "node:fs";

/** The part of `node:fs` that is used. */
export type FileSystem = Pick<typeof fs, "readSync" | "writeSync">;

/** The guest's end of the socket, read and written at a stop. */
export type Channel = {
  /** The text of the next frame; null when the host is gone. */
  readonly read: () => string | null;
  /** Frames that belong together go in one piece, so that the host wakes once for all of them. */
  readonly write: (...texts: readonly string[]) => void;
};

/** The descriptor blocks, as a child's end of a socket pair does unless told otherwise. */
export function openChannel(fs: FileSystem, descriptor: number): Channel {
  const fill = (buffer: Buffer): boolean => {
    for (let got = 0; got < buffer.length;) {
      const read = fs.readSync(descriptor, buffer, got, buffer.length - got, null);
      if (read === 0) return false;
      got += read;
    }
    return true;
  };
  return {
    read: () => {
      const header = Buffer.allocUnsafe(4);
      if (!fill(header)) return null;
      const body = Buffer.allocUnsafe(header.readUInt32LE(0));
      return fill(body) ? body.toString("utf8") : null;
    },
    write: (...texts) => {
      const frames = Buffer.concat(texts.map(frameOf));
      for (let sent = 0; sent < frames.length;)
        sent += fs.writeSync(descriptor, frames, sent, frames.length - sent);
    },
  };
}

function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(4 + length);
  frame.writeUInt32LE(length, 0);
  frame.write(text, 4, "utf8");
  return frame;
}

/** The functions of this file, which become the text of the guest. */
export const CHANNEL_PARTS = [openChannel, frameOf];
