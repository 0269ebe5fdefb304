import type { FetchRule } from "../../src/domain/case.ts";
import type { Json } from "../../src/domain/json.ts";
import type { Draw, Sound } from "./draw.ts";

const HOST = "https://api.test";

/** The hosts that these functions may reach. */
export const REMOTE_HOSTS = ["api.test"];

/** Functions that ask a service, by `ctx.fetch`. */
export const REMOTE: readonly Sound[] = [
  remote(
    (d) => [d.of(["a", "b"])],
    (d, [owner]) => pages(d, `${HOST}/lists/${String(owner)}`),
    `export async function allItems(owner, ctx) {
  const items = [];
  let cursor = "";
  do {
    const response = await ctx.fetch("${HOST}/lists/" + owner + "?cursor=" + cursor);
    const page = await response.json();
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}`,
  ),
  remote(
    (d) => [d.int(1, 4)],
    (d, [id]) => [
      answer(`GET ${HOST}/users/${String(id)}`, d.of([200, 200, 200, 404, 500]), {
        name: d.word(),
        mail: d.of([null, "a@b.c"]),
      }),
    ],
    `export async function contactOf(id, ctx) {
  const response = await ctx.fetch("${HOST}/users/" + id);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error("status " + response.status);
  const user = await response.json();
  return user.mail ?? user.name.toLowerCase() + "@example.test";
}`,
  ),
  remote(
    (d) => [d.list(3, () => d.int(1, 3))],
    (d) =>
      [1, 2, 3].map((id) =>
        answer(`GET ${HOST}/prices/${id}`, d.of([200, 200, 404]), { cents: d.int(0, 900) }),
      ),
    `export async function totalPrice(ids, ctx) {
  let total = 0;
  for (const id of ids) {
    const response = await ctx.fetch("${HOST}/prices/" + id);
    if (!response.ok) continue;
    const { cents } = await response.json();
    total += cents;
  }
  return total / 100;
}`,
  ),
  remote(
    (d) => [d.of(["x", "y z", "a&b"]), d.int(1, 3)],
    (d) => [answer(`GET ${HOST}/search*`, 200, { hits: d.list(5, d.word), total: d.int(0, 9) })],
    `export async function searched(term, page, ctx) {
  const query = "q=" + encodeURIComponent(term) + "&page=" + page;
  const response = await ctx.fetch("${HOST}/search?" + query);
  const { hits, total } = await response.json();
  return { hits: hits.slice(0, 3), more: total > page * 3 };
}`,
  ),
  remote(
    (d) => [d.int(0, 3)],
    (d) => [
      { ...answer(`GET ${HOST}/jobs/1`, 503, {}), times: d.int(1, 3) },
      answer(`GET ${HOST}/jobs/1`, 200, { state: d.of(["done", "failed"]) }),
    ],
    `export async function jobState(retries, ctx) {
  for (let attempt = 0; attempt <= retries; attempt++) {
    const response = await ctx.fetch("${HOST}/jobs/1");
    if (response.status !== 503) {
      const job = await response.json();
      return job.state;
    }
  }
  return "unknown";
}`,
  ),
  remote(
    (d) => [d.word(), d.list(3, () => d.of(["new", "old", "New"]))],
    (d) => [
      answer(`POST ${HOST}/notes`, d.of([201, 201, 400]), { id: d.int(1, 90) }),
      answer(
        `GET ${HOST}/tags`,
        200,
        d.list(3, () => d.of(["new", "old"])),
      ),
    ],
    `export async function addNote(text, tags, ctx) {
  const known = await (await ctx.fetch("${HOST}/tags")).json();
  const kept = tags.filter((tag) => known.includes(tag.toLowerCase()));
  const response = await ctx.fetch("${HOST}/notes", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text, tags: kept }),
  });
  if (response.status !== 201) return { saved: false, tags: [] };
  const { id } = await response.json();
  return { saved: true, id, tags: kept };
}`,
  ),
  remote(
    (d) => [d.int(0, 30)],
    (d) => [
      answer(
        `GET ${HOST}/stations`,
        200,
        d.list(5, () => ({ name: d.word(), celsius: d.of([d.int(-9, 35), null]) })),
      ),
    ],
    `export async function warmStations(least, ctx) {
  const response = await ctx.fetch("${HOST}/stations");
  const stations = await response.json();
  return stations
    .filter(({ celsius }) => celsius !== null && celsius >= least)
    .sort((a, b) => b.celsius - a.celsius)
    .map(({ name, celsius }) => name + " " + Math.round(celsius * 1.8 + 32) + "F");
}`,
  ),
];

function remote(
  args: Sound["args"],
  fetch: (draw: Draw, args: readonly Json[]) => readonly FetchRule[],
  source: string,
): Sound {
  return { args, source: `${source}\n`, world: (draw, given) => ({ fetch: fetch(draw, given) }) };
}

function answer(match: string, status: number, body: Json): FetchRule {
  const headers = { "content-type": "application/json" };
  return { match, status, headers, body: JSON.stringify(body) };
}

function pages(d: Draw, url: string): readonly FetchRule[] {
  const amount = d.int(1, 3);
  return Array.from({ length: amount }, (_, at) =>
    answer(`GET ${url}?cursor=${at === 0 ? "" : `c${at}`}`, 200, {
      items: d.list(3, () => d.int(0, 9)),
      next: at === amount - 1 ? null : `c${at + 1}`,
    }),
  );
}
