import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone improve <skill>`: tries to repair it now. Exits 5 when nothing was released. */
export function improveCommand(invoke: Invoke): Command {
  return new Command("improve")
    .description("work on a skill's incidents now, whatever its pause")
    .argument("<skill>", "name of the skill")
    .action((skill: string) =>
      invoke(async (invocation) => {
        invocation.terminal.progress(`improving ${skill} …`);
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.improve({ skill }),
        );
        invocation.terminal.answer(answer, {
          hidden: ["attempts"],
          columns: {
            candidates: ["candidate", "proposer", "operator", "state", "reward", "reason"],
          },
        });
        return answer["result"] === "no-change" || answer["result"] === "infra-error" ? 5 : 0;
      }),
    );
}
