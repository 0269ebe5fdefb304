import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone budget`: what the model has cost within 24 hours, and the caps. */
export function budgetCommand(invoke: Invoke): Command {
  return new Command("budget")
    .description("show what the model has cost within 24 hours, and its caps")
    .action(() =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) => operations.budget({}));
        const columns = { incidents: ["incident", "skill", "requests", "tokens", "seconds"] };
        invocation.terminal.answer(answer, { columns });
        return 0;
      }),
    );
}
