import type { Mount } from "../../serve/http/mount.ts";
import type { Endpoint } from "../../serve/mcp/endpoint.ts";
import { toolListOf } from "../../serve/mcp/tool-list.ts";
import type { OpenWorkspace } from "../compose.ts";

/**
 * The MCP endpoint at /mcp. It is loaded with its first request: a daemon that no such client ever
 * asks starts sooner, and is smaller.
 */
export function mcpMount(
  { operations, events, signal }: Pick<OpenWorkspace, "operations" | "events" | "signal">,
  {
    onBug,
    onTrouble,
  }: {
    readonly onBug: (thrown: unknown) => void;
    readonly onTrouble: (sentence: string) => void;
  },
): { readonly mount: Mount } & AsyncDisposable {
  let endpoint: Promise<Endpoint> | null = null;
  const load = async (): Promise<Endpoint> => {
    const { mcpEndpoint } = await import("../../serve/mcp/endpoint.ts");
    const list = toolListOf(operations, onTrouble);
    const { onEvent } = events;
    return mcpEndpoint({ operations, list, onBug, onEvent, closing: signal });
  };
  return {
    mount: (app) => {
      app.all("/mcp", async ({ req }) => await (await (endpoint ??= load())).fetch(req.raw));
    },
    [Symbol.asyncDispose]: async () => await (await endpoint)?.[Symbol.asyncDispose](),
  };
}
