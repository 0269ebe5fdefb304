import { canonical, type JsonObject } from "../domain/json.ts";
import type { Skill } from "../domain/skill.ts";
import type { House } from "../ports/house.ts";
import type { Loaded } from "../ports/library.ts";
import type { Operations } from "../ports/operations.ts";
import type { TreeFile } from "../ports/repository.ts";
import type { Workspace } from "./workspace.ts";

/** What a skill's folder gives as a tool; null where it cannot be loaded. */
type Row = { readonly content: string; readonly tool: JsonObject | null };

type Rows = ReadonlyMap<string, Row>;

/** The tools of one head of the branch. */
type Told = { readonly head: string; readonly rows: Rows; readonly digest: string };

/**
 * The operation `tools`: what each sound skill is for those who call it. Only what has changed since
 * it was last asked is loaded, so that a thousand skills are told as soon as ten.
 */
export function toolsOf({ house }: Workspace): Pick<Operations, "tools"> {
  let told: Told = { head: "", rows: new Map(), digest: "" };
  return {
    async tools({ known }) {
      const head = await house.repository.head();
      if (head !== told.head) told = await toldAt(head, told.rows, house);
      const { digest, rows } = told;
      if (known === digest) return { schemaVersion: 1, digest, isUnchanged: true };
      return { schemaVersion: 1, digest, tools: toolsIn(rows) };
    },
  };
}

async function toldAt(
  head: string,
  before: Rows,
  { library, repository, sha256 }: House,
): Promise<Told> {
  const contents = contentsOf(await repository.files(head, "skills"));
  const changed = [...contents].filter(([name, one]) => before.get(name)?.content !== one);
  const loaded = await library.contents(head, new Set(changed.map(([name]) => name)));
  const fresh = new Map(loaded.map((one) => [one.name, toolOf(one)]));
  const rowFor = ([name, content]: [string, string]): [string, Row] => {
    const tool = fresh.has(name) ? fresh.get(name) : before.get(name)?.tool;
    return [name, { content, tool: tool ?? null }];
  };
  const rows = new Map([...contents].map(rowFor));
  return { head, rows, digest: sha256(canonical(toolsIn(rows))) };
}

function toolsIn(rows: Rows): JsonObject[] {
  return [...rows.values()].flatMap(({ tool }) => (tool === null ? [] : [tool]));
}

/** The blobs of each skill's folder, as one text. */
function contentsOf(files: readonly TreeFile[]): ReadonlyMap<string, string> {
  const contents = new Map<string, string>();
  for (const { path, blob } of files) {
    const [, name, rest] = /^skills\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (name === undefined || rest === undefined) continue;
    contents.set(name, `${contents.get(name) ?? ""}${rest}:${blob}\n`);
  }
  return new Map([...contents].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function toolOf(one: Loaded): JsonObject | null {
  return one.status === "sound" ? rowOf(one.skill) : null;
}

function rowOf({ name, description, manifest, inputSchema, outputSchema }: Skill): JsonObject {
  const { kind, capabilities } = manifest;
  return { name, description, kind, capabilities, inputSchema, outputSchema };
}
