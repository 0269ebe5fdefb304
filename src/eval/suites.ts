import { readFile, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Case, CaseWorld, Expectation } from "../domain/case.ts";
import { HoneError, messageOf } from "../domain/errors.ts";
import type { Json } from "../domain/json.ts";
import { unfitJson } from "../domain/json-text.ts";
import type { Language } from "../domain/skill.ts";
import { worldSchema } from "../library/case-lines.ts";

/** One faulty skill of a suite. What proposers may see and what scores them never meet. */
export type Subject = {
  readonly id: string;
  readonly kind: string;
  readonly difficulty: string;
  readonly entry: string;
  readonly language: Language;
  readonly buggy: string;
  readonly fixed: string;
  readonly world: CaseWorld;
  readonly visible: readonly Case[];
  readonly heldOut: readonly Case[];
};

const json = z.custom<Json>((value) => value !== undefined);
const row = z.union([
  z.strictObject({ args: z.array(json), expect: json }),
  z.strictObject({ args: z.array(json), throws: z.string() }),
]);

const subject = z.looseObject({
  id: z.string(),
  kind: z.string().optional(),
  bug_type: z.string().optional(),
  difficulty: z.string().optional(),
  skill: z.looseObject({
    name: z.string(),
    source_buggy: z.string(),
    source_fixed: z.string(),
    language: z.enum(["js", "ts"]).default("ts"),
  }),
  capabilities: worldSchema.optional(),
  visible_tests: z.array(row).min(1),
  heldout_tests: z.array(row),
});

/** Reads suites: a folder of case files, or a JSONL file. Throws one `bad-suite` per faulty entry. */
export async function readSuites(
  files: readonly string[],
  limit: number | undefined,
): Promise<readonly Subject[]> {
  const subjects: Subject[] = [];
  for (const file of files) {
    for (const { where, text } of await entriesOf(file)) subjects.push(subjectOf(text, where));
  }
  if (subjects.length === 0) throw new HoneError("bad-suite", `${files.join(", ")}: no cases`);
  return subjects.slice(0, limit);
}

type Entry = { readonly where: string; readonly text: string };

async function entriesOf(file: string): Promise<readonly Entry[]> {
  try {
    if (!(await stat(file)).isDirectory()) return linesOf(file, await readFile(file, "utf8"));
    const names = (await readdir(file)).filter((name) => name.endsWith(".json")).toSorted();
    return await Promise.all(
      names.map(async (name) => {
        const where = path.join(file, name);
        return { where, text: await readFile(where, "utf8") };
      }),
    );
  } catch (cause) {
    throw new HoneError("bad-suite", `${file} cannot be read: ${messageOf(cause)}`, {
      hint: "Name a folder of case files or a JSONL file.",
      cause,
    });
  }
}

function linesOf(file: string, text: string): readonly Entry[] {
  return text
    .split("\n")
    .map((line, at) => ({ where: `${file}:${at + 1}`, text: line }))
    .filter((entry) => entry.text.trim() !== "");
}

function subjectOf(text: string, where: string): Subject {
  const parsed = subject.safeParse(parsedJson(text, where));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path: at, message }) => `${at.join(".")}: ${message}`,
    );
    throw new HoneError("bad-suite", `${where} is no case: ${problems.join("; ")}`);
  }
  const {
    id,
    skill,
    capabilities,
    visible_tests: visible,
    heldout_tests: heldOut,
    ...rest
  } = parsed.data;
  const world = (capabilities ?? {}) as CaseWorld;
  const casesOf = (rows: readonly z.infer<typeof row>[], kind: string): Case[] =>
    rows.map((each, at) => ({
      name: `${kind} ${at + 1}`,
      args: each.args,
      expectation: expectationOf(each),
      world,
    }));
  return {
    id,
    kind: rest.kind ?? rest.bug_type ?? "",
    difficulty: rest.difficulty ?? "",
    entry: skill.name,
    language: skill.language,
    buggy: skill.source_buggy,
    fixed: skill.source_fixed,
    world,
    visible: casesOf(visible, "visible"),
    heldOut: casesOf(heldOut, "held-out"),
  };
}

function expectationOf(of: z.infer<typeof row>): Expectation {
  return "throws" in of
    ? { kind: "throws", message: of.throws }
    : { kind: "value", value: of.expect };
}

function parsedJson(text: string, where: string): unknown {
  const unfit = unfitJson(text);
  if (unfit !== null) throw new HoneError("bad-suite", `${where} ${unfit}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HoneError("bad-suite", `${where} is no JSON: ${messageOf(cause)}`, { cause });
  }
}
