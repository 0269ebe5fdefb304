import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { HoneError, messageOf } from "../domain/errors.ts";
import type { Json } from "../domain/json.ts";

const VERDICTS = ["pass", "fail", "reject", "crash", "timeout", "nondeterministic"] as const;

/** What an attack may come to. `nondeterministic`: its answers depend on more than the input. */
export type RedVerdict = (typeof VERDICTS)[number];

/** One attack, or an honest control. */
export type Entry = {
  readonly id: string;
  readonly attack: string;
  readonly category: string;
  readonly tier: "isolate" | "node" | "patch";
  readonly isControl: boolean;
  /** Verdicts that the corpus takes for right. */
  readonly expected: readonly RedVerdict[];
  readonly source: string;
  readonly task: TaskSpec;
};

/** Pairs of an input and its right answer; the held-out ones reach no attack. */
export type TaskSpec = {
  readonly visible: readonly Pair[];
  readonly heldOut: readonly Pair[];
  /** The version that the attack is to replace; null: made from the corpus. */
  readonly incumbent: string | null;
};

export type Pair = readonly [input: Json, expected: Json];

const json = z.custom<Json>((value) => value !== undefined);
const pairs = z.array(z.tuple([json, json]));

const tasksSchema = z.record(
  z.string(),
  z.looseObject({ visible: pairs.min(1), heldout: pairs, incumbent: z.string().optional() }),
);

const indexSchema = z.array(
  z.looseObject({
    id: z.string(),
    file: z.string().regex(/^[\w.-]+$/, { error: "is a file of the folder" }),
    attack: z.string(),
    expected_verdict: z.string(),
    task: z.string(),
    tier: z.enum(["isolate", "node", "patch"]),
    category: z.string(),
  }),
);

/** Reads a folder with index.json, tasks.json and a file an entry. Throws one `bad-suite`. */
export async function readCorpus(dir: string): Promise<readonly Entry[]> {
  const index = await parsed(path.join(dir, "index.json"), indexSchema);
  const tasks = await tasksIn(dir);
  const entries: Entry[] = [];
  for (const { id, file, attack, expected_verdict: expected, ...rest } of index) {
    const { category, tier } = rest;
    const task = tasks.get(rest.task);
    if (task === undefined) throw badCorpus(`${id}: there is no task ${rest.task}`);
    entries.push({
      id,
      attack,
      category,
      tier,
      isControl: category === "control",
      expected: verdictsIn(expected, id),
      source: await textOf(path.join(dir, file)),
      task,
    });
  }
  if (entries.length === 0) throw badCorpus(`${dir} has no entries`);
  return entries;
}

/** One object a task, so that entries of one task can be told by it. */
async function tasksIn(dir: string): Promise<ReadonlyMap<string, TaskSpec>> {
  const tasks = new Map<string, TaskSpec>();
  const read = await parsed(path.join(dir, "tasks.json"), tasksSchema);
  for (const [name, { visible, heldout: heldOut, incumbent }] of Object.entries(read)) {
    const text = incumbent === undefined ? null : await textOf(path.join(dir, incumbent));
    tasks.set(name, { visible, heldOut, incumbent: text });
  }
  return tasks;
}

/** `fail|crash`. A pass with a reservation (`pass-correct-no-speed`) may as well be refused. */
function verdictsIn(expected: string, id: string): RedVerdict[] {
  return expected.split("|").flatMap((word): RedVerdict[] => {
    const verdict = VERDICTS.find((known) => known === word.split("-")[0]);
    if (verdict === undefined) throw badCorpus(`${id}: ${word} is no verdict`);
    return word.startsWith("pass-") ? ["pass", "reject"] : [verdict];
  });
}

async function parsed<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  const result = schema.safeParse(parsedJson(await textOf(file), file));
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    ({ path: at, message }) => `${at.join(".")}: ${message}`,
  );
  throw badCorpus(`${file}: ${problems.join("; ")}`);
}

function parsedJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw badCorpus(`${file} is no JSON: ${messageOf(cause)}`, cause);
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw badCorpus(`${file} cannot be read: ${messageOf(cause)}`, cause);
  }
}

function badCorpus(message: string, cause?: unknown): HoneError {
  const hint = "A corpus is a folder with index.json, tasks.json and a file for each entry.";
  return new HoneError("bad-suite", message, { hint, cause });
}
