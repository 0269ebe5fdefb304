import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export type WebServer = AsyncDisposable & {
  /** As a manifest would grant it. */
  readonly host: string;
  readonly origin: string;
};

/** A real HTTP server on 127.0.0.1; all its connections are cut when it is disposed of. */
export async function webServer(answer: RequestListener): Promise<WebServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    origin: `http://${host}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
