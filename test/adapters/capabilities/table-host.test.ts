import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../../support/property.ts";
import { createCapabilityHosts } from "../../../src/adapters/capabilities/capability-hosts.ts";
import type { CaseWorld, FetchRule } from "../../../src/domain/case.ts";
import type { Json } from "../../../src/domain/json.ts";
import type { Capabilities } from "../../../src/domain/skill.ts";
import { DEFAULT_NOW, environmentOf } from "../../../src/domain/world.ts";
import type { RecordingHost } from "../../../src/ports/capabilities.ts";
import { kvStore } from "../../support/kv-store.ts";
import { programOf, randomTasks } from "../../support/random-program.ts";
import { type Asks, Refusal, runAgainst } from "../../support/stand-in-guest.ts";
import { webServer } from "../../support/web-server.ts";

const ALL: Capabilities = { fetch: ["api.test"], kv: true, skills: ["other"] };
const NOW = DEFAULT_NOW;
const URL_1 = "https://api.test/1";

function tableHost(
  world: CaseWorld,
  granted = ALL,
  unrecorded: "closed" | "reading" = "closed",
): RecordingHost {
  const hosts = createCapabilityHosts({
    store: kvStore(),
    now: () => assert.fail("real time"),
    fetch,
  });
  return hosts.table(world, granted, unrecorded);
}

async function inWorld(world: CaseWorld, program: (asks: Asks) => Promise<Json>): Promise<unknown> {
  const { result } = await runAgainst(tableHost(world), program, environmentOf(world).now);
  return result;
}

/** The statuses of the calls, one after the other; the message where one is rejected. */
function statusesOf(rules: readonly FetchRule[], ...calls: readonly string[]): Promise<unknown> {
  return inWorld({ fetch: rules }, async ({ fetch }) => {
    const seen: Json[] = [];
    for (const call of calls) {
      const [method = "", url = ""] = call.split(" ");
      try {
        seen.push((await fetch(url, { method })).status);
      } catch (error) {
        seen.push(error instanceof Refusal ? `${error.refusalCause}: ${error.message}` : "?");
      }
    }
    return seen;
  });
}

test("the first rule that fits answers; method and URL are compared as text", async () => {
  const rules = [
    { match: `GET ${URL_1}`, status: 201 },
    { match: `POST ${URL_1}`, status: 202 },
    { match: "GET https://api.test/*", status: 203 },
    { match: `GET ${URL_1}`, status: 500 },
  ];

  assert.deepEqual(
    await statusesOf(
      rules,
      `GET ${URL_1}`,
      `get ${URL_1}`,
      `POST ${URL_1}`,
      `GET ${URL_1}/2`,
      `PUT ${URL_1}`,
    ),
    [201, 201, 202, 203, 404],
  );
});

test("a star stands for any rest, and only at the end", async () => {
  const rules = [{ match: "GET https://*/1", status: 201 }, { match: "GET https://api.test/a*" }];

  assert.deepEqual(
    await statusesOf(rules, `GET ${URL_1}`, "GET https://api.test/a", "GET https://api.test/ab?c"),
    [404, 200, 200],
  );
});

test("a rule is skipped once it is used up", async () => {
  const rules = [
    { match: `GET ${URL_1}`, status: 503, times: 2 },
    { match: `GET ${URL_1}`, status: 200, times: 1 },
    { match: "GET https://never.test", times: 0 },
  ];
  const get = `GET ${URL_1}`;

  assert.deepEqual(
    await statusesOf(rules, get, get, get, get, "GET https://never.test"),
    [503, 503, 200, 404, 404],
  );
});

test("a rule with an error rejects with it", async () => {
  const rules = [{ match: "GET https://api.test/*", error: "ECONNRESET" }];

  assert.deepEqual(await statusesOf(rules, `GET ${URL_1}`), ["failed: ECONNRESET"]);
});

test("an answer has its header names in lower case and its body as text", async () => {
  const seen = await inWorld(
    {
      fetch: [
        { match: `GET ${URL_1}`, headers: { "X-Next": "A" }, body: { id: 1, list: [true] } },
        { match: "GET https://api.test/text", body: "\u{feff}a,b" },
        { match: "GET https://api.test/null", body: null },
      ],
    },
    async ({ fetch }) => {
      const [data, text, none, lost] = [
        await fetch(URL_1),
        await fetch("https://api.test/text"),
        await fetch("https://api.test/null"),
        await fetch("https://api.test/lost"),
      ];
      return [data, text.body, none.body, lost.status, lost.body];
    },
  );

  assert.deepEqual(seen, [
    {
      status: 200,
      headers: { "x-next": "A" },
      body: '{"id":1,"list":[true]}',
      url: URL_1,
      redirected: false,
    },
    "\u{feff}a,b",
    "null",
    404,
    "no such route",
  ]);
});

/** The reference: a rule's answer takes so many turns of the microtask queue. */
async function byMicrotasks(ticks: number): Promise<void> {
  for (let turn = 0; turn < ticks; turn += 1) await Promise.resolve();
}

test("concurrent requests are answered in the order of their ticks, as microtasks would be", async () => {
  const tasks = fc.array(fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 5 }), {
    maxLength: 6,
  });
  const property = fc.asyncProperty(tasks, async (tasks) => {
    const seenBy = async (wait: (ticks: number) => Promise<unknown>): Promise<Json> => {
      const seen: Json[] = [];
      await Promise.all(
        tasks.map(async (waits, task) => {
          for (const [at, ticks] of waits.entries()) {
            await wait(ticks);
            seen.push([task, at]);
          }
        }),
      );
      return seen;
    };
    const rules = [0, 1, 2, 3, 4, 5, 6].map((ticks) => ({
      match: `GET https://api.test/${ticks}`,
      ticks,
    }));

    const expected = await seenBy(byMicrotasks);
    const told = await inWorld({ fetch: rules }, ({ ask }) =>
      seenBy((ticks) =>
        ask("fetch", { url: `https://api.test/${ticks}`, method: "GET", headers: {}, body: null }),
      ),
    );

    assert.deepEqual(told, expected);
  });

  await fc.assert(property, { numRuns: 200 });
});

test("a world is told the same way every time", async () => {
  const world: CaseWorld = {
    fetch: [
      { match: "GET https://api.test/1", ticks: 3, body: "one" },
      { match: "GET https://api.test/2", times: 1, body: "two" },
    ],
    kv: { a: 1 },
    skills: { other: [{ input: { n: 1 }, result: "one" }] },
  };
  const property = fc.asyncProperty(randomTasks, async (tasks) => {
    const tell = (): Promise<unknown> =>
      runAgainst(tableHost(world), programOf(tasks), DEFAULT_NOW);

    assert.deepEqual(await tell(), await tell());
  });

  await fc.assert(property, { numRuns: 50 });
});

test("timers pass in virtual time, after everything that takes only turns", async () => {
  const hour = 3_600_000;
  const seen = await inWorld(
    { now: 1_000, fetch: [{ match: "GET https://api.test/*", ticks: 50 }] },
    async ({ sleep, fetch, now }) => {
      const seen: Json[] = [];
      const note = (what: string): number => seen.push([what, now()]);
      await Promise.all([
        sleep(2 * hour).then(() => note("two hours")),
        sleep(0).then(() => note("at once")),
        sleep(hour)
          .then(() => sleep(hour))
          .then(() => note("one and one")),
        fetch(URL_1).then(() => note("fetched")),
      ]);
      return seen;
    },
  );

  assert.deepEqual(seen, [
    ["fetched", 1_000],
    ["at once", 1_001],
    ["two hours", 1_000 + 2 * hour],
    ["one and one", 1_000 + 2 * hour],
  ]);
});

test("a case that names no time starts at a fixed instant", async () => {
  const { now } = await tableHost({}).next([], new AbortController().signal);

  assert.equal(new Date(now).toISOString(), "2026-01-01T00:00:00.000Z");
});

test("key-value state starts from the world and ends with the call", async () => {
  const world = { kv: { "a/1": 1, "a/0": [2], b: null } };
  const program = async ({ ask }: Asks): Promise<Json> => {
    const before = await ask("kv.get", { key: "a/1" });
    await ask("kv.set", { key: "a/1", value: "changed" });
    await ask("kv.delete", { key: "a/0" });
    return [
      before,
      await ask("kv.get", { key: "a/1" }),
      await ask("kv.get", { key: "a/0" }),
      await ask("kv.get", { key: "__proto__" }),
      await ask("kv.list", { prefix: "" }),
    ];
  };

  for (let call = 0; call < 2; call += 1) {
    assert.deepEqual(await inWorld(world, program), [1, "changed", null, null, ["a/1", "b"]]);
  }
});

test("other skills answer equal input, and nothing else", async () => {
  const skills = {
    other: [
      { input: { a: 1, b: 2 }, result: { ok: true } },
      { input: {}, error: "no input" },
    ],
  };
  const call = async ({ ask }: Asks, input: Json): Promise<Json> => {
    try {
      return await ask("skills.call", { name: "other", input });
    } catch (error) {
      return error instanceof Refusal ? `${error.refusalCause}: ${error.message}` : "?";
    }
  };

  const seen = await inWorld({ skills }, async (asks) => [
    await call(asks, { b: 2, a: 1 }),
    await call(asks, {}),
    await call(asks, { a: 2 }),
  ]);

  assert.deepEqual(seen, [
    { ok: true },
    "failed: no input",
    "unrecorded: a call of the skill other with this input is not recorded. " +
      "Record its answer in the case, or ask only for what is recorded.",
  ]);
});

test("a recorded world grants no more than the manifest", async () => {
  const world = { fetch: [{ match: "GET *" }], kv: { a: 1 }, skills: { other: [{ input: {} }] } };
  const asks = [
    ["fetch", { url: URL_1, method: "GET", headers: {}, body: null }],
    ["kv.get", { key: "a" }],
    ["skills.call", { name: "other", input: {} }],
  ] as const;

  for (const [kind, args] of asks) {
    const { answers } = await tableHost(world, {}).next(
      [{ id: 1, kind, args }],
      new AbortController().signal,
    );
    assert.ok(answers[0]?.status === "rejected" && answers[0].cause === "denied", kind);
  }
});

test("reading asks the live world once for a URL, and records it as a rule", async () => {
  let asked = 0;
  await using server = await webServer((_, response) => {
    asked += 1;
    response.setHeader("x-n", String(asked)).end("live");
  });
  const url = `${server.origin}/new`;
  const host = tableHost(
    { fetch: [{ match: `GET ${URL_1}` }] },
    { fetch: [server.host] },
    "reading",
  );

  const { result } = await runAgainst(
    host,
    async ({ fetch }) => {
      const both = await Promise.all([fetch(url), fetch(url)]);
      return [...both, await fetch(url)].map(({ body }) => body);
    },
    DEFAULT_NOW,
  );

  assert.deepEqual(result, ["live", "live", "live"]);
  assert.equal(asked, 1);
  assert.equal(host.recorded.length, 1);
  const [rule] = host.recorded;
  assert.deepEqual(
    [rule?.match, rule?.status, rule?.body, rule?.headers?.["x-n"]],
    [`GET ${url}`, 200, "live", "1"],
  );
});

test("reading never writes, and never leaves the granted hosts", async () => {
  await using server = await webServer(() => assert.fail("must not be asked"));
  const host = tableHost({}, { fetch: ["api.test"] }, "reading");

  const { result } = await runAgainst(
    host,
    async ({ fetch }) => {
      const seen: Json[] = [];
      for (const [url, method] of [
        ["https://api.test/x", "POST"],
        ["https://api.test/x", "DELETE"],
        [server.origin, "GET"],
      ] as const) {
        try {
          await fetch(url, { method });
        } catch (error) {
          seen.push(error instanceof Refusal ? error.refusalCause : "?");
        }
      }
      return seen;
    },
    DEFAULT_NOW,
  );

  assert.deepEqual(result, ["unrecorded", "unrecorded", "denied"]);
  assert.deepEqual(host.recorded, []);
});

test("reading asks a busy server again when it says so, and records what it says then", async () => {
  let asked = 0;
  await using server = await webServer((_, response) => {
    asked += 1;
    if (asked < 3) response.writeHead(asked === 1 ? 429 : 503, { "retry-after": "0" });
    response.end(`answer ${asked}`);
  });
  const url = `${server.origin}/busy`;
  const host = tableHost({}, { fetch: [server.host] }, "reading");

  const { result } = await runAgainst(host, async ({ fetch }) => (await fetch(url)).body, NOW);

  assert.equal(result, "answer 3");
  assert.deepEqual(
    host.recorded.map(({ match, status, body }) => [match, status, body]),
    [[`GET ${url}`, 200, "answer 3"]],
  );
});

test("to reading, a server that stays busy is out of reach, and nothing is recorded", async () => {
  await using server = await webServer((_, response) =>
    response.writeHead(429, { "retry-after": "3600" }).end(),
  );
  const host = tableHost({}, { fetch: [server.host] }, "reading");
  const asking = async ({ fetch }: Asks): Promise<Json> => {
    try {
      return (await fetch(server.origin)).status;
    } catch (error) {
      return error instanceof Refusal ? error.refusalCause : "?";
    }
  };

  const { result } = await runAgainst(host, asking, NOW);

  assert.equal(result, "network");
  assert.deepEqual(host.recorded, []);
});

test("cases that are examined at about the same time share what was read, and each records it", async () => {
  let asked = 0;
  await using server = await webServer((_, response) => {
    asked += 1;
    response.end(`answer ${asked}`);
  });
  const hosts = createCapabilityHosts({ store: kvStore(), now: () => NOW, fetch });

  const bodies: Json[] = [];
  const recorded: unknown[] = [];
  for (let number = 0; number < 2; number += 1) {
    const host = hosts.table({}, { fetch: [server.host] }, "reading");
    const { result } = await runAgainst(
      host,
      async ({ fetch }) => (await fetch(server.origin)).body,
      NOW,
    );
    bodies.push(result as Json);
    recorded.push(host.recorded.length);
  }

  assert.deepEqual(bodies, ["answer 1", "answer 1"]);
  assert.deepEqual([asked, recorded], [1, [1, 1]]);
});
