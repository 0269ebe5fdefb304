import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { whoAmI } from "../daemon/who.ts";
import { withOperations } from "./with-operations.ts";

/** `hone reject <candidate>`: turns a waiting candidate down. */
export function rejectCommand(invoke: Invoke): Command {
  return new Command("reject")
    .description("turn a waiting candidate down")
    .argument("<candidate>", "its id, as `hone status` shows it, or the start of it")
    .action((candidate: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.reject({ candidate, by: whoAmI() }),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}
