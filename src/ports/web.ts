/** What is asked of a server. Redirects are not followed and nothing is added: no cookies, no proxy. */
export type WebRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly redirect: "manual";
  readonly credentials: "omit";
  readonly signal: AbortSignal;
};

/** What of a response is used; the global `Response` is one. */
export type WebAnswer = {
  readonly status: number;
  readonly headers: {
    get(name: string): string | null;
    keys(): Iterable<string>;
  };
  readonly body: AsyncIterable<Uint8Array> | null;
};

/**
 * How far a request may reach: `public` addresses only, or wherever the host leads because the
 * manifest has named it with its port.
 */
export type Reach = "public" | "named";

/**
 * One exchange over HTTP. The address that is connected to is the one that was checked: a name that
 * leads elsewhere a moment later changes nothing.
 *
 * Rejects with a TypeError, as `fetch` does, whose cause is a HoneError `refused` where the address
 * may not be reached; and with the signal's reason.
 */
export type WebFetch = (url: URL, request: WebRequest, reach: Reach) => Promise<WebAnswer>;
