import { webServer, type WebServer } from "../web-server.ts";

/** What a vendor does to those who ask, in the order of a day. */
export const DRIFTS = ["moved", "renamed", "limited", "paged", "gone"] as const;
export type Drift = (typeof DRIFTS)[number];

/** An upstream API whose answers are the same all day, and whose ways are not. */
export type Vendor = WebServer & {
  readonly drift: (which: Drift) => void;
};

/** What it knows, by the number of a thing. */
export const STOCK = [4, 0, 12, 7, 31];
export const PRICES = [1.15, 4.2, 3.35, 2.8, 6.05];
export const WINDS = [11, 24, 3, 17, 8];
export const ORDERS = [[3, 4, 5], [10], [7, 1], [2, 2, 2], [9, 8, 6]];
export const RATES = [1.08, 0.85, 162.4, 0.97, 1.61];

type Answer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
};

/** Of so many requests one is answered 429, once the rate is limited. */
const ONE_IN = 4;

/** Starts the vendor on a port of this machine. */
export async function aVendor(): Promise<Vendor> {
  const drifted = new Set<Drift>();
  let asked = 0;
  const server = await webServer(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://vendor");
    const [, version = "", what = "", id = ""] = pathname.split("/");
    const at = { version, id: Number(id), page: Number(searchParams.get("page") ?? 1) };
    if (what === "wind" && drifted.has("limited")) asked += 1;
    const answer =
      asked % ONE_IN === ONE_IN - 1 && what === "wind"
        ? { status: 429, headers: { "retry-after": "0" }, body: { error: "too many requests" } }
        : answerTo(what, at, drifted);
    response.writeHead(answer.status ?? 200, {
      "content-type": "application/json",
      ...answer.headers,
    });
    response.end(JSON.stringify(answer.body));
  });
  return { ...server, drift: (which) => void drifted.add(which) };
}

type At = { readonly version: string; readonly id: number; readonly page: number };

function answerTo(what: string, at: At, drifted: ReadonlySet<Drift>): Answer {
  const { version, id, page } = at;
  const moved = (drift: Drift): Answer | null => {
    const [now, next] = drifted.has(drift) ? ["v2", "v2"] : ["v1", ""];
    if (version === now) return null;
    if (version === "v1") return gone(`/${next}/${what}/${id}`);
    return NOT_FOUND;
  };
  switch (what) {
    case "stock":
      return moved("moved") ?? { body: { id, pieces: STOCK[id] } };
    case "price": {
      const body = drifted.has("renamed") ? { unit_price: PRICES[id] } : { price: PRICES[id] };
      return moved("renamed") ?? { body: { id, ...body } };
    }
    case "wind":
      return { body: { id, knots: WINDS[id] } };
    case "orders":
      return ordersAt(id, page, drifted.has("paged"));
    case "rate":
      return drifted.has("gone") ? NOT_FOUND : { body: { id, rate: RATES[id] } };
    default:
      return NOT_FOUND;
  }
}

/** One a page, once there are pages, with the next one in a link (RFC 8288). */
function ordersAt(id: number, page: number, isPaged: boolean): Answer {
  const all = (ORDERS[id] ?? []).map((amount) => ({ amount }));
  if (!isPaged) return { body: { orders: all } };
  const hasNext = page < all.length;
  const headers = hasNext ? { link: `</v1/orders/${id}?page=${page + 1}>; rel="next"` } : {};
  return { headers, body: { orders: all.slice(page - 1, page) } };
}

const NOT_FOUND: Answer = { status: 404, body: { error: "not found" } };

function gone(to: string): Answer {
  return {
    status: 410,
    headers: { link: `<${to}>; rel="successor-version"` },
    body: { error: "gone" },
  };
}
