import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import type { IncomingHttpHeaders } from "node:http";
import { suite, test } from "node:test";
import { FETCH_BOUNDS, liveFetch } from "../../../src/adapters/capabilities/live-fetch.ts";
import type { Reply } from "../../../src/adapters/capabilities/answering.ts";
import { createWeb, type Resolve } from "../../../src/adapters/undici/undici-web.ts";
import type { FetchAnswer } from "../../../src/domain/trace.ts";
import { webServer } from "../../support/web-server.ts";

/** A resolver that answers from a list, one answer a question, the last for ever. */
function resolver(...answers: readonly (readonly string[])[]): {
  readonly resolve: Resolve;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const resolve: Resolve = (hostname, _options, callback) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    const found = addresses.map((address): LookupAddress => {
      return { address, family: address.includes(":") ? 6 : 4 };
    });
    callback(null, found);
  };
  return { resolve, asked };
}

async function fetched(url: string, granted: readonly string[], resolve?: Resolve): Promise<Reply> {
  await using web = createWeb(resolve === undefined ? {} : { resolve });
  const call = { url, method: "GET", headers: {}, body: null };
  const bounds = { granted, fetch: web.fetch, secrets: [], ...FETCH_BOUNDS, timeoutMs: 3_000 };
  return await liveFetch(call, bounds, new AbortController().signal);
}

function refusalIn(reply: Reply): string {
  assert.ok(reply.status === "rejected" && reply.cause === "denied", JSON.stringify(reply));
  return reply.message;
}

function bodyOf(reply: Reply): string {
  assert.ok(reply.status === "resolved", JSON.stringify(reply));
  return (reply.value as FetchAnswer).body;
}

const portOf = (host: string): string => host.slice(host.indexOf(":"));

suite("where a name leads", () => {
  test("a granted name that leads into a private network is refused, and nobody is connected to", async () => {
    let asked = 0;
    await using server = await webServer((_, response) => void response.end(String((asked += 1))));
    const port = portOf(server.host);

    for (const address of ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:127.0.0.1"]) {
      const reply = await fetched("http://api.test/", ["api.test"], resolver([address]).resolve);
      assert.match(refusalIn(reply), new RegExp(`api.test leads to ${address}, which is a`));
    }
    const wild = await fetched(
      `http://x.api.test${port}/`,
      [`*.api.test${port}`],
      resolver(["127.0.0.1"]).resolve,
    );

    assert.match(refusalIn(wild), /loopback/);
    assert.equal(asked, 0);
  });

  test("one private address among public ones is enough", async () => {
    const { resolve } = resolver(["93.184.216.34", "192.168.0.1"]);

    assert.match(refusalIn(await fetched("http://api.test/", ["api.test"], resolve)), /private/);
  });

  test("a name that leads elsewhere a moment later is connected to where it was checked", async () => {
    await using server = await webServer((_, response) => void response.end("the server"));
    const [port, { resolve, asked }] = [portOf(server.host), resolver(["127.0.0.1"], ["10.0.0.1"])];

    const reply = await fetched(`http://api.test${port}/`, [`api.test${port}`], resolve);

    assert.equal(bodyOf(reply), "the server");
    assert.deepEqual(asked, ["api.test"], "the name was looked up once");
  });

  test("a manifest that names host and port may mean a machine of its own network", async () => {
    await using server = await webServer((_, response) => void response.end("at home"));

    assert.equal(bodyOf(await fetched(`${server.origin}/`, [server.host])), "at home");
  });

  test("a name leads to no address that tells credentials, whatever host and port a manifest names", async () => {
    const { resolve } = resolver(["168.63.129.16"]);

    for (const granted of ["api.test", "api.test:80"]) {
      const refusal = refusalIn(await fetched("http://api.test/", [granted], resolve));
      assert.match(refusal, /api.test leads to 168.63.129.16, which is a cloud metadata address/);
    }
  });

  test("a name without an address is the world's fault, and said to have none", async () => {
    const reply = await fetched("http://api.test/", ["api.test"], resolver([]).resolve);

    assert.ok(reply.status === "rejected" && reply.cause === "network");
    assert.equal(reply.message, "fetch failed: api.test has no address");
  });

  test("a name that cannot be found is the world's fault, not the skill's", async () => {
    const resolve: Resolve = (hostname, _, callback) =>
      callback(Object.assign(new Error(`no ${hostname}`), { code: "ENOTFOUND" }), []);

    const reply = await fetched("http://api.test/", ["api.test"], resolve);

    assert.ok(reply.status === "rejected");
    assert.deepEqual([reply.cause, reply.message], ["network", "fetch failed: ENOTFOUND"]);
  });
});

suite("an address in the place of a name", () => {
  const spellings: Readonly<Record<string, string>> = {
    "http://127.0.0.1/": "127.0.0.1",
    "http://2130706433/": "127.0.0.1",
    "http://0177.0.0.1/": "127.0.0.1",
    "http://0x7f000001/": "127.0.0.1",
    "http://127.1/": "127.0.0.1",
    "http://0/": "0.0.0.0",
    "http://169.254.169.254/latest/meta-data/": "169.254.169.254",
    "http://[::1]/": "[::1]",
    "http://[::ffff:127.0.0.1]/": "[::ffff:7f00:1]",
    "http://[64:ff9b::7f00:1]/": "[64:ff9b::7f00:1]",
    "http://[fd00::1]/": "[fd00::1]",
  };
  for (const [url, host] of Object.entries(spellings)) {
    test(`${url} is refused though its host is granted`, async () => {
      assert.match(
        refusalIn(await fetched(url, [host])),
        /is a (?:cloud metadata|loopback|link-local|private|reserved) address/,
      );
    });
  }
});

suite("redirects", () => {
  test("each hop is looked up and checked anew", async () => {
    const { resolve, asked } = resolver(["127.0.0.1"], ["10.0.0.1"]);
    await using server = await webServer((_, response) => {
      response.writeHead(302, { location: "http://inner.test/admin" }).end();
    });
    const port = portOf(server.host);

    const reply = await fetched(
      `http://api.test${port}/`,
      [`api.test${port}`, "inner.test"],
      resolve,
    );

    assert.match(refusalIn(reply), /inner\.test leads to 10\.0\.0\.1/);
    assert.deepEqual(asked, ["api.test", "inner.test"]);
  });

  test("an address that a redirect spells in its own way is still an address", async () => {
    await using server = await webServer((_, response) => {
      response.writeHead(302, { location: "http://0x7f.1/admin" }).end();
    });

    const reply = await fetched(`${server.origin}/`, [server.host, "127.0.0.1"]);

    assert.match(refusalIn(reply), /127\.0\.0\.1 is a loopback address/);
  });

  test("a connection to a named host is not used for one that is not named", async () => {
    await using server = await webServer((_, response) => void response.end("inside"));
    await using web = createWeb({ resolve: resolver(["127.0.0.1"]).resolve });
    const signal = new AbortController().signal;
    const request = {
      method: "GET",
      headers: {},
      body: null,
      redirect: "manual",
      credentials: "omit",
      signal,
    } as const;
    const url = new URL(`http://api.test${portOf(server.host)}/`);

    const named = await web.fetch(url, request, "named");
    for await (const _ of named.body ?? []) continue;

    await assert.rejects(web.fetch(url, request, "public"), TypeError);
  });
});

test("nothing of the environment goes along: no proxy, no cookie, no credentials", async (t) => {
  const seen: IncomingHttpHeaders[] = [];
  await using proxy = await webServer((_, response) => void response.end("the proxy"));
  await using server = await webServer((request, response) => {
    seen.push(request.headers);
    response.setHeader("set-cookie", "session=1");
    response.end("the server");
  });
  const before = { ...process.env };
  t.after(() => void (process.env = before));
  Object.assign(process.env, {
    HTTP_PROXY: proxy.origin,
    http_proxy: proxy.origin,
    NODE_USE_ENV_PROXY: "1",
  });
  await using web = createWeb();
  const bounds = { granted: [server.host], fetch: web.fetch, secrets: [], ...FETCH_BOUNDS };
  const call = { url: server.origin, method: "GET", headers: {}, body: null };

  const first = await liveFetch(call, bounds, new AbortController().signal);
  const second = await liveFetch(call, bounds, new AbortController().signal);

  assert.deepEqual([bodyOf(first), bodyOf(second)], ["the server", "the server"]);
  for (const headers of seen) {
    assert.deepEqual(
      [headers.cookie, headers.authorization, headers.referer],
      [undefined, undefined, undefined],
    );
  }
});

test("an answer whose headers are too long breaks off", async () => {
  await using server = await webServer((_, response) => {
    response.setHeader("x-long", "x".repeat(40_000)).end("body");
  });

  const reply = await fetched(server.origin, [server.host]);

  assert.ok(reply.status === "rejected" && reply.cause === "network");
});
