import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRepository } from "../../src/adapters/git/create.ts";
import { openRepository } from "../../src/adapters/git/git-repository.ts";
import { HoneError } from "../../src/domain/errors.ts";
import type { Evidence } from "../../src/domain/release.ts";
import type { Repository } from "../../src/ports/repository.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;
type Settings = { readonly publish?: "auto" | "manual"; readonly branch?: string };

export const SKILL = "skills/greet/skill.ts";
export const SOURCE = "export function greet(name: string): string {\n  return name;\n}\n";

/** A workspace in a real git repository, with the person who works on its branch `main`. */
export class GitWorkspace {
  /** Root of the checkout. */
  readonly top: string;
  /** The workspace's folder. */
  readonly dir: string;
  readonly #releasers: (() => unknown)[] = [];

  constructor(prefix: string) {
    this.top = realpathSync(mkdtempSync(path.join(os.tmpdir(), "hone-git-")));
    this.dir = path.join(this.top, prefix);
  }

  /** Runs git as the person, in a folder of theirs. Throws what git complains. */
  git(...args: readonly string[]): string {
    return execFileSync("git", [...args], {
      cwd: this.top,
      env: personsEnvironment(),
      encoding: "utf8",
      stdio: "pipe",
    }).trimEnd();
  }

  /** The same where failure is an answer. */
  gitCode(...args: readonly string[]): number {
    return spawnSync("git", [...args], { cwd: this.top, env: personsEnvironment() }).status ?? -1;
  }

  /** Puts files into the workspace's folder of the checkout. */
  write(files: Files): void {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(this.dir, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  }

  /** The person writes and commits files on the branch they are on. */
  commit(files: Files, message = "a person's work"): string {
    this.write(files);
    this.git("add", "--all");
    this.git("commit", "--quiet", "-m", message);
    return this.git("rev-parse", "HEAD");
  }

  async open(settings: Settings = {}): Promise<Repository> {
    const repository = await openRepository({
      dir: this.dir,
      publish: settings.publish ?? "manual",
      branch: settings.branch ?? "",
    });
    this.#releasers.push(() => repository[Symbol.asyncDispose]());
    return repository;
  }

  async remove(): Promise<void> {
    for (const release of this.#releasers) await release();
    rmSync(this.top, { recursive: true, force: true });
  }
}

/** A workspace with one skill, committed by a person on `main`, and `hone` beside it. */
export async function aGitWorkspace(
  t: { after(release: () => unknown): void },
  { prefix = "", files = { [SKILL]: SOURCE } }: { prefix?: string; files?: Files } = {},
): Promise<GitWorkspace> {
  const workspace = new GitWorkspace(prefix);
  t.after(() => workspace.remove());
  workspace.git("init", "--quiet", "--initial-branch=main");
  workspace.commit(files, "the first files");
  await createRepository(workspace.dir);
  return workspace;
}

/** Prepares and advances one commit at the head of hone; returns its id. */
export async function release(
  repository: Repository,
  changes: Readonly<Record<string, string | null>>,
  message = "skill(greet): say hello\n\nHone-Evidence: sha256:0",
): Promise<string> {
  const prepared = await repository.prepare(await repository.head(), changes, message);
  await repository.advance(prepared, anEvidence({ parent: prepared.parent }));
  return prepared.commit;
}

/** The same, again from the new head whenever somebody else was first, after a growing pause. */
export async function releaseInTurn(
  repository: Repository,
  changes: Readonly<Record<string, string | null>>,
): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const commit = await release(repository, changes).catch((error: unknown) => {
      if (error instanceof HoneError && error.code === "git-conflict" && error.retryable)
        return null;
      throw error;
    });
    if (commit !== null) return commit;
    const pauseMs = Math.random() * Math.min(2_000, 50 * 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export function anEvidence(overrides: Partial<Evidence> = {}): Evidence {
  return {
    schemaVersion: 1,
    skill: "greet",
    parent: "0".repeat(40),
    before: {},
    after: {},
    incident: { signature: "s", failureClass: "wrong-value", summary: "says the wrong thing" },
    origin: { proposer: "search", operator: "swap", seed: 1, parent: null },
    reason: "say hello",
    rewardBefore: 0.5,
    rewardAfter: 1,
    verdicts: [],
    outcomes: {},
    failingCase: {
      name: "hello",
      input: { name: "Ann" },
      expectation: { kind: "value", value: "x" },
    },
    approvedBy: null,
    docker: "off",
    container: null,
    tools: {},
    ...overrides,
  } as Evidence;
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
