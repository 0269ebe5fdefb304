import { Command } from "commander";
import path from "node:path";
import type { InitReport } from "../daemon/init-workspace.ts";
import type { Invoke } from "./invocation.ts";
import { plainText } from "./plain-text.ts";

/** `hone init [dir]`: makes a workspace; what is already there stays as it is. */
export function initCommand(invoke: Invoke): Command {
  return new Command("init")
    .description("make a workspace: hone.yaml, skills/, rewards/, data/ and its git repository")
    .argument("[dir]", "where", ".")
    .option("--empty", "without the skills that ship")
    .action((dir: string, { empty }: { empty?: true }) =>
      invoke(async ({ cwd, env, terminal }) => {
        const { createRepository } = await import("../daemon/compose.ts");
        const { initWorkspace } = await import("../daemon/init-workspace.ts");
        const made = await initWorkspace(path.resolve(cwd, dir), {
          isEmpty: empty === true,
          createRepository,
          env,
        });
        terminal.answerText(made, told(made, cwd));
        return 0;
      }),
    );
}

function told(made: InitReport, cwd: string): string {
  const { workspace, created, kept, repository, publish } = made;
  const go = workspace === cwd ? "" : "in that folder ";
  return [
    `${plainText(workspace)} is a workspace (git repository: ${repository}, publish: ${publish})`,
    ...created.map((name) => `  made  ${plainText(name)}`),
    ...kept.map((name) => `  kept  ${plainText(name)}`),
    repository === "existing" && created.length > 0
      ? `Next: ${go}commit these files, for hone reads skills from git; then \`hone skills test\`.`
      : `Next: ${go}\`hone skills test\`, \`hone call <skill>\`, \`hone start\`.`,
  ].join("\n");
}
