import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A shop's price API on this machine, with the changes that its vendor makes. */
export type PriceApi = AsyncDisposable & {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Version 1 is gone; version 2 has `unit_price` for `price`, and limits the rate. */
  retireV1(): void;
  /** Version 3 is there, and version 2 is switched off for one item already. */
  announceV3(): void;
  /** Version 3 loses what it knew of currency and delivery; version 2 is whole again. */
  spoilV3(): void;
};

/** Items with their price, the same in every version. */
const OFFERS: Readonly<Record<string, { readonly price: number; readonly delivery: string }>> = {
  tea: { price: 1.15, delivery: "2 days" },
  coffee: { price: 4.2, delivery: "1 day" },
  mate: { price: 3.35, delivery: "3 days" },
  cocoa: { price: 2.8, delivery: "2 days" },
  honey: { price: 6.05, delivery: "5 days" },
};

export const ITEMS = Object.keys(OFFERS);

/** The item for which version 2 is switched off first. */
const FIRST_TO_GO = "mate";

/** Of so many requests one is answered 429, once the rate is limited. */
const ONE_IN = 5;

type Phase = "v1" | "v2" | "v3 announced" | "v3 spoilt";

/** Starts the API on a free port of 127.0.0.1; disposing cuts its connections. */
export async function startApi(): Promise<PriceApi> {
  let phase: Phase = "v1";
  let priced = 0;
  const server = createServer((request, response) => {
    const answer = answerTo(request, phase);
    if (answer.status === 200 && phase !== "v1") priced += 1;
    const isLimited = answer.status === 200 && priced % ONE_IN === ONE_IN - 1;
    send(response, isLimited ? TOO_MANY : answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    retireV1: () => void (phase = "v2"),
    announceV3: () => void (phase = "v3 announced"),
    spoilV3: () => void (phase = "v3 spoilt"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
};

const TOO_MANY: Answer = {
  status: 429,
  headers: { "retry-after": "1" },
  body: { error: "too many requests" },
};

function answerTo({ url = "" }: IncomingMessage, phase: Phase): Answer {
  const [, version = "", item = ""] = /^\/(v[123])\/prices\/([a-z]+)$/.exec(url) ?? [];
  const offer = OFFERS[item];
  if (offer === undefined || !isOpen(version, phase)) {
    return { status: 404, body: { error: "no such page" } };
  }
  const successor = successorOf(version, item, phase);
  if (successor !== null) return gone(version, `/${successor}/prices/${item}`);
  return { status: 200, body: { item, ...bodyOf(offer, version, phase) } };
}

function isOpen(version: string, phase: Phase): boolean {
  if (version === "v2") return phase !== "v1";
  return version === "v1" || phase === "v3 announced" || phase === "v3 spoilt";
}

/** The version that has taken the place of this one for an item, or null. */
function successorOf(version: string, item: string, phase: Phase): string | null {
  if (version === "v1" && phase !== "v1") return "v2";
  return version === "v2" && phase === "v3 announced" && item === FIRST_TO_GO ? "v3" : null;
}

/** Gone (RFC 9110, 15.5.11), with the link relation of RFC 5829. */
function gone(version: string, path: string): Answer {
  return {
    status: 410,
    headers: { link: `<${path}>; rel="successor-version"` },
    body: { error: "gone", message: `${version} is switched off, use ${path}` },
  };
}

function bodyOf(
  { price, delivery }: { readonly price: number; readonly delivery: string },
  version: string,
  phase: Phase,
): object {
  if (version === "v1") return { price, currency: "EUR", delivery };
  const isSpoilt = version === "v3" && phase === "v3 spoilt";
  return isSpoilt
    ? { unit_price: price, currency: null, delivery: null }
    : { unit_price: price, currency: "EUR", delivery };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
