import { Command } from "commander";
import { whoAmI } from "../daemon/who.ts";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone cancel`: ends a task that is queued or under way. */
export function cancelCommand(invoke: Invoke): Command {
  return new Command("cancel")
    .description("end a submitted task that is not done")
    .argument("<task>", "its id")
    .action((id: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.cancel({ id, by: whoAmI() }),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}
