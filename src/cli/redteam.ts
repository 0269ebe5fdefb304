import { Command, Option } from "commander";
import type { Invoke } from "./invocation.ts";

type Options = { readonly tier: "isolate" | "docker" | "all" };

/** `hone redteam <folder>`: puts a corpus of attacks through the sandbox and the gates. */
export function redteamCommand(invoke: Invoke): Command {
  return new Command("redteam")
    .description("put a corpus of attacks and honest controls through the sandbox and the gates")
    .argument("<folder>", "a folder with index.json, tasks.json and a file for each entry")
    .addOption(
      new Option("--tier <tier>", "the walls to try")
        .choices(["isolate", "docker", "all"])
        .default("all"),
    )
    .action((dir: string, { tier }: Options) =>
      invoke(async ({ terminal, signal }) => {
        const { runRedteam } = await import("../redteam/run-redteam.ts");
        return await runRedteam({ dir, tier, terminal, signal });
      }),
    );
}
