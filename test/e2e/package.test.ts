import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { aFolder, hone } from "../support/hone.ts";
import { ROOT } from "../support/imports.ts";

/** The whole package, with the dashboard and all prompts; in bytes. */
const LARGEST = 2_000_000;

type Packed = readonly {
  readonly filename: string;
  readonly version: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}[];

test("the package that `npm pack` makes lives by itself: installed elsewhere, it repairs and serves", async (t) => {
  const dir = await aFolder(t);

  const source = await aCopy(dir);
  const said = await npm(source, "pack", "--json", "--pack-destination", dir);
  const [packed] = JSON.parse(said.slice(said.indexOf("[\n"))) as Packed;
  assert.ok(packed !== undefined);
  t.diagnostic(`${packed.files.length} files, ${Math.round(packed.size / 1_000)} kB packed`);
  const programs = packed.files.map((file) => file.path).filter((file) => /\.[cm]?ts$/.test(file));
  const given =
    /^dist\/(skills|src\/demo\/workspace\/skills)\/|^dist\/rewards\/frugal\.ts$|\/skill-env\.d\.ts$/;
  assert.ok(packed.size < LARGEST);
  assert.ok(packed.files.some((file) => file.path === "dist/src/serve/ui/index.html"));
  assert.deepEqual(
    programs.filter((file) => !given.test(file)),
    [],
    "Node strips no types under node_modules",
  );

  // Without scripts: what a person's npm may refuse to run is not needed.
  const tarball = path.join(dir, packed.filename);
  await npm(
    dir,
    "install",
    "--global",
    "--prefix",
    dir,
    "--ignore-scripts",
    "--prefer-offline",
    tarball,
  );
  const launcher = path.join(dir, "bin", "hone");
  const home = path.join(dir, "lib", "node_modules", "hone");
  const lock = JSON.parse(await readFile(path.join(ROOT, "package-lock.json"), "utf8")) as Lock;
  const tested = lock.packages["node_modules/zod"]?.version;
  assert.equal(await versionIn(home, "zod"), tested, "what was tested is what is installed");
  await assert.rejects(stat(path.join(home, "node_modules", "typescript")), { code: "ENOENT" });

  const elsewhere = path.join(dir, "else where");
  await mkdir(elsewhere);
  // The Node that tests run under; a person has one on the PATH.
  const PATH = `${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  const run = (...args: readonly string[]) =>
    hone(args, { cwd: elsewhere, env: { PATH, TMPDIR: dir }, launcher });

  assert.equal((await run("--version")).stdout, `${packed.version}\n`);
  assert.equal((await run("init", "made")).code, 0);
  const [ofSkills, demo] = await Promise.all([
    run("--workspace", "made", "skills", "test"),
    run("demo", "--json"),
  ]);
  assert.equal(ofSkills.code, 0, ofSkills.stdout + ofSkills.stderr);
  assert.equal(demo.code, 0, demo.stdout + demo.stderr);
});

type Lock = { readonly packages: Readonly<Record<string, { readonly version: string }>> };

async function versionIn(home: string, name: string): Promise<string> {
  const file = path.join(home, "node_modules", name, "package.json");
  return (JSON.parse(await readFile(file, "utf8")) as { readonly version: string }).version;
}

/** Of the checkout, to be built in: other tests read what is built in the checkout itself. */
async function aCopy(dir: string): Promise<string> {
  const copy = path.join(dir, "checkout");
  const left = ["node_modules", ".git", "dist", "test", "bench"].map((name) =>
    path.join(ROOT, name),
  );
  await cp(ROOT, copy, { recursive: true, filter: (from) => !left.includes(from) });
  await symlink(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  return copy;
}

async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", args, {
    cwd,
    maxBuffer: 64 * 1_048_576,
  });
  return stdout;
}
