import type { ExaminePorts } from "../examine/examine.ts";
import type { Entry } from "./corpus.ts";
import { incumbentOf } from "./incumbent.ts";
import { type Arena, byTheWalls, type Ended, rawProgram, skillOf } from "./trial.ts";

/**
 * Runs an attack on a plain Node process in a container, and judges what comes out of it as the gate
 * `docker` does. No text is read before: the container is the wall that is tried here.
 */
export async function nodeTrialOf(
  entry: Entry,
  corpus: readonly Entry[],
  arena: Arena,
  sandbox: ExaminePorts["sandbox"],
): Promise<Ended> {
  const { shop, signal } = arena;
  const skill = await skillOf(incumbentOf(entry.task, corpus), entry.task, shop, signal);
  const asked = { skill, program: rawProgram(asModule(entry.source)), task: entry.task };
  const { verdict, said } = await byTheWalls(asked, { ...shop, sandbox }, signal);
  const isReleasable = verdict === "pass";
  const stoppedBy = isReleasable
    ? null
    : ({ gate: "container", reason: `came to ${verdict} in a container` } as const);
  return { verdict, stoppedBy, behind: null, isReleasable, reasons: "", said };
}

/** A CommonJS file as a script whose `skill` is what the file exports. */
function asModule(source: string): string {
  const require = 'globalThis.process?.getBuiltinModule?.("node:module").createRequire("/")';
  return [
    "const loaded = { exports: {} };",
    `(function (module, exports, require) {\n${source}\n})(loaded, loaded.exports, ${require});`,
    "function skill(input) { return loaded.exports(input); }",
  ].join("\n");
}
