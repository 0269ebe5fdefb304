import { Command } from "commander";
import type { Invoke } from "./invocation.ts";

/** `hone demo`: the whole loop in a throw-away workspace. */
export function demoCommand(invoke: Invoke): Command {
  return new Command("demo")
    .description("see it work: a throw-away workspace, an API that changes, a repair, a rollback")
    .option("--keep", "leave the workspace there and say where")
    .action(({ keep }: { keep?: true }) =>
      invoke(async ({ terminal, signal }) => {
        const { runDemo } = await import("../demo/run-demo.ts");
        return await runDemo({ isKept: keep === true, terminal, signal });
      }),
    );
}
