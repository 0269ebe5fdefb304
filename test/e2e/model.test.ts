import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";
import { BAD_AREA, GOOD_AREA } from "../support/area-skill.ts";
import { type Asked, modelServer, type Reply } from "../support/model-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };
const SECRET = "k3y-of-the-house";

type Row = Readonly<Record<string, unknown>>;

/** Held-out cases have values that nothing else has, and the source is too long to count as short. */
const SPOKEN = Array.from(
  { length: 60 },
  (_, at) => `// Note ${at}: ${(at * 7_177) % 991} by hand.`,
);
const AREA = skillFiles("area", {
  source: `${BAD_AREA}${SPOKEN.join("\n")}\n`,
  cases: [{ name: "two by two", input: { width: 2, height: 2 }, expect: 4 }],
  heldOut: [
    { name: "set-aside-one", input: { width: 7919, height: 3 }, expect: 23757 },
    { name: "set-aside-two", input: { width: 6007, height: 11 }, expect: 66077 },
  ],
  metadata: `  capabilities:\n    fetch: ["api.test"]\n    secrets: [{ name: HOUSE_KEY, host: api.test, header: x-house }]`,
});
const HELD_OUT = /7919|23757|6007|66077|set-aside/;

/** A house that is repaired by a model alone. */
async function aHouse(t: { after(release: () => void): void }, model: Row, settings: Row = {}) {
  const workspace = await aWorkspace(t, AREA);
  workspace.write({ "secrets.env": `HOUSE_KEY=${SECRET}\n` });
  chmodSync(path.join(workspace.dir, "secrets.env"), 0o600);
  const hone = await workspace.open({
    proposers: ["model"],
    model: { samples: 3, timeoutMs: 10_000, ...model },
    secrets: { file: "secrets.env" },
    ...settings,
  });
  return { workspace, hone };
}

function patchOf(code: string, reason = "it adds where it has to multiply"): string {
  return JSON.stringify({ reason, edits: [{ op: "replace", target: "*", code }] });
}

function promptsOf({ asked }: { readonly asked: readonly Asked[] }): string {
  return asked.map(({ body }) => JSON.stringify(body)).join("\n");
}

test("a model's patch goes the way of all: gates, commit that names it, next call, and back", async (t) => {
  await using server = await modelServer({ model: "coder:7b", answers: () => patchOf(GOOD_AREA) });
  const { workspace, hone } = await aHouse(t, { url: server.url });
  await using _ = hone;
  const { operations } = hone;
  await operations.call(MISSED);

  const { result, reason, commit } = await operations.improve({ skill: "area" });
  const again = await operations.call(MISSED);

  assert.deepEqual(
    [result, again["value"], again["version"]],
    ["released", 6, commit],
    String(reason),
  );
  assert.equal(server.asked.length, 3, "one request for each sample");
  const trailers = workspace.git("show", "--no-patch", "--format=%(trailers)", "hone");
  assert.match(trailers, /^Hone-Proposer: model\/sample$/m);
  assert.match(trailers, /^Hone-Model: coder:7b$/m);
  assert.match(trailers, /^Hone-Prompt: sha256:[0-9a-f]{64}$/m);
  assert.match(trailers, /held-out=pass/);
  const { origin } = JSON.parse(workspace.git("notes", "--ref", "hone", "show", "hone")) as {
    origin: { model: Row };
  };
  assert.equal(origin.model["name"], "coder:7b");

  await operations.rollback({ skill: "area", by: "Ann" });
  const back = await operations.call(MISSED);

  assert.equal(back["value"], 5);
  assert.ok(workspace.show("hone", "skills/area/skill.ts").startsWith(BAD_AREA));
});

test("no prompt has a held-out case, a secret, a budget or the reward in it; what was tried is there (B7, B8, T4)", async (t) => {
  const wrong = patchOf(BAD_AREA.replace("+", "-"), "it subtracts now");
  await using server = await modelServer({
    answers: ({ index }) => (index % 2 === 0 ? wrong : "?"),
  });
  const { hone } = await aHouse(t, { url: server.url });
  await using _ = hone;
  await hone.operations.call(MISSED);

  const first = await hone.operations.improve({ skill: "area" });
  const before = server.asked.length;
  const second = await hone.operations.improve({ skill: "area" });

  assert.deepEqual([first["result"], second["result"]], ["no-change", "no-change"]);
  const prompts = promptsOf(server);
  assert.match(prompts, /expected 6, got 5/);
  assert.match(promptsOf({ asked: server.asked.slice(before) }), /it subtracts now/);
  assert.doesNotMatch(prompts, HELD_OUT);
  assert.doesNotMatch(prompts, new RegExp(`${SECRET}|HOUSE_KEY|x-house`));
  assert.doesNotMatch(prompts, /budget|attempts left|held.?out|candidates|threshold|reward/i);
  assert.ok(
    server.asked.length <= 4 * 3,
    "a sample and one turn for each, in two groups (B10, T12)",
  );
});

test("how a model is asked is learnt from what its samples came to, and outlives hone", async (t) => {
  const wrong = patchOf(BAD_AREA.replace("+", "-"), "it subtracts now");
  // Whoever is told to follow the case finds it; nobody else does.
  const answers = ({ messages }: Asked): string =>
    (messages.at(-1)?.content ?? "").includes("step by step") ? patchOf(GOOD_AREA) : wrong;
  await using server = await modelServer({ model: "coder", answers });
  const { workspace, hone } = await aHouse(t, { url: server.url, samples: 32 });
  {
    await using _ = hone;
    await hone.operations.call(MISSED);
    assert.equal((await hone.operations.improve({ skill: "area" }))["result"], "released");
  }

  await using again = await workspace.open({ model: { url: server.url } });
  const { arms } = (await again.operations.budget({})) as unknown as { arms: readonly Row[] };

  assert.equal(
    arms.reduce((sum, { pulls }) => sum + Number(pulls), 0),
    32,
  );
  for (const { arm, won, failureClass } of arms) {
    assert.equal(won, String(arm).endsWith(" trace") ? 1 : 0, String(arm));
    assert.equal(failureClass, "wrong-value");
  }
  const { model } = again.house.store.candidates({ state: "released", limit: 1 })[0]?.candidate
    .origin ?? { model: null };
  assert.ok((model?.samples?.length ?? 0) >= 1);
});

suite("nothing is released for an answer that", () => {
  const byHeart = BAD_AREA.replace(
    "  return",
    "  if (width === 2 && height === 3) return 6;\n  if (width === 2 && height === 2) return 4;\n  return",
  );
  const bad: Readonly<Record<string, string | Reply>> = {
    "gives the visible answers by heart (B8, B12)": patchOf(byHeart),
    "is the source as it was (T2)": patchOf(BAD_AREA),
    "is a comment (T2)": patchOf(`${BAD_AREA}// Looks right to me.\n`),
    "is nonsense (B93)": "I would rather bake a cake.",
    "is empty": "",
    "reaches further": patchOf(`${GOOD_AREA}export const seen = process.env;\n`),
    "catches all": patchOf(
      BAD_AREA.replace("return width + height", "try { return width + height } catch { return 6 }"),
    ),
    "is cut off (B84)": { text: patchOf(GOOD_AREA), finish: "length" },
    "came to a prompt that was cut (B85)": {
      text: patchOf(GOOD_AREA),
      usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
    },
    "is a 500 that complains of the output (B83)": {
      status: 500,
      body: '{"error":{"message":"Failed to parse grammar"}}',
    },
    "has what type stripping refuses (B70)": patchOf(`enum Kind { A }\n${GOOD_AREA}`),
  };
  for (const [what, answer] of Object.entries(bad)) {
    test(what, async (t) => {
      await using server = await modelServer({ answers: () => answer });
      const { workspace, hone } = await aHouse(t, { url: server.url, samples: 2 });
      await using _ = hone;
      const head = workspace.git("rev-parse", "hone");
      await hone.operations.call(MISSED);

      const { result } = await hone.operations.improve({ skill: "area" });

      assert.notEqual(result, "released");
      assert.equal(workspace.git("rev-parse", "hone"), head);
      assert.ok(server.asked.length <= 4, "a sample and one turn more for each (T12)");
      const kept = hone.house.store.candidates({ limit: 9 });
      assert.ok(kept.length > 0, "each attempt is recorded");
      assert.ok(kept.every(({ candidate }) => candidate.origin.proposer === "model"));
    });
  }
});

suite("an endpoint that is down", () => {
  test("is a named state with a growing pause, and it recovers by itself (B5, T11)", async (t) => {
    const gone = await modelServer({});
    const port = Number(new URL(gone.url).port);
    await gone[Symbol.asyncDispose]();
    const pauses = { improve: { automatic: false, budgetMs: 10_000, backoffMs: 1_000 } };
    const { workspace, hone } = await aHouse(t, { url: gone.url }, pauses);
    await using _ = hone;
    const head = workspace.git("rev-parse", "hone");
    await hone.operations.call(MISSED);

    const waits: number[] = [];
    for (let time = 0; time < 2; time += 1) {
      const at = Date.now();
      const { result, reason } = await hone.operations.improve({ skill: "area" });
      assert.equal(result, "infra-error");
      assert.match(String(reason), /llm_unreachable/);
      const [incident] = hone.house.store.incidents({ skill: "area", limit: 1 });
      waits.push((incident?.retryAt ?? 0) - at);
    }
    assert.ok((waits[1] ?? 0) > (waits[0] ?? 0), String(waits));
    assert.equal(workspace.git("rev-parse", "hone"), head);
    assert.equal(hone.house.store.candidates({ limit: 9 }).length, 0);

    await using _server = await modelServer({ port, answers: () => patchOf(GOOD_AREA) });
    const { result } = await hone.operations.improve({ skill: "area" });

    assert.equal(result, "released");
  });

  test("keeps no other proposer from its work", async (t) => {
    const gone = await modelServer({});
    await gone[Symbol.asyncDispose]();
    const proposers = ["model", "search"];
    const { hone } = await aHouse(t, { url: gone.url }, { proposers });
    await using _ = hone;
    await hone.operations.call(MISSED);

    const { result } = await hone.operations.improve({ skill: "area" });

    assert.equal(result, "released");
  });
});
