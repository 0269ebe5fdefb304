import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone sandbox build`: makes the image of the containers from the Node that hone runs on. */
export function sandboxCommand(invoke: Invoke): Command {
  const build = new Command("build")
    .description("make the image of the containers from this Node; prints its digest")
    .action(() =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.buildSandbox({}),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
  return new Command("sandbox")
    .description("the containers that candidates run in")
    .addCommand(build);
}
