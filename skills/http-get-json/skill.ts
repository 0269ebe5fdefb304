type Ctx = {
  fetch(
    url: string,
    init?: { method?: string; headers?: Record<string, string> },
  ): Promise<{
    status: number;
    ok: boolean;
    headers: { get(name: string): string | null };
    text(): Promise<string>;
  }>;
  kv: {
    get(key: string): Promise<unknown>;
    set(key: string, value: unknown): Promise<unknown>;
  };
  clock: { now(): number; sleep(ms: number): Promise<unknown> };
};

type Kept = { at: number; etag: string | null; value: unknown };

type Got = { value: unknown; status: number; fromCache: boolean };

const TRIES = 3;
const LONGEST_WAIT_MS = 5_000;

/**
 * Gets JSON by HTTP, with a cache. An answer younger than `maxAgeMs` comes from the cache
 * (0: ask always); an older one is asked for again by its ETag. 429 and 503 are tried again, up to
 * three times, after their Retry-After (seconds or a date; one second where it is absent), unless
 * that is longer than five seconds. Throws `HTTP <status> from <url>` or `not JSON from <url>`.
 */
export async function httpGetJson(url: string, maxAgeMs: number, ctx: Ctx): Promise<Got> {
  const key = `json ${url}`;
  const kept = (await ctx.kv.get(key)) as Kept | null;
  const age = kept === null ? Infinity : ctx.clock.now() - kept.at;
  // A clock that was set back makes entries from the future; they are as good as none.
  if (kept !== null && age >= 0 && age < maxAgeMs) {
    return { value: kept.value, status: 200, fromCache: true };
  }
  const headers: Record<string, string> = { accept: "application/json" };
  if (kept?.etag) headers["if-none-match"] = kept.etag;
  const response = await patiently(url, headers, ctx);
  if (response.status === 304 && kept !== null) {
    await ctx.kv.set(key, { ...kept, at: ctx.clock.now() });
    return { value: kept.value, status: 304, fromCache: true };
  }
  if (!response.ok) throw new Error(`HTTP ${response.status} from ${url}`);
  const value = jsonOf(await response.text(), url);
  const mayKeep = !/\bno-store\b/i.test(response.headers.get("cache-control") ?? "");
  const etag = response.headers.get("etag");
  if (mayKeep) await ctx.kv.set(key, { at: ctx.clock.now(), etag, value });
  return { value, status: response.status, fromCache: false };
}

async function patiently(
  url: string,
  headers: Record<string, string>,
  ctx: Ctx,
): ReturnType<Ctx["fetch"]> {
  for (let left = TRIES - 1; ; left -= 1) {
    const response = await ctx.fetch(url, { headers });
    if (left === 0 || (response.status !== 429 && response.status !== 503)) return response;
    const waitMs = waitOf(response.headers.get("retry-after"), ctx.clock.now());
    if (waitMs > LONGEST_WAIT_MS) return response;
    await ctx.clock.sleep(waitMs);
  }
}

function waitOf(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 1_000;
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? 1_000 : Math.max(0, until - now);
}

function jsonOf(text: string, url: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new Error(`not JSON from ${url}`);
  }
}
