import assert from "node:assert/strict";
import { test } from "node:test";
import { areaSkill, BAD_AREA } from "../support/area-skill.ts";
import { webServer } from "../support/web-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const CALL = { skill: "area", input: { width: 2, height: 3 } };
const JUDGED = "  reward: { parts: [{ use: mine }] }";

type Row = Readonly<Record<string, unknown>>;

const LIES = ["true", '"1"', "NaN", "Infinity", "1.5", "-0.1", "{ score: true }"];

test("a reward of the workspace that answers no score is a bad reward and no success", async (t) => {
  const files = LIES.map((answer, at) => ({
    ...skillFiles(`liar${at}`, {
      source: BAD_AREA.replace("area", `liar${at}`),
      cases: [],
      metadata: `  reward: { parts: [{ use: lie${at} }] }`,
    }),
    [`rewards/lie${at}.ts`]: `export function lie(trace: object): unknown {\n  return ${answer};\n}\n`,
  }));
  const workspace = await aWorkspace(t, Object.assign({}, ...files) as Record<string, string>);
  await using hone = await workspace.open();

  for (const [at, answer] of LIES.entries()) {
    const { reward } = await hone.operations.call({ ...CALL, skill: `liar${at}` });
    const { versions } = (await hone.operations.log({ skill: `liar${at}` })) as { versions: Row[] };

    assert.equal((reward as Row)["status"], "bad-reward", answer);
    assert.equal(versions[0]?.["meanReward"], null, answer);
  }

  const { badReward, openIncidents } = await hone.operations.status();
  assert.deepEqual([badReward, openIncidents], [LIES.length, 0]);
});

test("a reward of the workspace opens an incident, and the release reaches it", async (t) => {
  const isProduct =
    'type Trace = { outcome: { status: string; value?: unknown } };\ntype Context = { input: { width: number; height: number } };\n\nexport function mine(trace: Trace, context: Context): number | null {\n  const { outcome } = trace;\n  if (outcome.status !== "returned") return null;\n  return outcome.value === context.input.width * context.input.height ? 1 : 0;\n}\n';
  const workspace = await aWorkspace(t, {
    ...areaSkill({ metadata: JUDGED }),
    "rewards/mine.ts": isProduct,
  });
  await using hone = await workspace.open();
  const { reward } = await hone.operations.call(CALL);

  const { result } = await hone.operations.improve({ skill: "area" });

  assert.deepEqual((reward as Row)["score"], 0);
  assert.equal(result, "released");
  assert.match(workspace.show("hone", "skills/area/skill.ts"), /width \* height|height \* width/);
});

test("a file that is no reward makes bad rewards that name its fault, and loses no run", async (t) => {
  const workspace = await aWorkspace(t, {
    ...areaSkill({ metadata: JUDGED }),
    "rewards/mine.ts": "export const mine = 1;\n",
  });
  await using hone = await workspace.open();

  const { value, reward } = await hone.operations.call(CALL);

  assert.equal(value, 5);
  assert.equal((reward as Row)["status"], "bad-reward");
  assert.match(String((reward as Row)["reason"]), /mine\.ts is no reward: line 1/);
});

test("a run that times out or throws scores exactly 0, whatever a part would say", async (t) => {
  const workspace = await aWorkspace(t, {
    ...areaSkill({ source: BAD_AREA.replace("return", "for (;;);\n  return") }),
    "skills/area/SKILL.md":
      "---\nname: area\ndescription: x\nmetadata:\n  limits: { timeoutMs: 100 }\n---\n",
  });
  await using hone = await workspace.open();

  const { status, reward } = await hone.operations.call({ ...CALL, expect: 6 });

  assert.equal(status, "timed-out");
  assert.equal((reward as Row)["score"], 0);
});

test("a task that asks for what is not there is at fault once the endpoint serves others", async (t) => {
  await using server = await webServer((request, response) => {
    const isThere = request.url === "/items/1";
    response.statusCode = isThere ? 200 : 404;
    response.end(isThere ? '{"name":"one"}' : '{"error":"not found"}');
  });
  const workspace = await aWorkspace(t, itemSkill(server.origin, server.host));
  await using hone = await workspace.open({ improve: { budgetMs: 2_000 } });
  const { operations } = hone;
  await operations.call({ skill: "item", input: { id: "99" } });
  const alone = await operations.improve({ skill: "item" });
  await operations.call({ skill: "item", input: { id: "1" } });

  const beside = await operations.improve({ skill: "item" });

  assert.notEqual(alone["result"], "released");
  assert.equal(beside["result"], "invalid-task");
  const [incident] = hone.house.store.incidents({ limit: 5 });
  assert.equal(incident?.state, "invalid-task");
  assert.match(incident?.note ?? "", /the task is at fault/);
  assert.equal(hone.house.store.groups(incident?.id ?? "").length, 1);
  assert.deepEqual((await operations.incidents({}))["incidents"], []);
  assert.equal(workspace.git("rev-list", "--count", "hone"), "1");
});

function itemSkill(origin: string, host: string): Record<string, string> {
  return skillFiles("item", {
    source: `type Ctx = { fetch(url: string): Promise<{ ok: boolean; status: number; json(): Promise<{ name: string }> }> };

export async function item(id: string, ctx: Ctx): Promise<string> {
  const answer = await ctx.fetch(\`${origin}/items/\${id}\`);
  if (!answer.ok) throw new Error(\`the server answered \${answer.status}\`);
  const { name } = await answer.json();
  return name;
}
`,
    metadata: `  capabilities: { fetch: ["${host}"] }\n  reward: { parts: [{ use: api }] }`,
    cases: [],
  });
}
