import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import path from "node:path";
import type { JsonObject } from "../../src/domain/json.ts";

export type ToolResult = {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: JsonObject;
  readonly _meta?: JsonObject;
};

/** What tests ask of a client, whichever package it is from. */
export type TestClient = AsyncDisposable & {
  readonly protocol: string;
  list(): Promise<readonly JsonObject[]>;
  call(name: string, args?: JsonObject): Promise<ToolResult>;
  /** How often the server said that its list has changed. */
  readonly notices: () => number;
};

/** Where a server is: at a URL, or as `hone mcp` in a folder. */
export type McpPlace =
  | { readonly url: string; readonly token: string }
  | { readonly dir: string; readonly env?: Readonly<Record<string, string>> };

const LAUNCHER = path.resolve(import.meta.dirname, "../../bin/hone");

/** The official client of today, in the era that it is told to speak. */
export async function newClient(
  place: McpPlace,
  { mode, name = "claude-code" }: { readonly mode: "legacy" | "auto"; readonly name?: string },
): Promise<TestClient> {
  let notices = 0;
  const onChanged = (): void => void (notices += 1);
  const client = new Client(
    { name, version: "1.0.0" },
    { versionNegotiation: { mode }, listChanged: { tools: { onChanged, debounceMs: 0 } } },
  );
  await client.connect(
    "url" in place
      ? new StreamableHTTPClientTransport(new URL(place.url), { requestInit: headersOf(place) })
      : new StdioClientTransport(commandOf(place)),
  );
  return {
    protocol: client.getNegotiatedProtocolVersion() ?? "",
    list: async () => (await client.listTools()).tools as unknown as JsonObject[],
    call: async (tool, args = {}) =>
      (await client.callTool({ name: tool, arguments: args })) as unknown as ToolResult,
    notices: () => notices,
    [Symbol.asyncDispose]: async () => await client.close(),
  };
}

/** The client of the first SDK, which knows the older era alone. */
export async function oldClient(place: McpPlace): Promise<TestClient> {
  let notices = 0;
  const client = new OldClient({ name: "old-client", version: "1.0.0" });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (notices += 1));
  const transport =
    "url" in place
      ? new OldHttp(new URL(place.url), { requestInit: headersOf(place) })
      : new OldStdio(commandOf(place));
  await client.connect(transport);
  return {
    protocol: "2025",
    list: async () => (await client.listTools()).tools as unknown as JsonObject[],
    call: async (tool, args = {}) =>
      (await client.callTool({ name: tool, arguments: args })) as unknown as ToolResult,
    notices: () => notices,
    [Symbol.asyncDispose]: async () => await client.close(),
  };
}

function headersOf({ token }: { readonly token: string }): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

function commandOf({ dir, env = {} }: Extract<McpPlace, { dir: string }>) {
  return {
    command: LAUNCHER,
    args: ["mcp"],
    cwd: dir,
    stderr: "ignore" as const,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir, HONE_DOCKER: "off", ...env },
  };
}
