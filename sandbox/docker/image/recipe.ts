import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { tar, type TarEntry, tarSize, textEntry } from "./tar.ts";

/** An image as an archive that engines load, and by what it is known before it is made. */
export type ImageArchive = {
  /** Under this name the engine has it once it is loaded. */
  readonly tag: string;
  /** SHA-256 of the configuration, by which engines know an image. The same files give the same. */
  readonly digest: string;
  readonly bytes: number;
  readonly read: () => AsyncGenerator<Buffer>;
};

/** To be raised when the recipe changes. */
const RECIPE = 1;

const USERS = "root:x:0:0::/:/none\nnobody:x:65534:65534::/:/none\n";

/**
 * The files of the image: a Node binary, the shared libraries that `ldd` names for it, and
 * /etc/passwd. Nobody but root may read the binary, only run it: then no process that runs it can
 * look into the memory or the streams of another (Linux keeps such processes from being traced).
 */
async function imageFiles(node: string): Promise<readonly TarEntry[]> {
  const libraries = await librariesOf(node);
  const files = await Promise.all([
    fileEntry(node, "usr/local/bin/node", 0o711),
    ...libraries.map((file) => fileEntry(file, file.slice(1), 0o755)),
  ]);
  const all = [textEntry("etc/passwd", USERS, 0o644), ...files];
  const folders = new Set(all.flatMap(({ path }) => foldersOf(path)));
  for (const name of ["dev/", "proc/", "scratch/", "sys/"]) folders.add(name);
  return [...[...folders].toSorted().map((path) => textEntry(path, "", 0o755)), ...all];
}

/** Makes the image of this Node binary: reads it all once, and again when the archive is read. */
export async function imageArchive(node: string): Promise<ImageArchive> {
  const files = await imageFiles(node);
  const layer = await sha256(tar(files));
  const config = configOf(layer);
  const digest = createHash("sha256").update(config).digest("hex");
  const tag = `hone-sandbox:${digest.slice(0, 16)}`;
  const manifest = [{ Config: `${digest}.json`, RepoTags: [tag], Layers: ["layer.tar"] }];
  const entries = [
    textEntry(`${digest}.json`, config, 0o644),
    { path: "layer.tar", mode: 0o644, size: tarSize(files), read: () => tar(files) },
    textEntry("manifest.json", JSON.stringify(manifest), 0o644),
  ];
  return { tag, digest: `sha256:${digest}`, bytes: tarSize(entries), read: () => tar(entries) };
}

/**
 * What tells one state of the binary and its libraries from another without reading them: a change
 * means that the image is to be made again.
 */
export async function imageFingerprint(node: string): Promise<string> {
  const files = [node, ...(await librariesOf(node))];
  const seen = await Promise.all(
    files.map(async (file) => {
      const { size, mtimeMs, ino } = await stat(file);
      return [file, size, mtimeMs, ino];
    }),
  );
  return createHash("sha256")
    .update(JSON.stringify([RECIPE, seen]))
    .digest("hex");
}

/** The image specification v1.2 (moby/docker-image-spec); no time, so that it can be made again. */
function configOf(layer: string): string {
  return JSON.stringify({
    architecture: ARCHITECTURES[process.arch] ?? process.arch,
    os: "linux",
    created: "1970-01-01T00:00:00Z",
    config: { Env: ["PATH=/usr/local/bin"], Cmd: ["node"], Labels: { "hone.recipe": `${RECIPE}` } },
    rootfs: { type: "layers", diff_ids: [`sha256:${layer}`] },
    history: [{ created: "1970-01-01T00:00:00Z", created_by: "hone sandbox build" }],
  });
}

/** The names of Go, which engines use. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Absolute paths, in order. A binary without shared libraries has none, and `ldd` says so by failing. */
async function librariesOf(node: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)("ldd", [node], { timeout: 10_000 }).catch(
    (error: { stderr?: string }) => {
      if (/not a (valid )?dynamic/i.test(error.stderr ?? "")) return { stdout: "" };
      throw error;
    },
  );
  const found = stdout.split("\n").flatMap((line) => /(?:=>\s*|^\s*)(\/\S+)/.exec(line)?.[1] ?? []);
  return [...new Set(found)].toSorted();
}

async function fileEntry(file: string, path: string, mode: number): Promise<TarEntry> {
  const real = await realpath(file);
  const { size } = await stat(real);
  return { path, mode, size, read: () => createReadStream(real) };
}

function foldersOf(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => `${names.slice(0, at + 1).join("/")}/`);
}

async function sha256(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
