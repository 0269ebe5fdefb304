import { canonical, type JsonObject } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";
import { pinOf, pinsIn } from "../../pins.ts";
import type { House } from "../../ports/house.ts";
import type { Loaded } from "../../ports/library.ts";
import type { Operations } from "../../ports/operations.ts";
import type { TreeFile } from "../../ports/repository.ts";
import type { Workspace } from "../workspace.ts";

/** What a skill's folder gives as a tool; null where it cannot be loaded. */
type Row = { readonly content: string; readonly tool: JsonObject | null };

type Rows = ReadonlyMap<string, Row>;

/** The tools at one head of the branch, with what is pinned. */
type Told = {
  readonly head: string;
  readonly pins: string;
  readonly rows: Rows;
  readonly tools: readonly JsonObject[];
  readonly digest: string;
};

const NOTHING: Told = { head: "", pins: "", rows: new Map(), tools: [], digest: "" };

/**
 * The operation `tools`: what each sound skill is for those who call it. Only what has changed since
 * it was last asked is loaded, so that a thousand skills are told as soon as ten.
 */
export function toolsOf({ house }: Workspace): Pick<Operations, "tools"> {
  let told = NOTHING;
  return {
    async tools({ known }) {
      told = await toldNow(told, house);
      const { digest, tools } = told;
      return known === digest
        ? { schemaVersion: 1, digest, isUnchanged: true }
        : { schemaVersion: 1, digest, tools };
    },
  };
}

async function toldNow(before: Told, house: House): Promise<Told> {
  const head = await house.repository.head();
  const pins = JSON.stringify(pinsIn(house.store));
  if (head === before.head && pins === before.pins) return before;
  const rows = head === before.head ? before.rows : await rowsAt(head, before.rows, house);
  const tools: JsonObject[] = [];
  for (const [name, { tool }] of rows) {
    const served = pinOf(name, house.store) === null ? tool : await pinnedTool(name, house);
    if (served !== null) tools.push(served);
  }
  return { head, pins, rows, tools, digest: house.sha256(canonical(tools)) };
}

async function rowsAt(head: string, before: Rows, { library, repository }: House): Promise<Rows> {
  const contents = contentsOf(await repository.files(head, "skills"));
  const changed = [...contents].filter(([name, one]) => before.get(name)?.content !== one);
  const loaded = await library.contents(head, new Set(changed.map(([name]) => name)));
  const fresh = new Map(loaded.map((one) => [one.name, toolOf(one)]));
  const rowFor = ([name, content]: [string, string]): [string, Row] => {
    const tool = fresh.has(name) ? fresh.get(name) : before.get(name)?.tool;
    return [name, { content, tool: tool ?? null }];
  };
  return new Map([...contents].map(rowFor));
}

/** What calls of a pinned skill get; null where that version cannot be read. */
async function pinnedTool(name: string, { library, store }: House): Promise<JsonObject | null> {
  const pin = pinOf(name, store);
  const skill = pin === null ? null : await library.at(name, pin.version);
  return skill === null ? null : rowOf(skill);
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
