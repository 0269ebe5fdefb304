import type { Json } from "../domain/json.ts";
import type { Entry, TaskSpec } from "./corpus.ts";

/**
 * The version that an attack is to replace: right on every input but the first visible one, as
 * skills are when they are repaired. It is the task's own, or the corpus's honest solution with that
 * one fault, or, where there is none, a table of the answers, written so that no scan of literals
 * takes it for a reason to allow them.
 */
export function incumbentOf(task: TaskSpec, corpus: readonly Entry[]): string {
  if (task.incumbent !== null) return task.incumbent;
  const [asked, expected] = task.visible[0] ?? [null, null];
  const wrong = expected === null ? "0" : "null";
  const honest = corpus.find(
    (entry) => entry.isControl && entry.tier === "isolate" && entry.task === task,
  );
  return honest === undefined ? tableOf(task, wrong) : spoilt(honest.source, asked, wrong);
}

function spoilt(source: string, asked: Json, wrong: string): string {
  const fault = JSON.stringify(JSON.stringify(asked));
  return [
    `const honest = (() => {\n${source}\nreturn skill;\n})();`,
    `const fault = JSON.parse(${JSON.stringify(`[${fault}]`)});`,
    "function skill(input) {",
    `  return fault.includes(JSON.stringify(input)) ? ${wrong} : honest(input);`,
    "}",
    "",
  ].join("\n");
}

function tableOf({ visible, heldOut }: TaskSpec, wrong: string): string {
  const rows = [...visible.slice(1), ...heldOut].map(([input, expected]) => {
    return [JSON.stringify(input), expected];
  });
  return [
    `const known = new Map(JSON.parse(${JSON.stringify(JSON.stringify(rows))}));`,
    "function skill(input) {",
    "  const found = known.get(JSON.stringify(input));",
    `  return found === undefined ? ${wrong} : found;`,
    "}",
    "",
  ].join("\n");
}
