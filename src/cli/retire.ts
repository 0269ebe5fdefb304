import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { whoAmI } from "../daemon/who.ts";
import { withOperations } from "./with-operations.ts";

/** `hone retire <skill>`: lets a skill go, by one commit without its folder. */
export function retireCommand(invoke: Invoke): Command {
  return new Command("retire")
    .description("let a skill go that `hone status` proposes to retire; the history keeps it")
    .argument("<skill>", "name of the skill")
    .option("--reason <text>", "why, where hone does not propose it")
    .action((skill: string, { reason }: { readonly reason?: string }) =>
      invoke(async (invocation) => {
        const given = reason === undefined ? {} : { reason };
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.retire({ skill, by: whoAmI(), ...given }),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}
