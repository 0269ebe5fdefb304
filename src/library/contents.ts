import type { Loaded } from "../ports/library.ts";
import type { Repository, TreeFile } from "../ports/repository.ts";
import { loadSkill, type LoadPorts } from "./load-skill.ts";

/** The folder of the skills, from the workspace's. */
export const FOLDER = "skills";

export type ContentPorts = LoadPorts & { readonly repository: Pick<Repository, "textOrNull"> };

export type LoadContent = (
  name: string,
  files: readonly TreeFile[],
  version: string,
) => Promise<Loaded>;

/** Loads contents, each once: the latest that were loaded are kept in memory. */
export function contentsOf(ports: ContentPorts): LoadContent {
  const cache = new Map<string, Promise<Loaded>>();
  const sizes = new Map<string, number>();
  let characters = 0;
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
    loading.then(
      (loaded) => weigh(key, loaded),
      () => cache.delete(key),
    );
    return await loading;
  }

  /** Forgets the oldest, beyond what is kept in any case, until all of them together fit. */
  function weigh(key: string, loaded: Loaded): void {
    if (!cache.has(key)) return;
    const size = sizeOf(loaded);
    sizes.set(key, size);
    characters += size;
    for (const [oldest, of] of sizes) {
      if (cache.size <= ALWAYS_CACHED || characters <= MOST_CHARACTERS) return;
      cache.delete(oldest);
      sizes.delete(oldest);
      characters -= of;
    }
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

/** Loaded versions kept in memory, however long they are; an old one is read again when asked for. */
const ALWAYS_CACHED = 256;

/** Characters of all loaded versions, beyond that number. */
const MOST_CHARACTERS = 16_777_216;

function sizeOf(loaded: Loaded): number {
  if (loaded.status === "unsound") return 1_000;
  return Object.values(loaded.skill.files).reduce((sum, text) => sum + text.length, 1_000);
}
