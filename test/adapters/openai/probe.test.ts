import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ModelCard } from "../../../src/domain/model-card.ts";
import {
  failure,
  modelServer,
  tokensIn,
  type ModelServer,
  type ModelServerOptions,
} from "../../support/model-server.ts";
import { modelAt, notesInMemory } from "../../support/models.ts";

const NEVER = new AbortController().signal;

async function probed(options: ModelServerOptions): Promise<{
  readonly card: ModelCard;
  readonly probes: ModelServer["probes"];
}> {
  await using server = await modelServer(options);
  await using model = modelAt(server.url, { timeoutMs: 20_000 });
  const card = await model.card(NEVER);
  assert.ok(card !== null);
  return { card, probes: server.probes };
}

suite("what a probe costs", () => {
  const worst: ModelServerOptions = {
    quirks: { modes: [], n: false, logprobs: false, seed: false },
    intercept: () => undefined,
  };

  test("is six requests where all goes well", async () => {
    const { probes } = await probed({ kind: "vllm" });

    assert.equal(probes.length, 6);
  });

  test("is never more than 13 requests, 34,000 tokens of prompts and 4,000 of answers", async () => {
    const { probes } = await probed(worst);

    const prompts = probes.reduce((sum, { messages }) => sum + tokensIn(messages), 0);
    const answers = probes.reduce(
      (sum, { body }) => sum + Number(body["max_tokens"]) * Number(body["n"] ?? 1),
      0,
    );
    assert.ok(probes.length <= 13, `${probes.length} requests`);
    assert.ok(prompts <= 34_000, `${prompts} tokens`);
    assert.ok(answers <= 4_000, `${answers} tokens`);
  });
});

suite("the way to ask for JSON", () => {
  test("is json_schema where schemas are kept", async () => {
    const { card } = await probed({ quirks: { modes: ["json_schema"] } });

    assert.equal(card.mode, "json_schema");
  });

  test("is json_object where json_schema is refused and objects carry the schema", async () => {
    const { card, probes } = await probed({
      quirks: { modes: ["json_object+schema"], refused: ["json_schema"] },
    });

    assert.equal(card.mode, "json_object");
    const last = probes.findLast(({ body }) => "response_format" in body);
    assert.match(JSON.stringify(last?.body["response_format"]), /"schema":/);
  });

  test("is the server's own grammar where only that is kept", async () => {
    const { card } = await probed({ quirks: { modes: ["grammar", "json_object"] } });

    assert.equal(card.mode, "grammar");
    assert.deepEqual(
      card.degraded.filter((one) => /JSON/.test(one)),
      [],
    );
  });

  test("is json_object where nothing keeps a schema, and the card says what is lost", async () => {
    const { card } = await probed({ quirks: { modes: ["json_object"] } });

    assert.equal(card.mode, "json_object");
    assert.match(card.degraded.join("\n"), /held to JSON, but not to its schema/);
  });

  test("is plain text where json_schema is ignored and json_object is refused (B80, B87)", async () => {
    const { card } = await probed({
      kind: "lmstudio",
      quirks: { modes: [], refused: ["json_object"] },
    });

    assert.equal(card.mode, "text");
    assert.match(card.degraded.join("\n"), /not held to JSON/);
  });

  test("is plain text where every request for JSON ends in 500 (B83)", async () => {
    const broken = failure(500, "The model produced output that does not fit the grammar");
    const { card } = await probed({ shapes: () => broken });

    assert.equal(card.mode, "text");
  });

  test("is not believed for a fence around the right answer", async () => {
    const { card } = await probed({ shapes: () => '```json\n{"hue": "red", "count": 7}\n```' });

    assert.equal(card.mode, "text");
  });
});

suite("the context", () => {
  test("is what the server says, once a long prompt was read whole", async () => {
    for (const kind of ["vllm", "sglang", "llama.cpp", "lmstudio"] as const) {
      const { card } = await probed({ kind, quirks: { contextTokens: 32_768 } });

      assert.equal(card.contextTokens, 32_768);
      assert.equal(card.server, kind);
      assert.deepEqual(card.degraded, []);
    }
  });

  test("is what was read whole, where the server says nothing", async () => {
    const { card } = await probed({ kind: "unknown" });

    assert.ok(card.contextTokens > 24_000 && card.contextTokens < 25_000);
  });

  test("is what the server counted where it cuts without a word (B85)", async () => {
    const { card } = await probed({
      kind: "ollama",
      quirks: { contextTokens: 4_096, tooLong: "cut" },
    });

    assert.equal(card.contextTokens, 4_096);
    assert.match(
      card.degraded.join("\n"),
      /above about 4096 tokens are cut without a word.*OLLAMA_CONTEXT_LENGTH/,
    );
  });

  test("is found by the marker alone where a cutting server counts nothing (B86)", async () => {
    const { card } = await probed({
      kind: "ollama",
      quirks: { contextTokens: 4_096, tooLong: "cut", usage: false },
    });

    assert.ok(card.contextTokens > 3_000 && card.contextTokens < 4_096);
    assert.match(card.degraded.join("\n"), /cut without a word/);
    assert.match(card.degraded.join("\n"), /does not count tokens/);
  });

  test("is what a refusal names (B86)", async () => {
    const { card } = await probed({ quirks: { contextTokens: 2_048, tooLong: "refused" } });

    assert.equal(card.contextTokens, 2_048);
  });

  test("is what was read of a shorter prompt where a refusal names nothing (B86)", async () => {
    const { card } = await probed({ quirks: { contextTokens: 4_096, tooLong: "failed" } });

    assert.ok(card.contextTokens > 3_000 && card.contextTokens < 4_096);
    assert.equal(card.degraded.length, 1);
  });

  test("is little where the server says nothing and refuses every long prompt (B86)", async () => {
    const { card } = await probed({ quirks: { contextTokens: 1_500, tooLong: "failed" } });

    assert.equal(card.contextTokens, 1_024);
    assert.match(card.degraded.join("\n"), /could not be found out/);
  });

  test("of a server that says more than it keeps is what it keeps", async () => {
    const { card } = await probed({
      kind: "vllm",
      quirks: { contextTokens: 4_096, tooLong: "cut", toldContextTokens: 131_072 },
    });

    assert.equal(card.contextTokens, 4_096);
  });

  test("is believed with a weak model that finds no marker, as long as all is counted", async () => {
    const { card } = await probed({ kind: "vllm", markers: () => "I am a cat." });

    assert.equal(card.contextTokens, 32_768);
    assert.deepEqual(card.degraded, []);
  });

  test("is doubted where the marker is found in a short prompt and not in a long one", async () => {
    const { card } = await probed({
      kind: "vllm",
      markers: ({ messages }) => (tokensIn(messages) < 2_000 ? "walnut" : "I am a cat."),
    });

    assert.equal(card.contextTokens, 32_768);
    assert.match(card.degraded.join("\n"), /did not find what stood at the start of a long prompt/);
  });

  test("comes with the tokens that a character takes", async () => {
    const { card } = await probed({ kind: "vllm" });

    assert.ok(Math.abs(card.tokensPerCharacter - 0.25) < 0.01, String(card.tokensPerCharacter));
  });
});

suite("what a server can do besides", () => {
  test("is told by its answers", async () => {
    const all = await probed({ kind: "vllm" });
    const none = await probed({
      kind: "ollama",
      quirks: { n: false, seed: false, logprobs: false, usage: false },
    });

    assert.deepEqual(all.card.supports, { n: true, seed: true, logprobs: true, usage: true });
    assert.deepEqual(none.card.supports, { n: false, seed: false, logprobs: false, usage: false });
  });

  test("is asked for one by one where it is refused together", async () => {
    const { card } = await probed({
      words: ({ body }) =>
        "n" in body ? failure(400, "only one completion choice is allowed") : null,
    });

    assert.equal(card.supports.n, false);
    assert.equal(card.supports.logprobs, true);
  });

  for (const reasoning of ["reasoning", "reasoning_content", "<think>"] as const) {
    test(`includes reasoning in ${reasoning}`, async () => {
      const { card } = await probed({ quirks: { reasoning } });

      assert.equal(card.reasoning, reasoning);
      assert.equal(card.mode, "json_schema");
    });
  }

  test("includes how many requests it works on at a time", async () => {
    const parallel = async (kind: ModelServerOptions["kind"] & string): Promise<number> =>
      (await probed({ kind })).card.parallel;

    assert.deepEqual(
      [await parallel("vllm"), await parallel("sglang"), await parallel("llama.cpp")],
      [16, 32, 4],
    );
  });

  test("is not to be told by a count that leaves out what was cached", async () => {
    const { card } = await probed({ kind: "ollama", quirks: { countsCached: false } });

    assert.match(card.degraded.join("\n"), /leaves cached tokens out of its count/);
  });
});

suite("what was found out", () => {
  test("is remembered for a day, through restarts", async () => {
    let time = 1_000_000;
    const notes = notesInMemory();
    await using server = await modelServer({ kind: "vllm" });
    const look = async (): Promise<number | undefined> => {
      await using model = modelAt(server.url, { notes, now: () => time });
      return (await model.card(NEVER))?.probedAt;
    };

    const first = await look();
    time += 23 * 3_600_000;
    const later = await look();
    time += 2 * 3_600_000;
    const nextDay = await look();

    assert.equal(first, 1_000_000);
    assert.equal(later, first);
    assert.equal(nextDay, time);
    assert.equal(server.probes.length, 12);
  });

  test("is found out anew by a running process once it is a day old", async () => {
    let time = 0;
    await using server = await modelServer({ kind: "vllm" });
    await using model = modelAt(server.url, { now: () => time });
    await model.card(NEVER);

    time += 25 * 3_600_000;

    assert.equal((await model.card(NEVER))?.probedAt, time);
  });

  test("is found out anew for another model, and for one that is listed otherwise", async () => {
    const notes = notesInMemory();
    const look = async (options: ModelServerOptions): Promise<number> => {
      await using server = await modelServer({ ...options, port });
      await using model = modelAt(server.url, { notes });
      await model.card(NEVER);
      return server.probes.length;
    };
    let port = 0;
    {
      await using first = await modelServer({});
      port = Number(new URL(first.origin).port);
    }

    assert.ok((await look({ kind: "vllm", model: "a" })) > 0);
    assert.equal(await look({ kind: "vllm", model: "a" }), 0);
    assert.ok((await look({ kind: "vllm", model: "b" })) > 0);
    assert.ok((await look({ kind: "vllm", model: "a", quirks: { contextTokens: 8_192 } })) > 0);
  });

  test("is one probe for all who ask at once", async () => {
    await using server = await modelServer({ kind: "vllm" });
    await using model = modelAt(server.url);

    await Promise.all(Array.from({ length: 8 }, async () => await model.card(NEVER)));

    assert.equal(server.probes.length, 6);
  });

  test("is nothing where the server went away in the middle: half a probe is not believed", async () => {
    const notes = notesInMemory();
    await using server = await modelServer({ kind: "vllm", markers: () => ({ drop: "before" }) });
    await using model = modelAt(server.url, { notes });

    assert.equal(await model.card(NEVER), null);
    assert.deepEqual([...notes.keys()], []);
  });

  test("does not end because one of those who wait for it leaves", async () => {
    await using server = await modelServer({ kind: "vllm" });
    await using model = modelAt(server.url);
    const leaving = new AbortController();

    const left = model.card(leaving.signal);
    const stayed = model.card(NEVER);
    leaving.abort(new Error("no time"));

    await assert.rejects(left, /no time/);
    assert.equal((await stayed)?.server, "vllm");
  });
});
