import { baseUrlOf, type ModelSettings } from "../../config-model.ts";
import { isServable } from "../../config-serve.ts";
import type { WebAnswer, WebRequest } from "../../ports/web.ts";

type Exchange = (url: URL, request: WebRequest) => Promise<WebAnswer>;

/** How long an answer about the port holds, in milliseconds: many requests go at once. */
const HOLDS_MS = 1_000;

/**
 * Exchanges that may carry an API key. Where hone is to start the server itself on this machine, none
 * goes out until the server that it started is what listens there: any program may take a port that is
 * free. Rejects as a server that is not there does.
 */
export function keyGuarded(
  exchange: Exchange,
  settings: Pick<ModelSettings, "url" | "serve">,
  isOurs: (port: number) => Promise<boolean>,
): Exchange {
  const base = baseUrlOf(settings);
  if (!isServable(settings.serve) || !isLocal(new URL(base))) return exchange;
  let known: { readonly at: number; readonly isOurs: Promise<boolean> } | null = null;
  return async (url, request) => {
    if (known === null || performance.now() - known.at > HOLDS_MS) {
      known = { at: performance.now(), isOurs: isOurs(portOf(url)) };
    }
    if (await known.isOurs) return await exchange(url, request);
    known = null;
    throw Object.assign(new Error("hone's own model server does not listen there"), {
      code: "ECONNREFUSED",
    });
  };
}

function isLocal({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}
