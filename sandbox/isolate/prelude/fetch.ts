import type { Intrinsics } from "./intrinsics.ts";
import type { Requests } from "./requests.ts";
import { type Fetched, responseOf } from "./response.ts";

/** The part of RequestInit that is heeded. */
type Init = {
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: Signal | null;
};

/** The part of AbortSignal that is used. */
type Signal = {
  readonly aborted: boolean;
  readonly reason: unknown;
  readonly addEventListener: (type: string, listener: () => void) => void;
};

/** The part of the web's fetch that carries text. */
export type Fetch = (url: unknown, init?: Init) => Promise<object>;

/** Makes `ctx.fetch`. */
export function makeFetch(of: Intrinsics, requests: Requests): Fetch {
  return async (url, init) => {
    const given = init ?? {};
    const { signal } = given;
    const args = {
      __proto__: null,
      url: of.text(url),
      method: of.upper(of.text(given.method ?? "GET")),
      headers: headersOf(of, given.headers),
      body: given.body === undefined || given.body === null ? null : of.text(given.body),
    };
    if (signal === undefined || signal === null)
      return responseOf(of, (await requests.ask("fetch", args)) as Fetched);
    if (signal.aborted) throw signal.reason;
    return responseOf(of, (await abortable(of, requests, args, signal)) as Fetched);
  };
}

function abortable(
  of: Intrinsics,
  requests: Requests,
  args: object,
  signal: Signal,
): Promise<unknown> {
  const { id, promise } = requests.askNumbered("fetch", args);
  return new of.promise((resolve, reject) => {
    const follow = async (): Promise<void> => {
      try {
        resolve(await promise);
      } catch (reason) {
        reject(reason);
      }
    };
    void follow();
    signal.addEventListener("abort", () => {
      requests.giveUp(id);
      reject(signal.reason);
    });
  });
}

/** Header fields from an object, from pairs, or from anything with `forEach(value, name)`. */
function headersOf(of: Intrinsics, given: unknown): Record<string, string> {
  const headers = { __proto__: null } as unknown as Record<string, string>;
  if (typeof given !== "object" || given === null) return headers;
  if (of.isArray(given)) {
    for (let at = 0; at < given.length; at += 1) {
      const pair = given[at] as readonly unknown[];
      headers[of.lower(of.text(pair[0]))] = of.text(pair[1]);
    }
    return headers;
  }
  const { forEach } = given as { forEach?: unknown };
  if (typeof forEach === "function") {
    of.apply(forEach, given, [
      (value: unknown, name: unknown) => {
        headers[of.lower(of.text(name))] = of.text(value);
      },
    ]);
    return headers;
  }
  const names = of.ownKeys(given);
  for (let at = 0; at < names.length; at += 1) {
    const name = of.text(names[at]);
    headers[of.lower(name)] = of.text((given as Record<string, unknown>)[name]);
  }
  return headers;
}

/** The functions of this file, which become the text of the prelude. */
export const FETCH_PARTS = [makeFetch, abortable, headersOf];
