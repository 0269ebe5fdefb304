import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseConfig, type Config } from "../../src/config.ts";
import { createRepository, openWorkspace, type OpenWorkspace } from "../../src/daemon/compose.ts";
import { initWorkspace } from "../../src/daemon/init-workspace.ts";

type Files = Readonly<Record<string, string>>;

type Settings = Readonly<Record<string, unknown>>;

/** Settings under which a test waits for nothing: no set-aside runs, no pauses. */
const QUICK: Settings = {
  publish: "auto",
  docker: "off",
  improve: { automatic: false, budgetMs: 10_000, backoffMs: 0 },
  heldOut: { share: 0, minimum: 2 },
  watch: { minimumRuns: 5, maximumRuns: 12, alpha: 0.05, tolerance: 0.02 },
  logLevel: "silent",
};

/** A real workspace in a folder of its own, with the person who commits to its branch `main`. */
export class TestWorkspace {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Opens it as the daemon does, or as a command; `await using` leaves it again. */
  async open(settings: Settings = {}, as: "daemon" | "command" = "daemon"): Promise<OpenWorkspace> {
    const exclusive = as === "daemon";
    return await openWorkspace(this.dir, { config: configOf(settings), exclusive });
  }

  /** Runs git as the person. Throws what git complains. */
  git(...args: readonly string[]): string {
    return execFileSync("git", [...args], {
      cwd: this.dir,
      env: personsEnvironment(),
      encoding: "utf8",
      stdio: "pipe",
    }).trimEnd();
  }

  write(files: Files): void {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.dir, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  /** The person writes and commits files; returns the commit. */
  commit(files: Files, message = "a person's work"): string {
    this.write(files);
    this.git("add", "--all");
    this.git("commit", "--quiet", "-m", message);
    return this.git("rev-parse", "HEAD");
  }

  /** A file as a commit has it, to the byte. */
  show(commit: string, file: string): string {
    return execFileSync("git", ["show", `${commit}:${file}`], {
      cwd: this.dir,
      env: personsEnvironment(),
      encoding: "utf8",
      stdio: "pipe",
    });
  }
}

/** A workspace with the given files, made as `hone init` makes one; removed after the test. */
export async function aWorkspace(
  t: { after(release: () => void): void },
  files: Files,
): Promise<TestWorkspace> {
  const dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), "hone-e2e-")));
  t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  const workspace = new TestWorkspace(dir);
  workspace.write(files);
  await initWorkspace(dir, { isEmpty: true, createRepository });
  return workspace;
}

type SkillText = {
  readonly source: string;
  readonly cases: readonly object[];
  readonly heldOut?: readonly object[];
  /** YAML of `metadata`, two blanks indented. */
  readonly metadata?: string;
};

/** The files of a skill folder, and its held-out cases. */
export function skillFiles(name: string, skill: SkillText): Record<string, string> {
  const metadata = skill.metadata ?? "  kind: function";
  return {
    [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: ${name}, for a test.\nmetadata:\n${metadata}\n---\n\nCall it.\n`,
    [`skills/${name}/skill.ts`]: skill.source,
    [`skills/${name}/cases.jsonl`]: linesOf(skill.cases),
    ...(skill.heldOut === undefined
      ? {}
      : { [`data/held-out/${name}.jsonl`]: linesOf(skill.heldOut) }),
  };
}

export function linesOf(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

export function configOf(settings: Settings = {}): Config {
  const merged: Record<string, unknown> = { ...QUICK };
  for (const [key, value] of Object.entries(settings)) {
    const before = merged[key];
    merged[key] =
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? { ...(before as object), ...value }
        : value;
  }
  return parseConfig(merged, "the test's settings");
}

function personsEnvironment(): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "ann@example.com",
    GIT_COMMITTER_NAME: "Ann",
    GIT_COMMITTER_EMAIL: "ann@example.com",
    GIT_EDITOR: "true",
  };
}
