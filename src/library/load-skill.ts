import { fileOf, type Language, type Manifest, type Skill } from "../domain/skill.ts";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import type { Loaded } from "../ports/library.ts";
import type { Editor, Inspection } from "../ports/editor.ts";
import { readCases } from "./case-lines.ts";
import { readFrontMatter, type FrontMatter } from "./front-matter.ts";

export type LoadPorts = {
  readonly inspect: Editor["inspect"];
  /** Problems of a reward's options, as sentences; and of rewards that do not exist. */
  readonly rewardProblems: (skill: Skill["manifest"]["reward"]) => readonly string[];
};

/** The folder of a skill as one commit has it. */
export type Folder = {
  readonly name: string;
  readonly version: string;
  /** Identifies the content: equal trees are the same skill. */
  readonly tree: string;
  readonly files: Readonly<Record<string, string>>;
};

/** Folder → skill. Validates everything and names every problem in one pass. */
export async function loadSkill(
  folder: Folder,
  ports: LoadPorts,
  signal: AbortSignal,
): Promise<Loaded> {
  const { name, tree, files } = folder;
  const problems: string[] = [];
  const front = readFrontMatter(files["SKILL.md"] ?? "", name);
  problems.push(...(files["SKILL.md"] === undefined ? ["SKILL.md is missing"] : front.problems));
  if (front.value !== null) problems.push(...ports.rewardProblems(front.value.manifest.reward));
  const kind = front.value?.manifest.kind ?? "function";
  const inspected = await inspectedSource(files, { ...ports, kind }, signal);
  problems.push(...inspected.problems);
  const signature = inspected.read?.inspection.signature ?? null;
  const cases = readCases(files["cases.jsonl"] ?? "", "cases.jsonl", signature);
  problems.push(...cases.problems);
  if (front.value !== null && inspected.read !== null) {
    const { inspection } = inspected.read;
    problems.push(...ungranted(inspection, front.value.manifest));
    problems.push(...unknownParameters(inspection, front.value));
  }
  if (front.value === null || inspected.read === null || problems.length > 0)
    return { status: "unsound", name, tree, problems };
  const { language, source, inspection } = inspected.read;
  const { status: _, ...contract } = inspection;
  return {
    status: "sound",
    name,
    tree,
    skill: {
      ...contract,
      inputSchema: described(contract.inputSchema, front.value.parameters),
      name,
      version: folder.version,
      description: front.value.description,
      manifest: front.value.manifest,
      language,
      source,
      cases: cases.value ?? [],
      files,
    },
  };
}

function unknownParameters(
  { signature }: Pick<Skill, "signature">,
  { parameters }: FrontMatter,
): readonly string[] {
  const known = new Set(signature.parameters.map(({ name }) => name));
  return Object.keys(parameters)
    .filter((name) => !known.has(name))
    .map((name) => `SKILL.md: metadata.parameters.${name}: there is no such parameter`);
}

/** The schema of an input with what each parameter wants in words. */
function described(schema: JsonObject, words: FrontMatter["parameters"]): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const told = Object.entries(properties).map(([name, value]): [string, Json] => {
    const description = Object.hasOwn(words, name) ? words[name] : "";
    return [name, isJsonObject(value) && description ? { ...value, description } : value];
  });
  return { ...schema, properties: Object.fromEntries(told) };
}

/** A machine calls what its manifest names, and nothing else. */
function ungranted(
  { calls = [] }: Pick<Skill, "calls">,
  { capabilities }: Manifest,
): readonly string[] {
  const granted = capabilities.skills ?? [];
  return calls
    .filter(({ skill }) => !granted.includes(skill))
    .map(
      ({ skill, as, state, line }) =>
        `machine.ts:${line}: ${state === "" ? "the machine" : `state "${state}"`}: the ${as} ${skill} is not among capabilities.skills`,
    );
}

type InspectedSource = {
  readonly problems: readonly string[];
  readonly read: {
    readonly language: Language;
    readonly source: string;
    readonly inspection: Extract<Inspection, { status: "sound" }>;
  } | null;
};

async function inspectedSource(
  files: Folder["files"],
  { inspect, kind }: LoadPorts & { readonly kind: Manifest["kind"] },
  signal: AbortSignal,
): Promise<InspectedSource> {
  const language = languageOf(files, kind);
  const file = fileOf({ language });
  const source = files[file];
  if (source === undefined) return { problems: [`${file} is missing`], read: null };
  const inspection = await inspect({ text: source, language, entry: null }, signal);
  if (inspection.status === "unsound") {
    const problems = inspection.problems.map(({ line, message }) => `${file}:${line}: ${message}`);
    return { problems, read: null };
  }
  return { problems: [], read: { language, source, inspection } };
}

function languageOf(files: Folder["files"], kind: Manifest["kind"]): Language {
  if (kind !== "function") return kind;
  return files["skill.ts"] === undefined && files["skill.js"] !== undefined ? "js" : "ts";
}
