import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone why <skill>`: why it is as it is: the incident, what was tried, the verdicts. */
export function whyCommand(invoke: Invoke): Command {
  return new Command("why")
    .description("why a skill is as it is: incident, diagnosis, candidates, verdicts")
    .argument("<skill>", "name of the skill")
    .action((skill: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.why({ skill }),
        );
        invocation.terminal.answer(answer, {
          columns: {
            verdicts: ["gate", "status", "reason"],
            candidates: [
              "candidate",
              "proposer",
              "operator",
              "state",
              "reward",
              "advantage",
              "confidence",
              "reason",
            ],
          },
        });
        return 0;
      }),
    );
}
