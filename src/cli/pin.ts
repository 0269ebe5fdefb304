import { Command } from "commander";
import { whoAmI } from "../daemon/who.ts";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone pin`: calls of a skill get this version until `hone unpin`, whatever is released. */
export function pinCommand(invoke: Invoke): Command {
  return new Command("pin")
    .description("serve a skill at one version, and improve it only when asked")
    .argument("<skill>", "its name")
    .argument("<version>", "a commit that `hone log` lists")
    .action((skill: string, version: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.pin({ skill, version, by: whoAmI() }),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}

/** `hone unpin`: calls get the active version again. */
export function unpinCommand(invoke: Invoke): Command {
  return new Command("unpin")
    .description("serve a skill's active version again")
    .argument("<skill>", "its name")
    .action((skill: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.unpin({ skill, by: whoAmI() }),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}
