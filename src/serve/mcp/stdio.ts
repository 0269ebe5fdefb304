import type { Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Readable, Writable } from "node:stream";
import { mcpServers, type McpParts } from "./server.ts";

export type StdioParts = McpParts & {
  readonly input: Readable;
  /** Nothing but messages of the protocol may be written to it. */
  readonly output: Writable;
  /** How often it is looked whether the list of tools has changed, in milliseconds. */
  readonly lookMs?: number;
  /** Whether a look costs little now. */
  readonly mayLook: () => Promise<boolean>;
  readonly onTrouble: (sentence: string) => void;
  /** Ends the connection. */
  readonly signal: AbortSignal;
};

const LOOK_MS = 2_000;

/** Serves one client on a pair of streams until it leaves or the signal aborts. */
export async function serveOnStreams(parts: StdioParts): Promise<void> {
  const { input, output, signal, onTrouble } = parts;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const servers = new Set<Server>();
  const make = mcpServers(parts);
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(
    () => {
      const server: Server = Object.assign(make(), { onclose: () => servers.delete(server) });
      servers.add(server);
      return server;
    },
    { transport, onerror: ({ message }) => onTrouble(message) },
  );
  parts.list.onChange(() => {
    for (const server of servers) {
      server.sendToolListChanged().catch((error: Error) => onTrouble(error.message));
    }
  });
  input.once("end", end).once("close", end);
  output.once("error", end);
  signal.addEventListener("abort", () => end(), { once: true });
  if (signal.aborted) end();
  using _looking = lookingFor(parts);
  await ended;
  await handle.close();
}

/** Looks for a changed list, one look at a time. A house that is out of reach is looked for again. */
function lookingFor({ list, mayLook, onBug, lookMs = LOOK_MS }: StdioParts): Disposable {
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      if (await mayLook()) await list.refresh();
    } catch (error) {
      onBug(error);
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), lookMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
