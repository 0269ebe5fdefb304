import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { failure, modelServer, type Reply } from "../../support/model-server.ts";
import { aRequest, modelAt } from "../../support/models.ts";
import { webServer } from "../../support/web-server.ts";

const NEVER = new AbortController().signal;

function portOf({ origin }: { readonly origin: string }): number {
  return Number(new URL(origin).port);
}

/** A port of this machine on which nobody listens. */
async function freePort(): Promise<number> {
  await using server = await webServer(() => undefined);
  return portOf(server);
}

suite("auto", () => {
  test("takes what answers on the usual ports, the first in their order", async () => {
    await using first = await modelServer({ kind: "vllm", model: "coder" });
    await using second = await modelServer({ kind: "ollama", model: "talker" });
    const ports = [await freePort(), portOf(first), portOf(second)];
    await using model = modelAt("", { use: "auto", ports });

    const card = await model.card(NEVER);

    assert.equal(card?.endpoint, first.url);
    assert.equal(card.model, "coder");
    assert.equal(second.probes.length, 0);
  });

  test("passes over servers that serve something else, or nothing in time", async () => {
    await using page = await webServer((_request, response) => response.end("<h1>An app</h1>"));
    await using deaf = await webServer(() => undefined);
    await using json = await webServer((_request, response) => response.end('{"data": "no list"}'));
    await using server = await modelServer({ kind: "llama.cpp" });
    const ports = [page, deaf, json, server].map(portOf);
    await using model = modelAt("", { use: "auto", ports });

    assert.equal((await model.card(NEVER))?.endpoint, server.url);
  });

  test("never shows the API key to what listens on a port by chance", async () => {
    const seen: (string | undefined)[] = [];
    await using server = await modelServer({
      answers: ({ headers }) => {
        seen.push(headers.authorization);
        return "an answer";
      },
    });
    await using model = modelAt("", {
      use: "auto",
      ports: [portOf(server)],
      key: "sk-of-a-person",
    });

    await model.complete(aRequest(), NEVER);

    assert.deepEqual(seen, [undefined]);
    assert.ok(server.probes.every(({ headers }) => headers.authorization === undefined));
  });

  test("goes by OPENAI_BASE_URL where it is set, with the key, and nowhere else", async () => {
    await using other = await modelServer({ kind: "vllm" });
    await using named = await modelServer({ kind: "sglang", quirks: { key: "sk-right" } });
    const env = { OPENAI_BASE_URL: `${named.url}/` };
    const options = { use: "auto", ports: [portOf(other)], env, key: "sk-right" };
    await using model = modelAt("", options);

    assert.equal((await model.card(NEVER))?.endpoint, named.url);
    assert.deepEqual(other.requests, []);
  });

  test("says where it looked when it finds nothing, and finds what comes up later (B5)", async () => {
    const port = await freePort();
    await using model = modelAt("", { use: "auto", ports: [port] });

    const down = await model.complete(aRequest(), NEVER);
    assert.equal(await model.card(NEVER), null);
    assert.equal((await model.state(NEVER)).status, "llm_unreachable");
    await using server = await modelServer({ port, answers: () => "up again" });
    const state = await model.state(NEVER);
    const up = await model.complete(aRequest(), NEVER);

    assert.equal(down.status, "unreachable");
    assert.match(down.reason, /nothing answers there/);
    assert.equal(state.status, "ready");
    assert.equal(up.status, "complete");
    assert.equal(server.asked.length, 1);
  });
});

suite("the model's name", () => {
  const list = (...ids: string[]): Reply => ({
    body: JSON.stringify({ data: ids.map((id) => ({ id })) }),
  });
  const listing = (reply: Reply) => (_method: string, path: string) =>
    path === "/v1/models" ? reply : undefined;

  test("is the first that is listed and talks, where none is configured", async () => {
    await using server = await modelServer({
      intercept: listing(list("nomic-embed-text", "bge-reranker", "qwen-coder", "llama")),
    });
    await using model = modelAt(server.url);

    assert.equal((await model.card(NEVER))?.model, "qwen-coder");
  });

  test("is the configured one, listed or not", async () => {
    await using server = await modelServer({ intercept: listing(list("a", "b")) });
    for (const name of ["b", "an-alias"]) {
      await using model = modelAt(server.url, { name });

      assert.equal((await model.card(NEVER))?.model, name);
    }
    assert.equal(server.probes.at(-1)?.body["model"], "an-alias");
  });

  test("is needed where a server has no list", async () => {
    await using server = await modelServer({ intercept: listing(failure(404, "Not Found")) });
    await using unnamed = modelAt(server.url);
    await using named = modelAt(server.url, { name: "m" });

    assert.equal(await unnamed.card(NEVER), null);
    assert.equal((await named.card(NEVER))?.model, "m");
  });

  test("that no server has any more is told, with one request", async () => {
    await using server = await modelServer({
      kind: "ollama",
      answers: () => failure(404, 'model "gone" not found, try pulling it first'),
    });
    await using model = modelAt(server.url, { name: "gone" });

    const completion = await model.complete(aRequest(), NEVER);

    assert.equal(completion.status, "unreachable");
    assert.match(completion.reason, /no such model.*try pulling it/);
    assert.equal(server.asked.length, 1);
  });
});

suite("a server that loads its model (B90)", () => {
  test("is waited for before the one request, which then is answered", async () => {
    let looks = 0;
    await using server = await modelServer({
      kind: "llama.cpp",
      intercept: (_method, path) => {
        if (path === "/health" && (looks += 1) < 3) return failure(503, "Loading model");
        return undefined;
      },
      answers: () => "loaded",
    });
    await using model = modelAt(server.url, { loadingMs: 10_000 });

    const completion = await model.complete(aRequest(), NEVER);

    assert.equal(completion.status, "complete");
    assert.equal(server.asked.length, 1);
    assert.equal(looks, 3);
  });

  test("is waited for where even its list is not there yet, and where only completions are not", async () => {
    let [lists, posts] = [0, 0];
    await using server = await modelServer({
      intercept: (method, path) => {
        if (path === "/v1/models" && (lists += 1) < 2) return failure(502, "Bad Gateway");
        if (method === "POST" && (posts += 1) < 3) return failure(503, "model is loading");
        return undefined;
      },
      answers: () => "loaded",
    });
    await using model = modelAt(server.url, { loadingMs: 10_000 });

    assert.equal((await model.complete(aRequest(), NEVER)).status, "complete");
    assert.equal(server.asked.length, 1);
  });

  test("is waited for no longer than loading may take, and its state has a name", async () => {
    await using server = await modelServer({
      intercept: () => failure(503, "Loading model"),
    });
    await using model = modelAt(server.url, { loadingMs: 600 });

    const completion = await model.complete(aRequest(), NEVER);
    const state = await model.state(NEVER);

    assert.equal(completion.status, "unreachable");
    assert.match(completion.reason, /503: Loading model/);
    assert.equal(state.status, "loading");
    assert.ok(server.requests.length < 8);
  });

  test("is left at once by whoever waits", async () => {
    await using server = await modelServer({ intercept: () => failure(503, "Loading model") });
    await using model = modelAt(server.url, { loadingMs: 60_000 });
    const leaving = new AbortController();

    const completion = model.complete(aRequest(), leaving.signal);
    await pause(50);
    leaving.abort(new Error("spent"));

    await assert.rejects(completion, /spent/);
  });

  test("after it was ready costs one request, and the next waits until it is again", async () => {
    let isLoading = false;
    await using server = await modelServer({
      intercept: (method, path) => {
        if (!isLoading) return undefined;
        if (path === "/health") isLoading = false;
        return method === "POST" || path === "/health" ? failure(503, "Loading model") : undefined;
      },
      answers: () => "here",
    });
    await using model = modelAt(server.url, { loadingMs: 10_000 });
    await model.card(NEVER);
    isLoading = true;

    const during = await model.complete(aRequest(), NEVER);
    const after = await model.complete(aRequest(), NEVER);

    assert.equal(during.status, "unreachable");
    assert.match(during.reason, /is not ready \(503\)/);
    assert.equal(after.status, "complete");
  });
});

suite("a server that goes away (B5)", () => {
  test("is found again without a new probe, once it is back", async () => {
    const first = await modelServer({ kind: "vllm", answers: () => "one" });
    await using model = modelAt(first.url);
    assert.equal((await model.complete(aRequest(), NEVER)).status, "complete");

    await first[Symbol.asyncDispose]();
    const down = await model.complete(aRequest(), NEVER);
    const state = await model.state(NEVER);
    await using second = await modelServer({
      kind: "vllm",
      answers: () => "two",
      port: portOf(first),
    });
    const up = await model.complete(aRequest(), NEVER);

    assert.equal(down.status, "unreachable");
    assert.equal(state.status, "llm_unreachable");
    assert.equal(up.status, "complete");
    assert.equal(second.probes.length, 0);
  });
});

suite("an address or a key that cannot be one", () => {
  for (const [url, problem] of [
    ["", /model.url is empty/],
    ["localhost:8000", /no http or https URL/],
    ["ftp://host/v1", /no http or https URL/],
    ["http://me:secret@host/v1", /has a password in it/],
  ] as const) {
    test(`is a bad configuration: ${url || "none"}`, () => {
      assert.throws(() => modelAt(url), {
        name: "HoneError",
        code: "bad-config",
        message: problem,
      });
    });
  }

  test("is told without its password", () => {
    assert.throws(
      () => modelAt("http://me:secret@host/v1"),
      (error: Error) => !JSON.stringify([error.message, error]).includes("secret"),
    );
  });

  test("of a server without /v1 is completed", async () => {
    await using server = await modelServer({ kind: "vllm" });
    await using model = modelAt(`${server.origin}/`);

    assert.equal((await model.card(NEVER))?.endpoint, server.url);
  });

  test("is a state that names the variable where the server refuses the key", async () => {
    await using server = await modelServer({ quirks: { key: "sk-right" } });
    await using model = modelAt(server.url, { key: "sk-wrong-one" });

    const completion = await model.complete(aRequest(), NEVER);

    assert.equal(completion.status, "unreachable");
    assert.match(completion.reason, /401.*model.key names the variable/);
    assert.doesNotMatch(completion.reason, /sk-/);
  });
});
