import { fileOf, type Language, type Skill } from "../domain/skill.ts";
import type { Loaded } from "../ports/library.ts";
import type { Editor, Inspection } from "../ports/editor.ts";
import { readCases } from "./case-lines.ts";
import { readFrontMatter } from "./front-matter.ts";

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
  const inspected = await inspectedSource(files, ports, signal);
  problems.push(...inspected.problems);
  const signature = inspected.read?.inspection.signature ?? null;
  const cases = readCases(files["cases.jsonl"] ?? "", "cases.jsonl", signature);
  problems.push(...cases.problems);
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
  { inspect }: LoadPorts,
  signal: AbortSignal,
): Promise<InspectedSource> {
  const language: Language =
    files["skill.ts"] === undefined && files["skill.js"] !== undefined ? "js" : "ts";
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
