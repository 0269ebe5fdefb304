import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { suite, test } from "node:test";
import { createCapabilityHosts } from "../../../src/adapters/capabilities/capability-hosts.ts";
import { FETCH_BOUNDS, liveFetch } from "../../../src/adapters/capabilities/live-fetch.ts";
import type { SecretHeader } from "../../../src/adapters/capabilities/secret-headers.ts";
import { createIsolateSandbox } from "../../../src/adapters/isolate/isolate-sandbox.ts";
import { createWeb } from "../../../src/adapters/undici/undici-web.ts";
import type { Capabilities } from "../../../src/domain/skill.ts";
import { DEFAULT_LIMITS } from "../../../src/domain/skill.ts";
import type { FetchAnswer } from "../../../src/domain/trace.ts";
import { readFrontMatter } from "../../../src/library/front-matter.ts";
import { kvStore } from "../../support/kv-store.ts";
import { webServer } from "../../support/web-server.ts";

const VALUE = "s3cr3t/+<v>&lue";
const NEVER = new AbortController().signal;

function aSecret(host: string, overrides: Partial<SecretHeader> = {}): SecretHeader {
  return {
    name: "API_KEY",
    host,
    header: "authorization",
    as: "Bearer {}",
    value: VALUE,
    ...overrides,
  };
}

async function fetched(
  url: string,
  granted: readonly string[],
  secrets: readonly SecretHeader[],
  headers: Readonly<Record<string, string>> = {},
): ReturnType<typeof liveFetch> {
  await using web = createWeb();
  const bounds = { granted, fetch: web.fetch, secrets, ...FETCH_BOUNDS };
  return await liveFetch({ url, method: "GET", headers, body: null }, bounds, NEVER);
}

/** Says in every way that comes to mind what it was told. */
const echo: RequestListener = (request, response) => {
  const told = request.headers.authorization ?? "nothing";
  const value = told.replace("Bearer ", "");
  response.setHeader("x-echo", told).setHeader("x-hex", Buffer.from(value).toString("hex"));
  response.end(
    [
      told,
      JSON.stringify({ told }),
      encodeURIComponent(value),
      Buffer.from(told).toString("base64"),
      Buffer.from(`user:${value}`).toString("base64url"),
      value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    ].join("\n"),
  );
};

suite("a secret", () => {
  test("goes into the header it is for, over whatever the skill put there", async () => {
    const seen: (string | undefined)[] = [];
    await using server = await webServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });

    await fetched(server.origin, [server.host], [aSecret(server.host)], { Authorization: "mine" });

    assert.deepEqual(seen, [`Bearer ${VALUE}`]);
  });

  test("does not come back, however the server writes it", async () => {
    await using server = await webServer(echo);

    const reply = await fetched(server.origin, [server.host], [aSecret(server.host)]);

    assert.ok(reply.status === "resolved");
    const { body, headers } = reply.value as FetchAnswer;
    const text = JSON.stringify(reply);
    for (const form of [VALUE, encodeURIComponent(VALUE), Buffer.from(VALUE).toString("hex")]) {
      assert.ok(!text.includes(form), `${form} came back`);
    }
    assert.equal(headers["x-echo"], "Bearer [secret API_KEY]");
    assert.equal(
      body.split("\n").filter((line) => line.includes("[secret API_KEY]")).length,
      6,
      body,
    );
    for (const line of body.split("\n")) {
      assert.ok(!Buffer.from(line, "base64").toString().includes(VALUE), line);
    }
  });

  test("does not come back in an address or a redirect either", async () => {
    await using server = await webServer((_, response) => {
      response
        .writeHead(302, { location: `http://other.test/?key=${encodeURIComponent(VALUE)}` })
        .end();
    });

    const reply = await fetched(server.origin, [server.host], [aSecret(server.host)]);

    assert.ok(reply.status === "resolved");
    const { headers } = reply.value as FetchAnswer;
    assert.equal(headers["location"], "http://other.test/?key=[secret API_KEY]");
  });

  test("is for one host: neither another one nor a redirect to it is told", async () => {
    const seen: (string | undefined)[] = [];
    const listener: RequestListener = (request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === "/away") response.writeHead(307, { location: `${other.origin}/` });
      response.end();
    };
    await using server = await webServer(listener);
    await using other = await webServer(listener);
    const granted = [server.host, other.host];

    await fetched(`${server.origin}/away`, granted, [aSecret(server.host)]);
    await fetched(other.origin, granted, [aSecret(server.host)]);

    assert.deepEqual(seen, [`Bearer ${VALUE}`, undefined, undefined]);
  });

  test("does not go over plain HTTP unless the manifest names the port", async () => {
    const seen: unknown[] = [];
    const fetch = async (url: URL, { headers }: { headers: object }): Promise<never> => {
      seen.push([url.href, headers]);
      throw new TypeError("fetch failed");
    };
    const bounds = {
      granted: ["api.test"],
      fetch,
      secrets: [aSecret("api.test")],
      ...FETCH_BOUNDS,
    };
    const ask = (url: string): ReturnType<typeof liveFetch> =>
      liveFetch({ url, method: "GET", headers: {}, body: null }, bounds, NEVER);

    await ask("http://api.test/");
    await ask("https://api.test/");

    const told = { authorization: `Bearer ${VALUE}` };
    assert.deepEqual(seen, [
      ["http://api.test/", {}],
      ["https://api.test/", told],
    ]);
  });

  test("without a value is told by its name, as a fault of the world", async () => {
    await using server = await webServer((_, response) => void response.end());

    const reply = await fetched(
      server.origin,
      [server.host],
      [aSecret(server.host, { value: null })],
    );

    assert.ok(reply.status === "rejected");
    assert.equal(reply.cause, "network");
    assert.match(reply.message, /the secret API_KEY has no value: set HONE_SECRET_API_KEY/);
  });

  test("is nowhere in the trace of a run that uses it and looks for it", async () => {
    await using server = await webServer(echo);
    await using web = createWeb();
    await using sandbox = createIsolateSandbox({ warm: 1, most: 1 });
    const secrets = { value: (name: string) => (name === "API_KEY" ? VALUE : null) };
    const hosts = createCapabilityHosts({
      store: kvStore(),
      now: Date.now,
      fetch: web.fetch,
      secrets,
    });
    const granted: Capabilities = {
      fetch: [server.host],
      log: true,
      secrets: [{ name: "API_KEY", host: server.host, header: "authorization", as: "Bearer {}" }],
    };
    const text = `async function look(ctx) {
      const answer = await ctx.fetch("${server.origin}/");
      const all = [await answer.text(), JSON.stringify([...answer.headers]), Object.keys(ctx).join()];
      ctx.log.info(all.join(" "));
      return all;
    }`;

    const [result] = await sandbox.execute(
      {
        program: { text, entry: "look", strict: true, takesCtx: true, ctxAt: 0 },
        calls: [
          {
            args: [],
            grants: ["fetch", "log"],
            environment: { now: 0, seed: 1 },
            host: hosts.live(granted, "look", async () => null),
          },
        ],
        limits: DEFAULT_LIMITS,
        fresh: true,
      },
      NEVER,
    );

    const trace = JSON.stringify(result?.trace);
    assert.match(trace, /\[secret API_KEY\]/, trace);
    assert.ok(!trace.includes(VALUE) && !trace.includes(JSON.stringify(VALUE).slice(1, -1)));
  });
});

suite("a manifest's secret", () => {
  const front = (secret: string): string =>
    `---\nname: look\ndescription: Looks.\nmetadata:\n  capabilities:\n    fetch: [api.test, "*.wide.test"]\n    secrets: [${secret}]\n---\n`;

  test("is read, with the bare value as the usual text", () => {
    const { value, problems } = readFrontMatter(
      front("{ name: API_KEY, host: api.test, header: X-Key }"),
      "look",
    );

    assert.deepEqual(problems, []);
    assert.deepEqual(value?.manifest.capabilities.secrets, [
      { name: "API_KEY", host: "api.test", header: "X-Key", as: "{}" },
    ]);
  });

  const wrong: Readonly<Record<string, RegExp>> = {
    "{ name: api key, host: api.test, header: X-Key }": /capitals, digits/,
    "{ name: API_KEY, host: '*.wide.test', header: X-Key }": /one host, no wildcard/,
    "{ name: API_KEY, host: other.test, header: X-Key }":
      /other\.test, which capabilities\.fetch does not name/,
    "{ name: API_KEY, host: api.test, header: Host }": /a header that carries a secret/,
    "{ name: API_KEY, host: api.test, header: 'X Key' }": /header/,
    "{ name: API_KEY, host: api.test, header: X-Key, as: Bearer }": /has \{\} once/,
  };
  for (const [secret, pattern] of Object.entries(wrong)) {
    test(`${secret} is refused`, () => {
      assert.match(readFrontMatter(front(secret), "look").problems.join("; "), pattern);
    });
  }
});
