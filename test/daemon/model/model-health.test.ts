import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { modelSettings, type ModelSettings } from "../../../src/config-model.ts";
import { parseConfig } from "../../../src/config.ts";
import { modelCallsInMemory } from "../../../src/adapters/sqlite/calls-in-memory.ts";
import { probesWithin } from "../../../src/daemon/model/budgeted-model.ts";
import { examineModel, type ModelFinding } from "../../../src/daemon/model/doctor-model.ts";
import { modelIn } from "../../../src/daemon/model/model-state.ts";
import { modelFor } from "../../../src/daemon/compose-model.ts";
import { modelServer, failure, type ModelServerOptions } from "../../support/model-server.ts";
import { aRequest, notesInMemory } from "../../support/models.ts";
import { aFolder } from "../../support/hone.ts";
import { writeFile, chmod } from "node:fs/promises";
import path from "node:path";

const NEVER = new AbortController().signal;

type Env = Readonly<Record<string, string>>;

async function examined(
  model: unknown,
  env: Env = {},
): Promise<Awaited<ReturnType<typeof examineModel>>> {
  return await examineModel(parseConfig({ model }, "a test"), { dir: null, env, signal: NEVER });
}

/** What doctor says of a server, with its changing port left out. */
async function saidOf(options: ModelServerOptions): Promise<readonly string[]> {
  await using server = await modelServer({ model: "qwen3-coder", ...options });
  const { findings } = await examined({ use: "endpoint", url: server.url });
  return findings.map(lineOf).map((line) => line.replace(server.url, "URL"));
}

/** The URL of a server that is gone. */
async function nobodysUrl(): Promise<string> {
  await using server = await modelServer();
  return server.url;
}

function lineOf({ status, found }: ModelFinding): string {
  return `${status}: ${found}`;
}

suite("what doctor says of a model", () => {
  test("is one line where nothing is degraded, by server", async () => {
    assert.deepEqual(await saidOf({ kind: "vllm" }), [
      "ok: qwen3-coder by vllm at URL; answers as json_schema; 32768 tokens of context; 16 in flight; has n, logprobs, seed, usage",
    ]);
    assert.deepEqual(
      await saidOf({ kind: "llama.cpp", quirks: { reasoning: "reasoning_content" } }),
      [
        "ok: qwen3-coder by llama.cpp at URL; answers as json_schema; reasoning in reasoning_content; 32768 tokens of context; 4 in flight; has n, logprobs, seed, usage",
      ],
    );
  });

  test("is one more for all that is degraded, with its remedy", async () => {
    const said = await saidOf({
      kind: "ollama",
      quirks: { n: false, logprobs: false, contextTokens: 4_096, tooLong: "cut" },
    });

    assert.match(
      said[0] ?? "",
      /^ok: qwen3-coder by ollama at URL; answers as json_schema; 4096 tokens/,
    );
    assert.deepEqual(said.slice(1), [
      "note: Prompts above about 4096 tokens are cut without a word; hone sends none. Set OLLAMA_CONTEXT_LENGTH=32768 for the server, or num_ctx in a Modelfile.",
    ]);
  });

  test("is a note where it does not answer: repairs go on without it (T11)", async () => {
    const url = await nobodysUrl();

    const { card, findings } = await examined({ use: "endpoint", url });

    assert.equal(card, null);
    assert.deepEqual(
      findings.map(({ status }) => status),
      ["note"],
    );
    assert.match(findings[0]?.found ?? "", /^http:\/\/127.0.0.1:\d+\/v1: nothing answers there/);
  });

  test("is why even a short prompt is refused", async () => {
    const said = await saidOf({ words: () => failure(400, "no chat template is set") });

    assert.match(said.join(), /note: .*even a short prompt is refused with 400: no chat template/);
  });

  test("is a failure where the settings cannot be meant", async () => {
    const { findings } = await examined({ use: "endpoint" });

    assert.deepEqual(findings.map(lineOf), ["failed: model.url is empty"]);
  });

  test("is that it is off, where it is", async () => {
    const { findings } = await examined("off");

    assert.deepEqual(findings.map(lineOf), ["ok: off"]);
  });
});

suite("the API key", () => {
  test("comes from the variable that is named, or from a file of one's own", async (t) => {
    const file = path.join(await aFolder(t), "key");
    await writeFile(file, "sk-from-a-file\n", { mode: 0o600 });
    await using server = await modelServer({ quirks: { key: "sk-from-a-file" } });
    const model = { use: "endpoint", url: server.url, key: "MY_KEY" };

    const byName = await examined(model, { MY_KEY: "sk-from-a-file" });
    const byFile = await examined(model, { MY_KEY_FILE: file });
    const byOther = await examined(model, { OPENAI_API_KEY: "sk-from-a-file" });

    assert.deepEqual(
      [byName, byFile, byOther].map(({ card }) => card !== null),
      [true, true, false],
    );
  });

  test("is not read from a file that others may read, and never told", async (t) => {
    const file = path.join(await aFolder(t), "key");
    await writeFile(file, "sk-from-a-file\n");
    await chmod(file, 0o644);
    const model = { use: "endpoint", url: await nobodysUrl() };

    const open = await examined(model, { OPENAI_API_KEY_FILE: file });
    const broken = await examined(model, { OPENAI_API_KEY: "sk-two\nlines" });

    assert.match(open.findings.map(lineOf).join(), /failed: .* may be read by others/);
    assert.match(broken.findings.map(lineOf).join(), /failed: .* cannot stand in a header/);
    assert.doesNotMatch(JSON.stringify([open, broken]), /sk-/);
  });
});

suite("what status says of a model", () => {
  const settings = (given: object): ModelSettings => modelSettings.parse(given);
  const surroundings = { dir: null, env: {}, notes: notesInMemory(), now: Date.now };

  test("is off, ready, loading or unreachable, without asking it for anything (B5, T11)", async () => {
    let isLoading = false;
    const server = await modelServer({
      kind: "llama.cpp",
      intercept: () => (isLoading ? failure(503, "Loading model") : undefined),
    });
    await using model = modelFor(settings({ use: "endpoint", url: server.url }), surroundings);
    const said = [await modelIn(null, NEVER), await modelIn(model, NEVER)];
    isLoading = true;
    said.push(await modelIn(model, NEVER));
    await server[Symbol.asyncDispose]();
    said.push(await modelIn(model, NEVER));

    assert.deepEqual(
      said.map((one) => one["model"]),
      ["off", "ready", "loading", "llm_unreachable"],
    );
    assert.equal(said[1]?.["served"], `scripted-model at ${server.url}`);
    assert.deepEqual(server.probes, []);
  });

  test("of a GGUF file is whether there is one", async () => {
    await using model = modelFor(settings({ use: "gguf", gguf: "/nowhere/a.gguf" }), surroundings);

    assert.deepEqual(await modelIn(model, NEVER), {
      model: "llm_unreachable",
      served: "there is no file /nowhere/a.gguf",
    });
  });
});

test("what a probe asks is in the budget, request by request, as the server counts it", async () => {
  await using server = await modelServer({});
  const settings = modelSettings.parse({ use: "endpoint", url: server.url });
  const ledger = modelCallsInMemory();
  const of = { caps: settings.budget, ledger, now: Date.now };
  const surroundings = { dir: null, env: {}, notes: notesInMemory(), now: Date.now };
  await using model = modelFor(settings, { ...surroundings, meter: probesWithin(of) });

  const card = await model?.card(NEVER);

  assert.ok(card);
  const { day } = ledger.modelCost({ incident: null, now: Date.now() });
  assert.equal(day.requests, server.probes.length);
  assert.ok(day.requests >= 5 && day.tokens > 0);
});

test("an endpoint is not probed beyond the day's caps", async () => {
  await using server = await modelServer({});
  const budget = { day: { requests: 2 } };
  const settings = modelSettings.parse({ use: "endpoint", url: server.url, budget });
  const of = { caps: settings.budget, ledger: modelCallsInMemory(), now: Date.now };
  const surroundings = { dir: null, env: {}, notes: notesInMemory(), now: Date.now };
  await using model = modelFor(settings, { ...surroundings, meter: probesWithin(of) });

  assert.equal(await model?.card(NEVER), null);

  assert.equal(server.probes.length, 2);
});

test("a model that is closed in the middle of a request leaves nothing open", async () => {
  await using server = await modelServer({ answers: () => ({ until: new Promise(() => {}) }) });
  const settings = modelSettings.parse({ use: "endpoint", url: server.url });
  const model = modelFor(settings, { dir: null, env: {}, notes: notesInMemory(), now: Date.now });
  assert.ok(model !== null);
  await model.card(NEVER);
  const completion = model.complete(aRequest(), NEVER);
  while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));

  await model[Symbol.asyncDispose]();

  assert.equal((await completion).status, "unreachable");
});
