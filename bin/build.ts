import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Makes dist/ of the checkout: what a package ships in place of `src`, because Node strips no types
 * under node_modules. The tree keeps its shape, so that whatever lies beside a source is found
 * beside what was built of it.
 */
const ROOT = path.resolve(import.meta.dirname, "..");
const DIST = path.join(ROOT, "dist");

/** Files that are read or copied as they are: prompts, bundles, the demo's and new workspaces. */
const ASSETS = ["skills", "data/held-out", "rewards/frugal.ts", "src", "sandbox"];

/** What is left of these folders once the compiler has taken the programs. */
function isAsset(file: string): boolean {
  const name = path.relative(ROOT, file);
  if (name.startsWith("skills") || name.startsWith("src/demo/workspace")) return true;
  if (name === "sandbox/README.md" || name === "sandbox/isolate/web") return false;
  return ["rewards/frugal.ts", "sandbox/isolate/skill-env.d.ts"].includes(name)
    ? true
    : !name.endsWith(".ts");
}

/** Of package.json, what the program asks for: its version, and that its files are modules. */
function manifest(): string {
  const { name, version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
  };
  return `${JSON.stringify({ name, version, private: true, type: "module" })}\n`;
}

rmSync(DIST, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [
    path.join(ROOT, "node_modules/typescript/bin/tsc"),
    "--project",
    path.join(ROOT, "tsconfig.build.json"),
  ],
  {
    stdio: "inherit",
  },
);
for (const asset of ASSETS) {
  const to = path.join(DIST, asset);
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(path.join(ROOT, asset), to, { recursive: true, filter: isAsset });
}
writeFileSync(path.join(DIST, "package.json"), manifest());
