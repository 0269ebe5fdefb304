import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone status`: what is going on. Exits 3 when no daemon is up, having answered all the same. */
export function statusCommand(invoke: Invoke): Command {
  return new Command("status").description("what the daemon and the skills are doing").action(() =>
    invoke(async (invocation) => {
      const { answer, isUp } = await withOperations(
        invocation,
        async ({ operations, through }) => ({
          answer: await operations.status(),
          isUp: through === "daemon",
        }),
        { showsProblems: true },
      );
      const { servedInstead = [] } = answer;
      invocation.terminal.answer(
        { ...answer, daemon: isUp ? "up" : "down" },
        {
          hidden: Array.isArray(servedInstead) && servedInstead.length > 0 ? [] : ["servedInstead"],
          columns: {
            skills: ["name", "version", "runs", "scored", "meanReward", "openIncidents", "watch"],
            probation: ["skill", "bornAt", "reason"],
            retirement: ["skill", "reason"],
            canaries: ["skill", "commit", "share", "runs", "meanReward", "meanBefore", "reason"],
            alarms: ["kind", "skill", "raisedAt", "text"],
            waiting: ["candidate", "skill", "change", "confidence", "reason"],
            releases: ["commit", "skill", "state", "releasedAt", "reason"],
          },
        },
      );
      return isUp ? 0 : 3;
    }),
  );
}
