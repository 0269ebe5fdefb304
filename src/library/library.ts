import { UNBORN } from "../domain/birth.ts";
import { HoneError } from "../domain/errors.ts";
import type { Skill } from "../domain/skill.ts";
import type { Library, Loaded } from "../ports/library.ts";
import type { Repository, TreeFile } from "../ports/repository.ts";
import { loadSkill, type LoadPorts } from "./load-skill.ts";

export type LibraryPorts = LoadPorts & { readonly repository: Repository };

const FOLDER = "skills";

/**
 * The skills of the branch `hone`. A skill is loaded when it is first needed and again when its
 * content has changed; a run keeps the version that it was given.
 */
export function openLibrary(ports: LibraryPorts): Library {
  const { repository } = ports;
  const loadContent = contentsOf(ports);
  let current: Head | null = null;

  async function atHead(): Promise<NonNullable<typeof current>> {
    const head = await repository.head();
    if (current?.head === head) return current;
    const folders = await foldersOf(head, repository);
    current = { head, folders, loaded: new Map() };
    return current;
  }

  /** The same content may come back with a later commit, a rollback's: the version is that commit. */
  async function load(name: string, files: readonly TreeFile[], commit: string): Promise<Loaded> {
    const version = await repository.lastChange(commit, `${FOLDER}/${name}`);
    const loaded = await loadContent(name, files, version);
    if (loaded.status === "unsound") return loaded;
    const problems = await missingCalls(loaded.skill, commit);
    return problems.length > 0
      ? { status: "unsound", name, tree: loaded.tree, problems }
      : { ...loaded, skill: { ...loaded.skill, version } };
  }

  /** A machine is sound beside the skills that it calls: one that is gone would end it half-way. */
  async function missingCalls({ calls = [] }: Skill, commit: string): Promise<readonly string[]> {
    if (calls.length === 0) return [];
    const names = new Set((await foldersOf(commit, repository)).keys());
    return calls
      .filter(({ skill }) => !names.has(skill))
      .map(({ skill, line }) => `machine.ts:${line}: there is no skill ${skill}`);
  }

  async function loadAll(commit: string): Promise<readonly Loaded[]> {
    const folders = await foldersOf(commit, repository);
    const loaded: Loaded[] = [];
    for (const [name, files] of folders) loaded.push(await load(name, files, commit));
    return loaded;
  }

  return {
    async active(name) {
      const { head, folders, loaded } = await atHead();
      const files = folders.get(name);
      if (files === undefined) throw await notFound(name, [...folders.keys()], repository);
      const loading = loaded.get(name) ?? load(name, files, head);
      loaded.set(name, loading);
      loading.catch(() => loaded.delete(name));
      return soundOr(await loading);
    },
    async names() {
      return [...(await atHead()).folders.keys()];
    },
    loadAll,
    contents: (commit, names) => contentsAt(commit, names, repository, loadContent),
    async draft(name, files) {
      const signal = new AbortController().signal;
      return await loadSkill({ name, version: UNBORN, tree: "", files }, ports, signal);
    },
    at: versionsIn(repository, loadContent),
  };
}

/** Skills as they were at their versions, each read once: under a canary each call asks for one. */
function versionsIn(repository: Repository, loadContent: LoadContent): Library["at"] {
  const known = new Map<string, Skill>();
  return async (name, version) => {
    const key = `${name} ${version}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const files = (await foldersOf(version, repository)).get(name);
    if (files === undefined) return null;
    const loaded = await loadContent(name, files, version);
    if (loaded.status === "unsound") return null;
    const skill = { ...loaded.skill, version };
    known.set(key, skill);
    if (known.size > MOST_CACHED) known.delete(known.keys().next().value ?? "");
    return skill;
  };
}

async function contentsAt(
  commit: string,
  names: ReadonlySet<string>,
  repository: Repository,
  load: LoadContent,
): Promise<readonly Loaded[]> {
  const wanted = [...(await foldersOf(commit, repository))].filter(([name]) => names.has(name));
  return await Promise.all(wanted.map(([name, files]) => load(name, files, commit)));
}

type LoadContent = (name: string, files: readonly TreeFile[], version: string) => Promise<Loaded>;

/** Loads contents, each once. */
function contentsOf(ports: LibraryPorts): LoadContent {
  const cache = new Map<string, Promise<Loaded>>();
  const signal = new AbortController().signal;

  /** One entry per skill and content, so that a changed skill replaces what it was before. */
  async function loadContent(
    name: string,
    files: readonly TreeFile[],
    version: string,
  ): Promise<Loaded> {
    const tree = files.map(({ path, blob }) => `${path}:${blob}`).join("\n");
    const key = `${name}\n${tree}`;
    const known = cache.get(key);
    if (known !== undefined) return await known;
    const loading = read(name, tree, files, version);
    cache.set(key, loading);
    loading.catch(() => cache.delete(key));
    if (cache.size > MOST_CACHED) cache.delete(cache.keys().next().value ?? "");
    return await loading;
  }

  async function read(
    name: string,
    tree: string,
    files: readonly TreeFile[],
    version: string,
  ): Promise<Loaded> {
    const texts: Record<string, string> = {};
    const problems: string[] = [];
    for (const { path, blob } of files) {
      const file = path.slice(FOLDER.length + name.length + 2);
      const text = await ports.repository.textOrNull(blob);
      if (text !== null) texts[file] = text;
      else if (READ_FILES.has(file)) problems.push(`${file} is not UTF-8 text`);
    }
    if (problems.length > 0) return { status: "unsound", name, tree, problems };
    return await loadSkill({ name, version, tree, files: texts }, ports, signal);
  }

  return loadContent;
}

/** What is active: the skills of the head, loaded as they are asked for. */
type Head = {
  readonly head: string;
  readonly folders: ReadonlyMap<string, readonly TreeFile[]>;
  readonly loaded: Map<string, Promise<Loaded>>;
};

/** What hone reads of a skill. Other files are there for its readers, pictures and all. */
const READ_FILES: ReadonlySet<string> = new Set([
  "SKILL.md",
  "skill.ts",
  "skill.js",
  "machine.ts",
  "prompt.md",
  "calls.jsonl",
  "cases.jsonl",
]);

/** Loaded versions kept in memory; an old one is read again when it is asked for. */
const MOST_CACHED = 256;

async function foldersOf(
  commit: string,
  repository: Repository,
): Promise<ReadonlyMap<string, readonly TreeFile[]>> {
  const folders = new Map<string, TreeFile[]>();
  for (const file of await repository.files(commit, FOLDER)) {
    const [, name, rest] = /^skills\/([^/]+)\/(.+)$/.exec(file.path) ?? [];
    if (name === undefined || rest === undefined) continue;
    folders.set(name, [...(folders.get(name) ?? []), file]);
  }
  return new Map([...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function soundOr(loaded: Loaded): Skill {
  if (loaded.status === "sound") return loaded.skill;
  throw new HoneError("bad-skill", `skill ${loaded.name}: ${loaded.problems.join("; ")}`, {
    hint: "Mend the skill's files and commit them.",
  });
}

async function notFound(
  name: string,
  known: readonly string[],
  repository: Pick<Repository, "uncommitted">,
): Promise<HoneError> {
  const isName = /^[a-z0-9-]+$/.test(name);
  const edited = isName ? await repository.uncommitted(`${FOLDER}/${name}`) : [];
  const others = known.length > 0 ? `There are: ${known.join(", ")}.` : "Commit one under skills/.";
  return new HoneError("not-found", `there is no skill named ${name}`, {
    hint: edited.length > 0 ? `${FOLDER}/${name} is not committed: commit it.` : others,
  });
}
