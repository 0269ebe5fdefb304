import assert from "node:assert/strict";
import test from "node:test";
import type { FetchRule } from "../../../src/domain/case.ts";
import type { Json } from "../../../src/domain/json.ts";
import { createDriftProposer } from "../../../src/proposers/drift/drift-proposer.ts";
import { aCase, Bench } from "../../support/proposing.ts";

const CTX = "type Ctx = { fetch: (url: string, init?: any) => Promise<any>; clock?: any };\n";

function fetches(body: string, head = ""): string {
  return `${CTX}export async function read(base: string, id: string, ctx: Ctx): Promise<any> {
${head}  const res = await ctx.fetch(${body});
  if (!res.ok) throw new Error("HTTP " + res.status);
  const data = await res.json();
  return data.title;
}
`;
}

/** The first repair that drift proposes, or null. */
async function repairOf(
  source: string,
  fetch: readonly FetchRule[],
  value: Json,
  clock = false,
): Promise<string | null> {
  await using bench = new Bench();
  const cases = [aCase("one", ["https://a.test", "7"], value, fetch)];
  const capabilities = clock ? { fetch: ["a.test"], clock } : { fetch: ["a.test"] };
  const skill = await bench.skill(source, cases, capabilities);
  const { proposals } = await bench.proposalsOf(createDriftProposer(bench), skill);
  return proposals[0]?.text ?? null;
}

const gone = (rule: Partial<FetchRule>): FetchRule => ({
  match: "GET https://a.test/v1/items/7*",
  status: 410,
  ...rule,
});
const fine: FetchRule = {
  match: "GET https://a.test/v2/items/7",
  status: 200,
  body: { title: "x" },
};

const MOVES: readonly (readonly [name: string, rule: FetchRule])[] = [
  ["a path in the answer's body", gone({ body: { error: "gone, use /v2/items/{id} instead" } })],
  ["a version in the answer's body", gone({ status: 404, body: "please move to API v2" })],
  ["Location", gone({ status: 301, headers: { Location: "https://a.test/v2/items/7" } })],
  [
    "Link rel=successor-version",
    gone({ headers: { Link: '</v2/items/7>; rel="successor-version"' } }),
  ],
  ["the next version, where nothing is said", gone({ status: 404, body: "no" })],
];

for (const [name, rule] of MOVES) {
  test(`a moved endpoint is followed, as told by ${name}`, async () => {
    const source = fetches('base + "/v1/items/" + id');

    const repaired = await repairOf(source, [rule, fine], "x");

    assert.equal(repaired, source.replace("/v1/", "/v2/"));
  });
}

test("only the segments that changed are rewritten, in templates and in parts of a path", async () => {
  const rules = [
    gone({ body: "moved to /v2/things/7" }),
    { ...fine, match: "GET https://a.test/v2/things/7?full=1" },
  ];
  const whole = fetches("`${base}/v1/items/${id}?full=1`");
  const parts = fetches('api + "/items/" + id + "?full=1"', '  const api = base + "/v1";\n');

  assert.equal(await repairOf(whole, rules, "x"), whole.replace("/v1/items/", "/v2/things/"));
  assert.equal(
    await repairOf(parts, rules, "x"),
    parts.replace("/v1", "/v2").replace("/items/", "/things/"),
  );
});

test("a renamed field is read by its new name, and by the old one where that is still sent", async () => {
  const source = fetches('base + "/v1/items/" + id').replace("data.title", "data.itemTitle");
  const rule = { match: "GET *", status: 200, body: { item_title: "x", other: 1 } };

  const repaired = await repairOf(source, [rule], "x");

  assert.equal(repaired, source.replace("data.itemTitle", "data.item_title ?? data.itemTitle"));
});

test("a field that is nested now is read where it is", async () => {
  const source = fetches('base + "/v1/items/" + id');
  const rule = { match: "GET *", status: 200, body: { item: { title: "x" } } };

  const repaired = await repairOf(source, [rule], "x");

  assert.equal(repaired, source.replace("data.title", "data.item?.title ?? data.title"));
});

test("a moved endpoint with a renamed field and a limited rate is repaired in steps", async () => {
  const source = fetches('base + "/v1/items/" + id');
  const rules = [
    gone({ body: "use /v2/items/7" }),
    { ...fine, status: 429, headers: { "Retry-After": "2" }, times: 1 },
    { ...fine, body: { item_title: "x" } },
  ];

  const repaired = (await repairOf(source, rules, "x", true)) ?? "";

  assert.match(repaired, /\/v2\/items\//);
  assert.match(repaired, /retry-after/);
  assert.match(repaired, /item_title/);
});

test("429 is waited out where the clock is granted, and only repeated where it is not", async () => {
  const source = fetches('base + "/v1/items/" + id');
  const rules = [
    { match: "GET *", status: 429, headers: { "Retry-After": "2" }, times: 2 },
    { match: "GET *", status: 200, body: { title: "x" } },
  ];

  const waiting = (await repairOf(source, rules, "x", true)) ?? "";
  const repeating = (await repairOf(source, rules, "x")) ?? "";

  assert.match(waiting, /let res = await ctx\.fetch/);
  assert.match(waiting, /await ctx\.clock\.sleep/);
  assert.match(repeating, /tries < 5/);
  assert.doesNotMatch(repeating, /sleep/);
});

test("further pages are read, by cursor and by link", async () => {
  const source = fetches('base + "/items"').replace("data.title", "data.items");
  const byCursor = [
    { match: "GET https://a.test/items", status: 200, body: { items: [1], next_cursor: "b" } },
    {
      match: "GET https://a.test/items?cursor=b",
      status: 200,
      body: { items: [2], next_cursor: null },
    },
  ];
  const link = { Link: '<https://a.test/items?page=2>; rel="next"' };
  const byLink = [
    { match: "GET https://a.test/items", status: 200, headers: link, body: { items: [1] } },
    { match: "GET https://a.test/items?page=2", status: 200, body: { items: [2] } },
  ];

  assert.match((await repairOf(source, byCursor, [1, 2])) ?? "", /next_cursor/);
  assert.match((await repairOf(source, byLink, [1, 2])) ?? "", /headers\.get\("link"\)/);

  const relative = { Link: '</items?page=2>; rel="next"' };
  const byRelativeLink = byLink.map((rule) =>
    "headers" in rule ? { ...rule, headers: relative } : rule,
  );
  assert.match((await repairOf(source, byRelativeLink, [1, 2])) ?? "", /new URL\(String\(next\), /);

  const byPath = [
    { match: "GET https://a.test/items", status: 200, body: { items: [1], next: "/items/2" } },
    { match: "GET https://a.test/items/2", status: 200, body: { items: [2], next: null } },
  ];
  assert.match((await repairOf(source, byPath, [1, 2])) ?? "", /new URL\(String\(next\), /);
});

test("an id that comes as a number is compared as text", async () => {
  const source = fetches('base + "/items"').replace(
    "data.title",
    "data.items.find((item: any) => item.id === id)?.name ?? null",
  );
  const rule = { match: "GET *", status: 200, body: { items: [{ id: 7, name: "x" }] } };

  const repaired = (await repairOf(source, [rule], "x")) ?? "";

  assert.match(repaired, /String\(item\.id\) === String\(id\)/);
});

test("without evidence nothing is proposed", async () => {
  await using bench = new Bench();
  const source = "export function twice(n: number): number {\n  return n + n + 1;\n}\n";
  const skill = await bench.skill(source, [aCase("one", [1], 2)], {});

  const { proposals, tried } = await bench.proposalsOf(createDriftProposer(bench), skill);

  assert.deepEqual([proposals, tried], [[], 0]);
});
