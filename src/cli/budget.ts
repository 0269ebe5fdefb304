import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone budget`: what the model has cost within 24 hours, and the caps. */
export function budgetCommand(invoke: Invoke): Command {
  return new Command("budget")
    .description("show what the model has cost within 24 hours, its caps, and what was learnt")
    .action(() =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) => operations.budget({}));
        const columns = {
          incidents: ["incident", "skill", "requests", "tokens", "seconds"],
          arms: ["failureClass", "arm", "pulls", "won", "tokens"],
        };
        const empty = { arms: "arms: nothing was learnt yet of how to ask the model" };
        invocation.terminal.answer(answer, { columns, empty });
        return 0;
      }),
    );
}
