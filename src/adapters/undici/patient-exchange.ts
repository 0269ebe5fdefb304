import { Agent, request } from "undici";
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
 * named and that may take many minutes. An aborted signal closes the connection; redirects are not
 * followed. `fetch` would do the same for ten times the work of this process.
 */
export function createPatientExchange(): AsyncDisposable & {
  readonly exchange: (url: URL, request: WebRequest) => Promise<WebAnswer>;
} {
  const agent = new Agent(PATIENCE);
  return {
    async exchange(url, { method, headers, body, signal }) {
      const answer = await request(url, { dispatcher: agent, method, headers, body, signal });
      return { status: answer.statusCode, headers: headersOf(answer.headers), body: answer.body };
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

function headersOf(headers: Headers): WebAnswer["headers"] {
  return {
    get(name) {
      const value = headers[name];
      return value === undefined ? null : [value].flat().join(", ");
    },
    keys: () => Object.keys(headers),
  };
}
