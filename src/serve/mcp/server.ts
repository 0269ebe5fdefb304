import { Server } from "@modelcontextprotocol/server";
import type {
  CallToolResult,
  ListToolsResult,
  McpServerFactory,
  ServerContext,
} from "@modelcontextprotocol/server";
import packageJson from "../../../package.json" with { type: "json" };
import type { JsonObject } from "../../domain/json.ts";
import { perform, type Caller, type Performing } from "./perform.ts";

export type McpParts = Performing & {
  /** Told of a bug, which the client gets as an internal error. */
  readonly onBug: (thrown: unknown) => void;
};

const INSTRUCTIONS =
  "Each tool is a skill that is tested and repaired while you use it. hone_search finds one by what it does, and hone_call runs it by name, also one that came since you listed the tools. Where an answer is wrong, say so with hone_report_failure, with the right value if you know it.";

/** The member of a request's envelope that names its client (MCP 2026-07-28). */
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/**
 * Makes servers for both eras of the protocol, each for one connection or one request. They share the
 * list of tools, which is why the low-level server is used: another would build every tool anew for
 * each request.
 */
export function mcpServers(parts: McpParts): McpServerFactory & (() => Server) {
  return () => {
    const server = new Server(
      { name: "hone", title: "hone", version: packageJson.version },
      { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler("tools/list", async () => {
      await parts.list.refresh();
      const { tools } = await parts.list.now();
      return { tools: tools as unknown as ListToolsResult["tools"] };
    });
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const input = (params.arguments ?? {}) as JsonObject;
      const caller = callerOf(server, context);
      return await performing({ name: params.name, input, caller }, parts);
    });
    return server;
  };
}

async function performing(
  call: Parameters<typeof perform>[0],
  parts: McpParts,
): Promise<CallToolResult> {
  try {
    return await perform(call, parts);
  } catch (thrown) {
    parts.onBug(thrown);
    throw thrown;
  }
}

/** The newer era says it with each request, the older one once. Over HTTP the older one does not. */
function callerOf(server: Server, { mcpReq }: ServerContext): Caller {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  const told = envelope?.[CLIENT_INFO] ?? server.getClientVersion();
  const isNamed = typeof told === "object" && told !== null && "name" in told;
  const name: unknown = isNamed ? told.name : null;
  return { name: typeof name === "string" && name.trim() !== "" ? name : null };
}
