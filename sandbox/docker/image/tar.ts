/** A file of an archive. The bytes are asked for when they are needed, and may be asked for again. */
export type TarEntry = {
  /** Relative to the root, without a slash in front. */
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  readonly read: () => AsyncIterable<Buffer>;
};

const BLOCK = 512;

/** An archive in the format ustar (POSIX.1-1988), the same bytes for the same files: no time, no owner. */
export async function* tar(entries: readonly TarEntry[]): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    yield headerOf(entry);
    let written = 0;
    for await (const chunk of entry.read()) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== entry.size) throw new Error(`${entry.path} has changed while it was read`);
    yield Buffer.alloc(paddingOf(entry.size));
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** The length of the archive, in bytes. */
export function tarSize(entries: readonly TarEntry[]): number {
  const sizes = entries.map(({ size }) => BLOCK + size + paddingOf(size));
  return sizes.reduce((sum, size) => sum + size, 2 * BLOCK);
}

/** An entry that is held in memory. A path that ends with a slash is a folder. */
export function textEntry(path: string, text: string, mode: number): TarEntry {
  const bytes = Buffer.from(text);
  return {
    path,
    mode,
    size: bytes.length,
    // oxlint-disable-next-line require-await
    async *read() {
      yield bytes;
    },
  };
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function headerOf({ path, mode, size }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK);
  const [prefix, name] = splitPath(path);
  const octal = (value: number, at: number, length: number): void => {
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  };
  header.write(name, 0, "utf8");
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write("        ", 148, "latin1");
  header.write(path.endsWith("/") ? "5" : "0", 156, "latin1");
  header.write("ustar\u000000", 257, "latin1");
  header.write(prefix, 345, "utf8");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

/** A long path has its folders in a field of their own. */
function splitPath(path: string): readonly [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= 100) return ["", path];
  const at = path.lastIndexOf("/", path.length - 2);
  const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
  if (at < 0 || Buffer.byteLength(name) > 100 || Buffer.byteLength(prefix) > 155) {
    throw new Error(`${path} is too long a path for an archive`);
  }
  return [prefix, name];
}
