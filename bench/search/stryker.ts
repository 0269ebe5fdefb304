import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { SAMPLES, type Sample } from "./functions.ts";

/** Exactly these: the fastest runner that StrykerJS has, tests and mutants in one process. */
const PACKAGES = {
  "@stryker-mutator/core": "10.0.0",
  "@stryker-mutator/mocha-runner": "10.0.0",
  mocha: "11.8.0",
};

const SETTINGS = {
  testRunner: "mocha",
  coverageAnalysis: "perTest",
  concurrency: 1,
  reporters: ["json"],
  checkers: [],
  plugins: ["@stryker-mutator/mocha-runner"],
  mutate: ["functions/*.js"],
  mochaOptions: { spec: ["tests/*.js"] },
  disableTypeChecks: false,
  timeoutMS: 1_000,
};

/** The samples so many times over: else its start is all there is to measure. */
const COPIES = 12;

/** A project with the samples, each with a test per input, and StrykerJS installed in it. */
export async function strykerProject(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "hone-stryker-"));
  const manifest = { name: "samples", private: true, type: "module", devDependencies: PACKAGES };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(path.join(folder, "stryker.config.json"), JSON.stringify(SETTINGS));
  await mkdir(path.join(folder, "functions"));
  await mkdir(path.join(folder, "tests"));
  for (const { name, source, inputs } of SAMPLES) {
    for (let copy = 1; copy <= COPIES; copy += 1) {
      const file = `${name}-${copy}.js`;
      await writeFile(path.join(folder, "functions", file), source);
      await writeFile(path.join(folder, "tests", file), testOf({ name, source, inputs }, file));
    }
  }
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
  return folder;
}

/** What the right function gives is what each test asks for. */
function testOf({ name, source, inputs }: Omit<Sample, "fault">, file: string): string {
  // The sources are this benchmark's own.
  // oxlint-disable-next-line no-new-func, no-implied-eval
  const right = new Function(`${source.replace("export ", "")}; return ${name};`)() as (
    ...args: unknown[]
  ) => unknown;
  const tests = inputs.map((args, at) => {
    const given = JSON.stringify(args);
    const expected = JSON.stringify(right(...(structuredClone(args) as unknown[])));
    return `  it("case ${at + 1}", () => assert.deepEqual(${name}(...${given}), ${expected}));`;
  });
  return [
    'import assert from "node:assert/strict";',
    `import { ${name} } from "../functions/${file}";`,
    `describe("${name}", () => {`,
    ...tests,
    "});\n",
  ].join("\n");
}

/** Runs it; with `dry`, only up to where its mutants would be run. */
export function runStryker(folder: string, dry: boolean): void {
  const bin = path.join(folder, "node_modules", ".bin", "stryker");
  const flags = dry ? ["--dryRunOnly"] : [];
  const ran = spawnSync(bin, ["run", ...flags], { cwd: folder, encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`${ran.stdout}\n${ran.stderr}`);
}

/** How many mutants its report says were run. */
export async function mutantsRun(folder: string): Promise<number> {
  const file = path.join(folder, "reports", "mutation", "mutation.json");
  const report = JSON.parse(await readFile(file, "utf8")) as {
    readonly files: Readonly<Record<string, { readonly mutants: readonly { status: string }[] }>>;
  };
  return Object.values(report.files)
    .flatMap(({ mutants }) => mutants)
    .filter(({ status }) => ["Killed", "Survived", "Timeout"].includes(status)).length;
}
