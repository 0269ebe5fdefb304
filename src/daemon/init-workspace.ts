import { existsSync } from "node:fs";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { loadConfig } from "../config-file.ts";
import type { ConfigSources } from "../config-file.ts";
import { configTemplate } from "../config-template.ts";
import { boundary } from "../domain/errors.ts";
import { CONFIG_FILE } from "../workspace-folder.ts";

/**
 * Gives a folder its history: the repository that it is in, or a new one whose first commit has the
 * folder's files; `made` says which. Throws `git-failed`.
 */
type CreateRepository = (dir: string) => Promise<{ readonly made: boolean }>;

export type InitOptions = {
  /** Without the skills that ship. */
  readonly isEmpty: boolean;
  readonly createRepository: CreateRepository;
  /** Its HONE_* variables win over a hone.yaml that is kept. */
  readonly env?: ConfigSources["env"];
};

/** What was made and what was found there and left alone, as paths inside the workspace. */
export type InitReport = {
  readonly workspace: string;
  readonly created: readonly string[];
  readonly kept: readonly string[];
  readonly repository: "created" | "existing";
  /** The setting in force. */
  readonly publish: "auto" | "manual";
};

const SHIPPED = path.resolve(import.meta.dirname, "../..");

/**
 * Makes a workspace of a folder: settings, skills with their held-out cases, an example of a
 * reward, and the git repository. What exists is never overwritten, so that it may be run again.
 * Throws `bad-config` for a hone.yaml that is kept and is not valid.
 */
export async function initWorkspace(dir: string, options: InitOptions): Promise<InitReport> {
  // Decided before the files are written, because the first commit has them.
  const standard = hasRepository(dir) ? "manual" : "auto";
  const made = await boundary({ code: "store-failed", retryable: false }, `Making ${dir}`, () =>
    makeFiles(dir, standard, options.isEmpty),
  );
  const { config } = await loadConfig({ workspaceDir: dir, env: options.env ?? {} });
  const repository = await options.createRepository(dir);
  return {
    workspace: dir,
    created: made.filter(({ isNew }) => isNew).map(({ name }) => name),
    kept: made.filter(({ isNew }) => !isNew).map(({ name }) => name),
    repository: repository.made ? "created" : "existing",
    publish: config.publish,
  };
}

type Made = { readonly name: string; readonly isNew: boolean };

function hasRepository(dir: string): boolean {
  if (existsSync(path.join(dir, ".git"))) return true;
  const parent = path.dirname(dir);
  return parent !== dir && hasRepository(parent);
}

async function makeFiles(
  dir: string,
  publish: InitReport["publish"],
  isEmpty: boolean,
): Promise<readonly Made[]> {
  for (const folder of ["skills", "rewards", "data/held-out", "data/run"]) {
    await mkdir(path.join(dir, folder), { recursive: true });
  }
  return [
    await put(dir, CONFIG_FILE, configTemplate(publish)),
    await put(dir, "data/.gitignore", IGNORED),
    ...(await copyAll(dir, "rewards", isShippedReward)),
    ...(isEmpty ? [] : await copySkills(dir)),
  ];
}

/** Run-time state; in data/ so that it need not touch a .gitignore of somebody else. */
const IGNORED = "/run/\n*.db\n*.db-shm\n*.db-wal\n";

/** The example; the built-in rewards beside it belong to hone. */
function isShippedReward(name: string): boolean {
  return name === "frugal.ts";
}

/** Skills with their held-out cases; those of a skill that is kept are not ours to add. */
async function copySkills(dir: string): Promise<readonly Made[]> {
  const skills = await copyAll(dir, "skills", () => true);
  const added = new Set(
    skills.filter(({ isNew }) => isNew).map(({ name }) => `${path.basename(name)}.jsonl`),
  );
  return [...skills, ...(await copyAll(dir, "data/held-out", (name) => added.has(name)))];
}

/** Copies the entries of a shipped folder that the workspace lacks. */
async function copyAll(
  dir: string,
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<readonly Made[]> {
  const names = (await readdir(path.join(SHIPPED, folder))).filter(isWanted).toSorted();
  const made: Made[] = [];
  for (const name of names) {
    const target = path.join(dir, folder, name);
    const isNew = !existsSync(target);
    if (isNew) await cp(path.join(SHIPPED, folder, name), target, { recursive: true });
    made.push({ name: `${folder}/${name}`, isNew });
  }
  return made;
}

async function put(dir: string, name: string, text: string): Promise<Made> {
  const target = path.join(dir, name);
  if (existsSync(target)) return { name, isNew: false };
  await writeFile(target, text, { flag: "wx" });
  return { name, isNew: true };
}
