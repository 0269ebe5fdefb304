type Ctx = {
  fetch(url: string): Promise<{
    ok: boolean;
    status: number;
    headers: { get(name: string): string | null };
    json(): Promise<unknown>;
  }>;
  clock: { now(): number; sleep(ms: number): Promise<unknown> };
};

type Offer = { price: number; currency: string; delivery: string };

type Quote = { item: string; total: number; currency: string; delivery: string };

/** What some pieces of an item cost today, in cents rounded. Throws `HTTP <status> …`. */
export async function quotePrice(item: string, pieces: number, ctx: Ctx): Promise<Quote> {
  const response = await ctx.fetch(`http://prices.example/v1/prices/${encodeURIComponent(item)}`);
  if (!response.ok)
    throw new Error(`HTTP ${response.status} for the price of ${JSON.stringify(item)}`);
  const offer = (await response.json()) as Offer;
  const total = Math.round(offer.price * pieces * 100) / 100;
  return { item, total, currency: offer.currency, delivery: offer.delivery };
}
