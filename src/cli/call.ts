import { Command } from "commander";
import { HoneError } from "../domain/errors.ts";
import { isJsonObject } from "../domain/json.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Invoke } from "./invocation.ts";
import { parseJson, readJsonObject } from "./json-input.ts";
import { safeJson } from "./plain-text.ts";
import type { Terminal } from "./terminal.ts";
import { tellUncommittedFiles } from "./uncommitted.ts";
import { withOperations } from "./with-operations.ts";

/** `hone call <skill>`: runs a skill once. Exits 1 when the skill did not return. */
export function callCommand(invoke: Invoke): Command {
  return new Command("call")
    .description("run a skill once and print what it returned")
    .argument("<skill>", "name of the skill")
    .option("--input <json>", "its parameters by name; - reads them from stdin", "{}")
    .option("--expect <json>", "the right result, if you know it; the run is scored by it")
    .allowExcessArguments()
    .action((skill: string, options: { input: string; expect?: string }, { args }: Command) =>
      invoke(async (invocation) => {
        if (args.length > 1) throw surplus(skill);
        const input = await readJsonObject(options.input, "--input");
        const expected =
          options.expect === undefined ? {} : { expect: parseJson(options.expect, "--expect") };
        const { answer, known } = await withOperations(invocation, async ({ operations }) => ({
          answer: await operations.call({ skill, input, ...expected }),
          known: await operations.skill({ name: skill }),
        }));
        const isReturned = answer["status"] === "returned";
        if (isReturned) tellValue(answer, invocation.terminal);
        else invocation.terminal.answer(answer);
        tellUncommittedFiles(known, invocation.terminal);
        return isReturned ? 0 : 1;
      }),
    );
}

function surplus(skill: string): HoneError {
  return new HoneError("usage", "too many arguments: a skill's input is no argument of its own", {
    hint: `Give it with --input, as in \`hone call ${skill} --input '{"text":"hello"}'\`.`,
  });
}

/** The value alone on stdout, as JSON; what else is known of the run on stderr. */
function tellValue(answer: JsonObject, terminal: Terminal): void {
  terminal.answerText(answer, safeJson(answer["value"] ?? null, 2));
  if (terminal.isJson) return;
  const { skill, version, durationMs, reward, run } = answer;
  const score = isJsonObject(reward) ? (reward["score"] ?? reward["status"]) : reward;
  const at = `${said(skill)} at ${said(version).slice(0, 10)}`;
  // By its id the run can be shown and reported.
  terminal.progress(`${at}, ${tenths(durationMs)} ms, reward ${said(score)}, ${said(run)}`);
}

function tenths(ms: Json | undefined): string {
  return typeof ms === "number" ? String(Math.round(ms * 10) / 10) : said(ms);
}

function said(value: Json | undefined): string {
  return typeof value === "string" ? value : safeJson(value ?? null);
}
