import { Command } from "commander";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone runs`: what a skill did, run by run, and one run with all that happened in it. */
export function runsCommand(invoke: Invoke): Command {
  return new Command("runs")
    .description("runs of a skill; one run with its trace")
    .addCommand(listCommand(invoke))
    .addCommand(showCommand(invoke));
}

function listCommand(invoke: Invoke): Command {
  return new Command("ls")
    .description("runs of a skill, newest first")
    .argument("<skill>", "its name")
    .option("--limit <n>", "runs at most", Number)
    .option("--before <run>", "only older ones than this")
    .action((skill: string, options: { readonly limit?: number; readonly before?: string }) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.runs({ skill, ...options }),
        );
        const { terminal } = invocation;
        terminal.answer(terminal.isJson ? answer : withScores(answer), {
          columns: { runs: ["run", "startedAt", "version", "outcome", "reward", "durationMs"] },
          empty: { runs: "No runs yet." },
        });
        return 0;
      }),
    );
}

/** Of a reward its score is told, or why there is none. */
function withScores(answer: JsonObject): JsonObject {
  const { runs } = answer;
  if (!Array.isArray(runs)) return answer;
  const told = runs.map((row: Json): Json => {
    if (!isJsonObject(row) || !isJsonObject(row["reward"])) return row;
    const { score, status } = row["reward"];
    return { ...row, reward: score ?? status ?? null };
  });
  return { ...answer, runs: told };
}

function showCommand(invoke: Invoke): Command {
  return new Command("show")
    .description("a run with its input, its trace and its reward")
    .argument("<run>", "its id")
    .action((id: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) => operations.run({ id }));
        invocation.terminal.answer(answer, { json: ["input", "trace"] });
        return 0;
      }),
    );
}
