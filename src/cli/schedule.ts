import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone schedule ls`: what recurs, and when it does next. */
export function scheduleCommand(invoke: Invoke): Command {
  const list = new Command("ls")
    .description("what recurs, when it did last and when it does next")
    .action(() =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.schedules({}),
        );
        invocation.terminal.answer(answer, {
          columns: {
            schedules: ["name", "cron", "timezone", "does", "lastAt", "next", "catchUp", "overlap"],
          },
          empty: { schedules: "No schedules; `schedules:` in hone.yaml names them." },
        });
        return 0;
      }),
    );
  return new Command("schedule").description("work at set times").addCommand(list);
}
