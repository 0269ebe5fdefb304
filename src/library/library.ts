import { UNBORN } from "../domain/birth.ts";
import { HoneError } from "../domain/errors.ts";
import type { Skill } from "../domain/skill.ts";
import type { Library, Loaded } from "../ports/library.ts";
import type { Repository, TreeFile } from "../ports/repository.ts";
import { contentsOf, FOLDER, type ContentPorts, type LoadContent } from "./contents.ts";
import { loadSkill } from "./load-skill.ts";

export type LibraryPorts = ContentPorts & { readonly repository: Repository };

/**
 * The skills of the branch `hone`. A skill is loaded when it is first needed and again when its
 * content has changed; a run keeps the version that it was given.
 */
export function openLibrary(ports: LibraryPorts): Library {
  const { repository } = ports;
  const loadContent = contentsOf(ports);
  const load = loaderOf(loadContent);
  let current: Head | null = null;

  async function atHead(): Promise<NonNullable<typeof current>> {
    const head = await repository.head();
    if (current?.head === head) return current;
    const folders = await foldersOf(head, repository);
    current = { head, folders, loaded: new Map() };
    return current;
  }

  async function loadAll(commit: string): Promise<readonly Loaded[]> {
    const folders = await foldersOf(commit, repository);
    const versions = await repository.lastChanges(commit, FOLDER);
    const loaded: Loaded[] = [];
    for (const name of folders.keys()) {
      loaded.push(await load(name, folders, versions.get(name) ?? commit));
    }
    return loaded;
  }

  return {
    async active(name) {
      const { head, folders, loaded } = await atHead();
      if (!folders.has(name)) throw await notFound(name, [...folders.keys()], repository);
      const loading =
        loaded.get(name) ??
        repository
          .lastChange(head, `${FOLDER}/${name}`)
          .then((version) => load(name, folders, version));
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

/** Skills at their versions that are kept in memory; an old one is read again when asked for. */
const MOST_VERSIONS = 256;

/** Skills as they were at their versions, each read once: under a canary each call asks for one. */
function versionsIn(repository: Repository, loadContent: LoadContent): Library["at"] {
  const known = new Map<string, Skill | null>();
  const keep = (key: string, skill: Skill | null): Skill | null => {
    known.set(key, skill);
    if (known.size > MOST_VERSIONS) known.delete(known.keys().next().value ?? "");
    return skill;
  };
  return async (name, version) => {
    const key = `${name} ${version}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const files = await repository.files(version, `${FOLDER}/${name}`);
    if (files.length === 0) return keep(key, null);
    const loaded = await loadContent(name, files, version);
    // One that cannot be loaded may be, once a reward that it names is there.
    return loaded.status === "unsound" ? null : keep(key, { ...loaded.skill, version });
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

/** The files of each skill of a commit, by its name. */
type Folders = ReadonlyMap<string, readonly TreeFile[]>;

/** What is active: the skills of the head, loaded as they are asked for. */
type Head = {
  readonly head: string;
  readonly folders: Folders;
  readonly loaded: Map<string, Promise<Loaded>>;
};

/** Loads a skill beside the others of its commit. */
function loaderOf(
  loadContent: LoadContent,
): (name: string, folders: Folders, version: string) => Promise<Loaded> {
  return async (name, folders, version) => {
    const loaded = await loadContent(name, folders.get(name) ?? [], version);
    if (loaded.status === "unsound") return loaded;
    const problems = missingCalls(loaded.skill, folders);
    if (problems.length > 0) return { status: "unsound", name, tree: loaded.tree, problems };
    // The same content may come back with a later commit, a rollback's: the version is that commit.
    return { ...loaded, skill: { ...loaded.skill, version } };
  };
}

/** A machine is sound beside the skills that it calls: one that is gone would end it half-way. */
function missingCalls({ calls = [] }: Skill, folders: Folders): readonly string[] {
  return calls
    .filter(({ skill }) => !folders.has(skill))
    .map(({ skill, line }) => `machine.ts:${line}: there is no skill ${skill}`);
}

async function foldersOf(commit: string, repository: Repository): Promise<Folders> {
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
