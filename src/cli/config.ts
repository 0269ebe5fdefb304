import { Command } from "commander";
import { existsSync } from "node:fs";
import type { Json } from "../domain/json.ts";
import { nearestWorkspace, findWorkspace } from "../workspace-folder.ts";
import type { Invocation, Invoke } from "./invocation.ts";
import { safeJson } from "./plain-text.ts";

/** `hone config show|validate|schema|path`: the settings, without a daemon. */
export function configCommand(invoke: Invoke): Command {
  return new Command("config")
    .description("the settings: what is in force, whether they are valid, where they come from")
    .helpCommand(false)
    .addCommand(showCommand(invoke), { isDefault: true })
    .addCommand(validateCommand(invoke))
    .addCommand(schemaCommand(invoke))
    .addCommand(pathCommand(invoke));
}

function showCommand(invoke: Invoke): Command {
  return new Command("show")
    .description("every setting and its value")
    .option("--origin", "also where each is set, its default and what it does")
    .action(({ origin: isLong }: { readonly origin?: true }) =>
      invoke(async (invocation) => {
        const { loadConfig } = await import("../config-file.ts");
        const { shownSettings } = await import("../shown-settings.ts");
        const loaded = await loadConfig(sourcesOf(invocation));
        const short = ["key", "value"];
        const long = [...short, "origin", "default", "env", "description"];
        invocation.terminal.answer(
          { settings: shownSettings(loaded).map((each) => ({ ...each })) },
          { columns: { settings: isLong === true ? long : short }, json: ["value", "default"] },
        );
        return 0;
      }),
    );
}

function validateCommand(invoke: Invoke): Command {
  return new Command("validate")
    .description("whether the settings are valid; exits 2 with every problem of a source")
    .action(() =>
      invoke(async (invocation) => {
        const { settingFiles } = await import("../config-file.ts");
        const { loadValid } = await import("../daemon/life/valid-settings.ts");
        const sources = sourcesOf(invocation);
        await loadValid(sources);
        const files = settingFiles(sources).filter((file) => existsSync(file));
        invocation.terminal.answerText({ valid: true, files }, "the settings are valid");
        return 0;
      }),
    );
}

function schemaCommand(invoke: Invoke): Command {
  return new Command("schema").description("the JSON Schema of hone.yaml, for editors").action(() =>
    invoke(async ({ terminal }) => {
      const { settingsSchema } = await import("../settings.ts");
      const schema = settingsSchema() as Record<string, Json>;
      terminal.answerText(terminal.isJson ? { schema } : schema, safeJson(schema, 2));
      return 0;
    }),
  );
}

function pathCommand(invoke: Invoke): Command {
  return new Command("path")
    .description("the files that settings are read from, weakest first")
    .action(() =>
      invoke(async (invocation) => {
        const { settingFiles } = await import("../config-file.ts");
        const files = settingFiles(sourcesOf(invocation)).map((file) => ({
          file,
          exists: existsSync(file),
        }));
        invocation.terminal.answer({ files }, { whole: ["files"] });
        return 0;
      }),
    );
}

function sourcesOf({ cwd, workspace, env }: Invocation): {
  readonly workspaceDir: string | null;
  readonly env: Invocation["env"];
} {
  const workspaceDir =
    workspace === undefined ? nearestWorkspace(cwd) : findWorkspace(cwd, workspace);
  return { workspaceDir, env };
}
