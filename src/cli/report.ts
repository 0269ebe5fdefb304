import { Command } from "commander";
import { HoneError } from "../domain/errors.ts";
import type { JsonObject } from "../domain/json.ts";
import type { ReportRequest } from "../ports/operations.ts";
import type { Invoke } from "./invocation.ts";
import { parseJson, readJsonObject } from "./json-input.ts";
import { whoAmI } from "../daemon/who.ts";
import { withOperations } from "./with-operations.ts";

type Options = {
  readonly skill?: string;
  readonly input?: string;
  readonly expect?: string;
  readonly throws?: string;
  readonly reason: string;
};

/** `hone report [run]`: says that a run was wrong. Only at a terminal is it a person who says so. */
export function reportCommand(invoke: Invoke): Command {
  return new Command("report")
    .description("say that a run was wrong, and what would have been right")
    .argument("[run]", "its id, as `hone call --json` prints it; or give --skill and --input")
    .option("--skill <name>", "name of the skill, where there is no id")
    .option("--input <json>", "its parameters by name; - reads them from stdin")
    .option("--expect <json>", "the right result")
    .option("--throws <text>", "a part of the message that it should have thrown")
    .requiredOption("--reason <text>", "what is wrong with the answer")
    .addHelpText(
      "after",
      "\nA report is a claim: a repair is made ready, and released when something independent\nagrees or `hone approve` says so.",
    )
    .action((run: string | undefined, options: Options) =>
      invoke(async (invocation) => {
        const request = await requestOf(run, options);
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.report(request),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}

async function requestOf(run: string | undefined, options: Options): Promise<ReportRequest> {
  const { skill, input, expect, throws: message, reason } = options;
  if (expect !== undefined && message !== undefined) {
    throw new HoneError("usage", "--expect and --throws exclude each other");
  }
  const given: JsonObject | null =
    input === undefined ? null : await readJsonObject(input, "--input");
  return {
    ...(run === undefined ? {} : { run }),
    ...(skill === undefined ? {} : { skill }),
    ...(given === null ? {} : { input: given }),
    ...(expect === undefined ? {} : { expect: parseJson(expect, "--expect") }),
    ...(message === undefined ? {} : { throws: message }),
    reason,
    by: whoAmI(),
    via: process.stdin.isTTY && process.stdout.isTTY ? "cli" : "script",
  };
}
