import { Command } from "commander";
import { findWorkspace } from "../workspace-folder.ts";
import type { Invocation, Invoke } from "./invocation.ts";
import type { ModelPlace } from "../daemon/model/model-service.ts";

/** `hone model up`, `down`, `status`, `supervise`: the model server that the settings name. */
export function modelCommand(invoke: Invoke): Command {
  const up = new Command("up")
    .description("start the model server and wait until it is ready; it runs on without hone")
    .action(() =>
      invoke(async (invocation) => {
        const { terminal, signal } = invocation;
        const { modelUp } = await import("../daemon/model/model-service.ts");
        const place = await placeOf(invocation);
        terminal.answer({ ...(await modelUp(place, (line) => terminal.progress(line), signal)) });
        return 0;
      }),
    );
  const down = new Command("down")
    .description("end the model server with all that it has started")
    .action(() =>
      invoke(async (invocation) => {
        const { modelDown } = await import("../daemon/model/model-service.ts");
        invocation.terminal.answer({ ...(await modelDown(await placeOf(invocation))) });
        return 0;
      }),
    );
  const status = new Command("status")
    .description("how the model server is; exits 3 when it is not ready")
    .action(() =>
      invoke(async (invocation) => {
        const { modelStatus } = await import("../daemon/model/model-service.ts");
        const found = await modelStatus(findWorkspace(invocation.cwd, invocation.workspace));
        invocation.terminal.answer({ ...found });
        return found.state === "ready" ? 0 : 3;
      }),
    );
  const supervise = new Command("supervise")
    .description("keep the model server running in the foreground, for a service manager")
    .action(() =>
      invoke(async (invocation) => {
        const { runSupervisor } = await import("../daemon/model/model-supervisor.ts");
        const { dir, ...rest } = await placeOf(invocation);
        return (await runSupervisor(dir, rest, invocation.signal)) ? 0 : 1;
      }),
    );
  const model = new Command("model").description("the model server that writes patches");
  for (const command of [up, down, status, supervise]) model.addCommand(command);
  return model;
}

async function placeOf({ cwd, workspace, env }: Invocation): Promise<ModelPlace> {
  const dir = findWorkspace(cwd, workspace);
  const { loadConfig } = await import("../config-file.ts");
  const { config } = await loadConfig({ workspaceDir: dir, env });
  return { dir, config, env };
}
