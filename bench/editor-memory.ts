import { readFileSync } from "node:fs";
import { createEditor } from "../src/adapters/morph/process-editor.ts";
import type { SourceText } from "../src/ports/editor.ts";

/**
 * 1,000 patches, each applied, inspected and type-checked: the memory of the editor's process and
 * of this one, in MB, and medians of each verb, in ms. Run: `node bench/editor-memory.ts [patches]`.
 */
const patches = Number(process.argv[2] ?? 1_000);
const source: SourceText = {
  language: "ts",
  entry: null,
  text: `/** Counts words. */
export function countWords(text: string, least = 1): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of text.toLowerCase().split(/\\s+/)) {
    if (word.length >= least) counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}
`,
};

function residentMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function median(values: readonly number[]): number {
  return Number((values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0).toFixed(2));
}

await using editor = createEditor();
const { signal } = new AbortController();
const took: Record<"apply" | "inspect" | "types", number[]> = { apply: [], inspect: [], types: [] };

async function timed<T>(verb: keyof typeof took, work: Promise<T>): Promise<T> {
  const from = performance.now();
  const value = await work;
  took[verb].push(performance.now() - from);
  return value;
}

const pids = new Set<number | undefined>();
const resident: number[] = [];
const before = residentMb(process.pid);
for (let round = 0; round < patches; round += 1) {
  const code = `return { words: text.length + least + ${round} };`;
  const edit = { op: "body", target: "countWords", code } as const;
  const edited = await timed("apply", editor.apply(source, [edit], signal));
  if (edited.status === "refused") throw new Error(edited.reason);
  const after = { ...source, text: edited.text };
  await timed("inspect", editor.inspect(after, signal));
  await timed("types", editor.newTypeErrors(source, after, signal));
  pids.add(editor.pid);
  if (editor.pid !== undefined) resident.push(residentMb(editor.pid));
}
const figures = {
  patches,
  processes: pids.size,
  mostEditorMb: Math.max(...resident),
  ownerMbBefore: before,
  ownerMbAfter: residentMb(process.pid),
  medianMs: { apply: median(took.apply), inspect: median(took.inspect), types: median(took.types) },
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
