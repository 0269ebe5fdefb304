import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { parseJson, readJsonObject } from "./json-input.ts";
import { withOperations } from "./with-operations.ts";

/** `hone call <skill>`: runs a skill once. Exits 1 when the skill did not return. */
export function callCommand(invoke: Invoke): Command {
  return new Command("call")
    .description("run a skill once and print what it returned")
    .argument("<skill>", "name of the skill")
    .option("--input <json>", "its parameters by name; - reads them from stdin", "{}")
    .option("--expect <json>", "the right result, if you know it; the run is scored by it")
    .action((skill: string, options: { input: string; expect?: string }) =>
      invoke(async (invocation) => {
        const input = await readJsonObject(options.input, "--input");
        const expected =
          options.expect === undefined ? {} : { expect: parseJson(options.expect, "--expect") };
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.call({ skill, input, ...expected }),
        );
        invocation.terminal.answer(answer);
        return answer["status"] === undefined || answer["status"] === "returned" ? 0 : 1;
      }),
    );
}
