import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, suite, test, type TestContext } from "node:test";
import { modelContract } from "../contracts/model.contract.ts";
import { areaSkill, BAD_AREA } from "../support/area-skill.ts";
import { hone } from "../support/hone.ts";
import { aRequest, modelAt, notesInMemory } from "../support/models.ts";
import { aFreePort } from "../support/stand-in.ts";
import {
  SERVER_PACKAGE,
  SMALL_GGUF,
  withoutEmbedded,
  withoutServer,
} from "../support/small-model.ts";
import { aWorkspace } from "../support/workspace.ts";
import { writeFileSync } from "node:fs";

/*
 * A real model, of 135 million parameters, on the CPU: what must hold is the protocol, the form of
 * its answers, the budgets, and that no wrong patch of it is released. Whether it repairs anything is
 * its own affair.
 */
const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };
const NEVER = new AbortController().signal;

type Settings = Readonly<Record<string, unknown>>;

suite("embedded", { skip: withoutEmbedded() }, () => {
  test("hone asks a GGUF file for patches within its budget, and releases no wrong one", async (t) => {
    await repairs(t, { gguf: SMALL_GGUF });
  });

  test("hone eval runs to its end with it", async (t) => {
    await evaluates(t, { HONE_MODEL_GGUF: SMALL_GGUF });
  });
});

suite("served by llama.cpp's own server", { skip: withoutServer() }, () => {
  const served = withoutServer() === false ? startServer() : null;
  after(async () => await (await served)?.[Symbol.asyncDispose]());
  // What was found out is remembered, as a workspace's ledger does.
  const found = { timeoutMs: 120_000, loadingMs: 60_000, notes: notesInMemory() };
  const url = async (): Promise<string> => (await served)?.url ?? assert.fail("it is not served");

  modelContract("llama.cpp's server", {
    make: async () => modelAt(await url(), found),
  });

  test("its card says what it is and what really works", async () => {
    await using model = modelAt(await url(), found);

    const card = await model.card(NEVER);

    assert.equal(card?.server, "llama.cpp");
    assert.equal(card.mode, "json_schema");
    assert.ok(card.supports.usage && card.supports.seed);
    assert.ok(card.contextTokens > CONTEXT / 2 && card.contextTokens <= CONTEXT);
  });

  test("its answers have the form of their schema, and the same seed gives the same", async () => {
    await using model = modelAt(await url(), found);
    const ask = async (): Promise<string> => {
      const answer = await model.complete(aRequest({ answerSchema: FORM, maxTokens: 200 }), NEVER);
      return "text" in answer ? answer.text : assert.fail(answer.reason);
    };

    const [first, again] = [await ask(), await ask()];

    assert.match((JSON.parse(first) as { verdict: string }).verdict, /^(right|wrong)$/);
    assert.equal(again, first);
  });

  test("hone asks it for patches within its budget, and releases no wrong one", async (t) => {
    await repairs(t, { url: await url() });
  });

  test("hone eval runs to its end with it", async (t) => {
    await evaluates(t, { HONE_MODEL_URL: await url() });
  });
});

const FORM = {
  type: "object",
  properties: { verdict: { enum: ["right", "wrong"] }, count: { type: "integer" } },
  required: ["verdict", "count"],
  additionalProperties: false,
};

/** Two groups of two samples, of which the budget lets three requests through. */
async function repairs(t: TestContext, model: Settings): Promise<void> {
  const workspace = await aWorkspace(t, areaSkill());
  const budget = { incident: { requests: 3 } };
  await using house = await workspace.open({
    proposers: ["model"],
    model: { samples: 2, maxTokens: 160, timeoutMs: 120_000, budget, ...model },
  });
  const { operations } = house;
  await operations.call(MISSED);

  const results = [
    (await operations.improve({ skill: "area" }))["result"],
    (await operations.improve({ skill: "area" }))["result"],
  ];

  const spent = await operations.budget({});
  const [incident] = spent["incidents"] as readonly { requests: number; tokens: number }[];
  assert.ok(incident !== undefined && incident.requests >= 1 && incident.requests <= 3);
  assert.ok(incident.tokens > 100, "what the model really read and wrote");
  const value = (await operations.call(MISSED))["value"];
  const source = workspace.show("hone", "skills/area/skill.ts");
  t.diagnostic(`${results.join(", ")}; ${incident.requests} requests, ${incident.tokens} tokens`);
  if (results.includes("released")) assert.equal(value, 6);
  else assert.deepEqual([source, value], [BAD_AREA, 5]);
}

/** One easy case; whatever is released passes what was held out. */
async function evaluates(t: TestContext, env: Record<string, string>): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), "hone-test-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  writeFileSync(path.join(dir, "suite.jsonl"), `${JSON.stringify(CASE)}\n`);
  const args = ["eval", "suite.jsonl", "--proposers", "model", "--budget-ms", "15000", "--json"];

  const ended = await hone(args, {
    cwd: dir,
    env: { ...env, HONE_MODEL_SAMPLES: "2", HONE_MODEL_MAX_TOKENS: "160" },
  });

  assert.equal(ended.code, 0, ended.stderr + ended.stdout);
  const report = JSON.parse(ended.stdout) as Readonly<Record<string, number>>;
  t.diagnostic(`${report["plausible"]} plausible, ${report["correct"]} correct of one`);
  assert.equal(report["cases"], 1);
  assert.equal(report["errors"], 0);
  assert.equal(report["overfit"], 0);
  assert.ok(Number(report["candidates"]) >= 1, "the model was asked, and what it said was judged");
}

const CASE = {
  id: "larger",
  difficulty: "one-token",
  kind: "comparison",
  skill: {
    name: "larger",
    language: "js",
    source_buggy: "function larger(a, b) {\n  return a < b ? a : b;\n}\n",
    source_fixed: "function larger(a, b) {\n  return a > b ? a : b;\n}\n",
  },
  visible_tests: [
    { args: [1, 2], expect: 2 },
    { args: [5, 3], expect: 5 },
    { args: [-4, -9], expect: -4 },
  ],
  heldout_tests: [
    { args: [10, 7], expect: 10 },
    { args: [0, -1], expect: 0 },
  ],
};

/** Finding out how much fits means reading so many tokens, about a hundred a second on one core. */
const CONTEXT = 1_536;

/** The server as a user starts it: `hone model up` and a command line; ended by `hone model down`. */
async function startServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const dir = await mkdtemp(path.join(tmpdir(), "hone-test-"));
  const port = await aFreePort();
  const script = path.resolve(import.meta.dirname, "../support/serve-gguf.py");
  const command = `PYTHONPATH='${SERVER_PACKAGE}' exec python3 '${script}' '${SMALL_GGUF}' ${port} ${CONTEXT}`;
  const serve = { command, port, loadMs: 120_000 };
  writeFileSync(path.join(dir, "hone.yaml"), JSON.stringify({ model: { serve } }));
  const up = await hone(["model", "up", "--json"], { cwd: dir });
  const url = (JSON.parse(up.stdout) as { url?: string }).url ?? "";
  return {
    url,
    async [Symbol.asyncDispose]() {
      await hone(["model", "down"], { cwd: dir });
      await rm(dir, { recursive: true, force: true });
      assert.equal(up.code, 0, up.stdout);
    },
  };
}
