import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone why <skill or incident>`: why it is as it is: incidents, what was tried, the verdicts. */
export function whyCommand(invoke: Invoke): Command {
  return new Command("why")
    .description("why a skill is as it is: incident, diagnosis, candidates, verdicts")
    .argument("<skill>", "name of the skill, or the id of an incident")
    .action((skill: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.why({ skill }),
        );
        invocation.terminal.answer(answer, {
          columns: {
            verdicts: ["gate", "status", "reason"],
            waiting: ["candidate", "change", "confidence", "reason"],
            incidents: ["incident", "state", "runs", "openedAt", "summary", "note"],
            since: ["incident", "state", "runs", "openedAt", "summary", "note"],
            claims: ["by", "expected", "throws", "reason", "times", "at"],
            groups: ["at", "result", "tried", "reason"],
            releases: ["commit", "state", "reverts", "releasedAt", "reason"],
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
