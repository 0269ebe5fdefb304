import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone incidents`: runs that fall short in the same way. */
export function incidentsCommand(invoke: Invoke): Command {
  return new Command("incidents")
    .description("runs that fall short in the same way, newest first")
    .option("--skill <name>", "of one skill")
    .option("--all", "those that are over as well")
    .action((options: { skill?: string; all?: true }) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.incidents(options),
        );
        invocation.terminal.answer(answer, {
          columns: {
            incidents: [
              "id",
              "skill",
              "failureClass",
              "state",
              "runs",
              "claims",
              "openedAt",
              "nextAt",
              "summary",
              "note",
            ],
          },
          empty: { incidents: "No incidents." },
        });
        return 0;
      }),
    );
}
