import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone log <skill>`: its versions, newest first. */
export function logCommand(invoke: Invoke): Command {
  return new Command("log")
    .description("the versions of a skill, newest first")
    .argument("<skill>", "name of the skill")
    .action((skill: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.log({ skill }),
        );
        invocation.terminal.answer(answer, {
          columns: {
            versions: [
              "commit",
              "at",
              "author",
              "state",
              "share",
              "reward",
              "runs",
              "meanReward",
              "subject",
            ],
          },
          empty: { versions: "No versions yet." },
        });
        return 0;
      }),
    );
}
