import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { whoAmI } from "../daemon/who.ts";
import { withOperations } from "./with-operations.ts";

/** `hone pause`: no repairs and no releases until `hone resume`; tasks go on. */
export function pauseCommand(invoke: Invoke): Command {
  return new Command("pause")
    .description("stop repairs until `hone resume`; tasks go on")
    .option("--reason <text>", "shown by `hone status`")
    .action(({ reason }: { readonly reason?: string }) =>
      invoke(async (invocation) => {
        const asked = { by: whoAmI(), ...(reason === undefined ? {} : { reason }) };
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.pause(asked),
        );
        invocation.terminal.answer(answer);
        return 0;
      }),
    );
}

/** `hone resume`: repairs go on. */
export function resumeCommand(invoke: Invoke): Command {
  return new Command("resume").description("let repairs go on after `hone pause`").action(() =>
    invoke(async (invocation) => {
      const answer = await withOperations(invocation, ({ operations }) =>
        operations.resume({ by: whoAmI() }),
      );
      invocation.terminal.answerText(answer, "repairs go on");
      return 0;
    }),
  );
}
