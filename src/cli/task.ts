import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone task <id>`: what became of a submitted task. */
export function taskCommand(invoke: Invoke): Command {
  return new Command("task")
    .description("what became of a submitted task: its state, its result, its reward")
    .argument("<id>", "as `hone submit` told it, or the id that the task brought")
    .action((id: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.task({ id }),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}
