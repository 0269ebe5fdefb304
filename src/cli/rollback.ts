import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { whoAmI } from "../daemon/who.ts";
import { withOperations } from "./with-operations.ts";

/** `hone rollback <skill>`: takes its last release back with one revert commit. */
export function rollbackCommand(invoke: Invoke): Command {
  return new Command("rollback")
    .description("take the last release of a skill back, with one revert commit")
    .argument("<skill>", "name of the skill")
    .action((skill: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.rollback({ skill, by: whoAmI() }),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}
