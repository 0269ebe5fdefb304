import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, fetch } from "undici";
import { HoneError } from "../../domain/errors.ts";
import type { Reach, WebFetch } from "../../ports/web.ts";
import { forbiddenKind, isMetadata } from "./addresses.ts";

/** Finds all addresses of a name, as `dns.lookup` does with `all`. */
export type Resolve = (
  hostname: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

export type UndiciWeb = AsyncDisposable & { readonly fetch: WebFetch };

/**
 * The web, as skills may reach it. One agent a reach, so that a connection that was opened for
 * a host named by a manifest never serves a request that may reach public addresses only. Proxies
 * of the environment, cookies and credentials have no say.
 */
export function createWeb({
  resolve = dns.lookup,
}: { readonly resolve?: Resolve } = {}): UndiciWeb {
  const agents: Readonly<Record<Reach, Agent>> = {
    public: agentFor(buildConnector({ ...CONNECTING, lookup: publicOnly(resolve) }), true),
    named: agentFor(buildConnector({ ...CONNECTING, lookup: anyOf(resolve) }), false),
  };
  return {
    fetch: (url, request, reach) => fetch(url, { ...request, dispatcher: agents[reach] }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

const CONNECTING = { timeout: 10_000, allowH2: false } as const;

/** Longest header block of an answer, in bytes. */
const HEADER_BYTES = 16_384;

function agentFor(connect: buildConnector.connector, isPublic: boolean): Agent {
  return new Agent({
    connections: 32,
    pipelining: 1,
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 5_000,
    maxHeaderSize: HEADER_BYTES,
    connect: (options, callback) => {
      // An address in the place of a name is not looked up, so it is checked here.
      const host = options.hostname.replace(/^\[|\]$/g, "");
      const refusal = isPublic && isIP(host) !== 0 ? refusalOf(host, host) : null;
      if (refusal === null) connect(options, callback);
      else callback(refusal, null);
    },
  });
}

/** The addresses of a name, all of which must be public: the one that is used is among them. */
function publicOnly(resolve: Resolve): LookupFunction {
  return lookingUp(resolve, (hostname, addresses) =>
    addresses.map(({ address }) => refusalOf(hostname, address)).find((one) => one !== null),
  );
}

/** Any address; one that names credentials is meant only where the manifest has the address itself. */
function anyOf(resolve: Resolve): LookupFunction {
  return lookingUp(resolve, (hostname, addresses) =>
    addresses
      .filter(({ address }) => isMetadata(address))
      .map(({ address }) => refusalOf(hostname, address))
      .find((one) => one !== null),
  );
}

function lookingUp(
  resolve: Resolve,
  refusal: (hostname: string, addresses: readonly dns.LookupAddress[]) => HoneError | undefined,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      const failure = error ?? (first && refusal(hostname, addresses)) ?? null;
      if (failure !== null) callback(failure, "", 0);
      else if (first === undefined) callback(new Error(`${hostname} has no address`), "", 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function refusalOf(hostname: string, address: string): HoneError | null {
  const kind = forbiddenKind(address);
  if (kind === null) return null;
  const where = hostname === address ? address : `${hostname} leads to ${address}, which`;
  return new HoneError("refused", `${where} is a ${kind} address`, {
    hint: "Name the host with its port in the manifest where that is meant.",
  });
}
