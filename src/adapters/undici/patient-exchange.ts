import { Agent, fetch } from "undici";
import type { WebAnswer, WebRequest } from "../../ports/web.ts";

/** How the agent of a patient exchange waits; see `createPatientExchange`. */
const PATIENCE = {
  /** No limit: undici's own are 300 s, which a model may need for its first byte. */
  headersTimeout: 0,
  bodyTimeout: 0,
  /** To connect takes no patience: either somebody listens or not. */
  connect: { timeout: 10_000 },
  allowH2: false,
  pipelining: 1,
  // Shorter than servers keep a connection, so that none is used that they are just closing.
  keepAliveTimeout: 1_000,
  keepAliveMaxTimeout: 1_000,
} as const satisfies Agent.Options;

/**
 * Exchanges over HTTP that wait as long as their signal lets them: for servers that a person has
 * named and that may take many minutes. An aborted signal closes the connection.
 */
export function createPatientExchange(): AsyncDisposable & {
  readonly exchange: (url: URL, request: WebRequest) => Promise<WebAnswer>;
} {
  const agent = new Agent(PATIENCE);
  return {
    exchange: (url, request) => fetch(url, { ...request, dispatcher: agent }),
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
