import { Command } from "commander";
import os from "node:os";
import path from "node:path";
import { stringify } from "smol-toml";
import { HoneError } from "../domain/errors.ts";
import { nearest } from "../domain/nearest.ts";
import { LAUNCHER } from "../entries.ts";
import { findWorkspace } from "../workspace-folder.ts";
import type { Invocation, Invoke } from "./invocation.ts";
import { MCP_CLIENTS, type McpClient, type ServerEntry } from "./mcp-clients.ts";
import { withJsonEntry } from "./mcp-json-entry.ts";
import { withTomlEntry } from "./mcp-toml-entry.ts";
import { readForReplacing, replaceFile } from "./replace-file.ts";

type Options = {
  readonly name: string;
  readonly project?: string;
  readonly file?: string;
  readonly dryRun?: true;
  readonly print?: true;
};

const NAMES = MCP_CLIENTS.map(({ name }) => name).join(", ");

/** `hone mcp install <client>`: writes this workspace into a client's list of servers. */
export function mcpInstallCommand(invoke: Invoke): Command {
  return new Command("install")
    .description("write this workspace's entry into an MCP client's settings")
    .argument("<client>", NAMES)
    .option("--name <name>", "name of the entry", "hone")
    .option("--project <dir>", "into the settings of one project, where the client has such")
    .option("--file <path>", "into this file instead of the client's own")
    .option("--dry-run", "show what the file would hold, and write nothing")
    .option("--print", "print the entry alone, for a file that you write yourself")
    .addHelpText(
      "after",
      "\nOther entries and comments stay as they are; the file before it is kept beside it.",
    )
    .action((client: string, options: Options) =>
      invoke(async (invocation) => {
        await install(clientNamed(client), options, invocation);
        return 0;
      }),
    );
}

async function install(
  client: McpClient,
  options: Options,
  { terminal, ...invocation }: Invocation,
): Promise<void> {
  const dir = path.resolve(findWorkspace(invocation.cwd, invocation.workspace));
  const server: ServerEntry = { command: LAUNCHER, args: ["--workspace", dir, "mcp"] };
  const { name } = options;
  if (!/^[\w-]{1,64}$/.test(name)) {
    throw new HoneError("usage", "The name of an entry is letters, digits, - and _");
  }
  const wanted = { key: client.key, name, entry: client.entry(server) };
  if (options.print === true) {
    const document = { [client.key]: { [name]: wanted.entry } };
    const text = client.format === "toml" ? stringify(document) : JSON.stringify(document, null, 2);
    terminal.answerText(document, text.trimEnd());
    return;
  }
  const file = fileOf(client, options, invocation);
  const read = await readForReplacing(file);
  const before = read.text ?? "";
  const add = client.format === "toml" ? withTomlEntry : withJsonEntry;
  const after = add(before, { file, ...wanted });
  const told = { client: client.name, file: read.file, name };
  if (after === before) {
    terminal.answer({ ...told, result: "unchanged" });
  } else if (options.dryRun === true) {
    terminal.answer({ ...told, result: "dry-run", text: after });
  } else {
    const backup = await replaceFile(read, after);
    terminal.answer({ ...told, result: "written", before: backup });
    terminal.progress(`Restart ${client.name} or let it read its servers again.`);
  }
}

function clientNamed(name: string): McpClient {
  const found = MCP_CLIENTS.find((one) => one.name === name.toLowerCase());
  if (found !== undefined) return found;
  const meant = nearest(
    name,
    MCP_CLIENTS.map((one) => one.name),
  );
  throw new HoneError("usage", `hone does not know the settings of ${name}`, {
    hint:
      meant === null
        ? `It knows ${NAMES}; for another one \`hone mcp install cursor --print\` shows the entry.`
        : `Did you mean ${meant}?`,
  });
}

function fileOf(
  client: McpClient,
  { file, project }: Options,
  { cwd, env }: Pick<Invocation, "cwd" | "env">,
): string {
  if (file !== undefined) return path.resolve(cwd, file);
  if (project === undefined) {
    const home = env["HOME"] ?? os.homedir();
    return client.file({ home, platform: process.platform, env });
  }
  if (client.projectFile !== null) return path.resolve(cwd, project, client.projectFile);
  throw new HoneError("usage", `${client.name} has no settings of one project`, {
    hint: "Leave --project away.",
  });
}
