import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { whoAmI } from "../daemon/who.ts";
import { withOperations } from "./with-operations.ts";

/** `hone approve <candidate>`: releases a candidate that waits for a person. */
export function approveCommand(invoke: Invoke): Command {
  return new Command("approve")
    .description("release a candidate that waits for a person")
    .argument("<candidate>", "its id, as `hone status` shows it, or the start of it")
    .action((candidate: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.approve({ candidate, by: whoAmI() }),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}
