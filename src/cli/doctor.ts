import { Command } from "commander";
import { findWorkspace, nearestWorkspace } from "../workspace-folder.ts";
import type { Invocation, Invoke } from "./invocation.ts";

/** `hone doctor`: whether all that hone needs is there, and the settings. Exits 1 when not. */
export function doctorCommand(invoke: Invoke): Command {
  return new Command("doctor")
    .description("check this machine and workspace; show the settings and where each comes from")
    .action(() =>
      invoke(async (invocation) => {
        const { checkHealth } = await import("../daemon/doctor.ts");
        const answer = await checkHealth({
          workspaceDir: workspaceIfAny(invocation),
          env: invocation.env,
          signal: invocation.signal,
        });
        invocation.terminal.answer(
          { ...answer },
          {
            whole: ["checks"],
            // Its card stands among the checks, in one line.
            hidden: ["model"],
            columns: {
              checks: ["check", "status", "found", "hint"],
              settings: ["key", "value", "origin", "description"],
            },
          },
        );
        return answer.ok ? 0 : 1;
      }),
    );
}

/** A workspace that was named must be there; without a name none is needed. */
function workspaceIfAny({ cwd, workspace }: Invocation): string | null {
  return workspace === undefined ? nearestWorkspace(cwd) : findWorkspace(cwd, workspace);
}
