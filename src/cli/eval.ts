import { Command } from "commander";
import { SEARCH_PARTS, type SearchPart } from "../domain/search-part.ts";
import type { Invoke } from "./invocation.ts";
import { wholeNumber, wordsOf } from "./options.ts";

type Options = {
  readonly proposers?: readonly (typeof PROPOSERS)[number][];
  readonly without?: readonly SearchPart[];
  readonly budgetMs?: number;
  readonly jobs?: number;
  readonly limit?: number;
  readonly out?: string;
  readonly control?: true;
};

const PROPOSERS = ["revert", "drift", "search", "model"] as const;

/** `hone eval <suite…>`: repairs every case of the suites and scores each once on held-out tests. */
export function evalCommand(invoke: Invoke): Command {
  return new Command("eval")
    .description("repair each case of a suite, then score it once on its held-out tests")
    .argument("<suite...>", "folders of case files, or JSONL files")
    .option("--proposers <a,b>", `some of ${PROPOSERS.join(", ")}`, wordsOf(PROPOSERS))
    .option("--without <a,b>", `search without ${SEARCH_PARTS.join(", ")}`, wordsOf(SEARCH_PARTS))
    .option("--budget-ms <n>", "time for each case, in milliseconds", wholeNumber(1))
    .option("--jobs <n>", "cases at a time", wholeNumber(1))
    .option("--limit <n>", "the first n cases only", wholeNumber(1))
    .option("--out <file>", "write the whole report there, as JSON")
    .option("--control", "offer patches for fixed sources: nothing may be released")
    .action((suites: readonly string[], { control, ...options }: Options) =>
      invoke(async ({ terminal, signal, env }) => {
        const { loadConfig } = await import("../config-file.ts");
        const { config } = await loadConfig({ workspaceDir: null, env });
        const { runEval } = await import("../eval/run-eval.ts");
        const asked = { ...options, suites, isControl: control === true, model: config.model };
        return await runEval({ ...asked, terminal, signal });
      }),
    );
}
