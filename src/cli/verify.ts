import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { withOperations } from "./with-operations.ts";

/** `hone verify <commit>`: re-runs a release's evidence from git alone. Exits 5 when it differs. */
export function verifyCommand(invoke: Invoke): Command {
  return new Command("verify")
    .description("re-run the evidence of a release from git alone: same or different")
    .argument("<commit>", "the release")
    .action((commit: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.verify({ commit }),
        );
        invocation.terminal.answer(answer, {
          columns: {
            tiers: ["tier", "cases", "outcomes"],
            differences: ["what", "expected", "actual"],
          },
        });
        return answer["result"] === "same" ? 0 : 5;
      }),
    );
}
