import { Command } from "commander";
import { heldOperations } from "./held-operations.ts";
import type { Invocation, Invoke } from "./invocation.ts";
import { mcpInstallCommand } from "./mcp-install.ts";
import { daemonOf } from "./with-operations.ts";
import { protocolOutput } from "./protocol-output.ts";

/** `hone mcp`: serves one MCP client on stdin and stdout, until it leaves. */
export function mcpCommand(invoke: Invoke): Command {
  return new Command("mcp")
    .description("serve the skills to an MCP client on stdin and stdout")
    .addHelpText("after", "\nIt asks the daemon where one is up, else the workspace itself.")
    .action(() => invoke(async (invocation) => await serveClient(invocation)))
    .addCommand(mcpInstallCommand(invoke));
}

/** Throws `not-found` where there is neither a workspace nor a daemon that is named. */
async function requireReach(invocation: Invocation): Promise<void> {
  const daemon = await daemonOf(invocation);
  await daemon?.[Symbol.asyncDispose]();
}

async function serveClient(invocation: Invocation): Promise<number> {
  // First of all: nothing that is loaded from here on can get a word into the protocol.
  const output = protocolOutput();
  const { terminal, signal } = invocation;
  // Known before the client is answered: without a workspace there is nothing to serve.
  await requireReach(invocation);
  const { serveOnStreams } = await import("../serve/mcp/stdio.ts");
  const { toolListOf } = await import("../serve/mcp/tool-list.ts");
  await using operations = heldOperations(invocation);
  const onTrouble = (sentence: string): void => terminal.progress(`hone: ${sentence}`);
  const { promise: bug, reject } = Promise.withResolvers<never>();
  const list = toolListOf(operations, onTrouble);
  const parts = { operations, list, onTrouble, onBug: reject, mayLook: operations.isServed };
  await Promise.race([serveOnStreams({ ...parts, input: process.stdin, output, signal }), bug]);
  return 0;
}
