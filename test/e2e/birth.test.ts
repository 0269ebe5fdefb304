import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/domain/json.ts";
import { areaSkill } from "../support/area-skill.ts";
import { modelServer } from "../support/model-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

type Row = Readonly<Record<string, unknown>>;

/** Examples of a text between two bounds of a number. */
const CLAMP: readonly JsonObject[] = [
  [5, 0, 10, 5],
  [-1, 0, 10, 0],
  [11, 0, 10, 10],
  [3, 4, 9, 4],
  [7, 1, 6, 6],
  [2, 2, 8, 2],
  [100, -5, 50, 50],
  [-9, -8, -7, -8],
].map(([value = 0, low = 0, high = 0, expect = 0]) => ({ input: { value, low, high }, expect }));

const WANTED = {
  by: "Ann",
  name: "clamp-number",
  description: "Keeps a number between two bounds.",
  examples: CLAMP,
};

const QUICK = { birth: { probationDays: 7, probationRuns: 3 } };

test("a request by examples becomes a skill: proposed, approved, committed, served, taken back", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open(QUICK);
  const { operations } = hone;
  const before = workspace.git("rev-parse", "hone");

  const asked = await operations.birth(WANTED);

  assert.equal(asked["result"], "waiting-approval", JSON.stringify(asked));
  assert.equal(workspace.git("rev-parse", "hone"), before, "nothing is born by itself");
  const { waiting } = (await operations.status()) as { waiting: Row[] };
  assert.match(String(waiting[0]?.["reason"]), /a new skill: it may reach nothing/);

  const candidate = String(asked["candidate"]);
  assert.equal(asked["result"], "waiting-approval", JSON.stringify(asked));
  const { commit } = await operations.approve({ candidate, by: "Ann" });

  const answer = await operations.call({
    skill: "clamp-number",
    input: { value: 40, low: 1, high: 9 },
  });
  assert.deepEqual([answer["value"], answer["version"]], [9, commit]);
  const message = workspace.git("show", "--no-patch", "--format=%B", "hone");
  assert.match(message, /^skill\(clamp-number\): born: Keeps a number between two bounds\./);
  assert.match(message, /Hone-Gates: parse=pass policy=pass types=pass .*held-out=pass/);
  assert.match(message, /Hone-Approved-By: Ann/);
  assert.match(message, /Hone-Evidence: sha256:[0-9a-f]{64}/);
  const source = workspace.show("hone", "skills/clamp-number/skill.ts");
  assert.match(
    source,
    /^\/\*\* Keeps a number between two bounds\. \*\/\nexport function clampNumber/,
  );
  assert.equal((await operations.verify({ commit: String(commit) }))["result"], "same");
  assert.equal((await operations.test({ name: "clamp-number" }))["failed"], 0);

  await operations.rollback({ skill: "clamp-number", by: "Ann" });

  assert.deepEqual(
    workspace.git("ls-tree", "-r", "--name-only", "hone", "skills/clamp-number"),
    "",
  );
  await assert.rejects(
    operations.call({ skill: "clamp-number", input: { value: 1, low: 1, high: 1 } }),
    { code: "not-found" },
  );
  assert.equal(workspace.show(String(commit), "skills/clamp-number/skill.ts"), source);
});

test("examples that are set aside are in no file of the skill and reach no proposer", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open(QUICK);

  const asked = await hone.operations.birth(WANTED);
  await hone.operations.approve({ candidate: String(asked["candidate"]), by: "Ann" });

  assert.deepEqual([asked["visible"], asked["heldOut"]], [5, 3]);
  const cases = workspace.show("hone", "skills/clamp-number/cases.jsonl").trim().split("\n");
  assert.equal(cases.length, 5);
});

test("a new skill stands in probation until its runs agree; then it is a skill like any other", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ birth: { probationDays: 0, probationRuns: 3 } });
  const { operations } = hone;
  const asked = await operations.birth(WANTED);
  await operations.approve({ candidate: String(asked["candidate"]), by: "Ann" });
  const stands = async (): Promise<unknown> => {
    const { skills } = (await operations.skills()) as { skills: Row[] };
    return skills.find(({ name }) => name === "clamp-number")?.["stands"];
  };
  const call = { skill: "clamp-number", input: { value: 40, low: 1, high: 9 }, expect: 9 };

  await operations.call(call);
  await operations.call(call);

  assert.equal(await stands(), "probation");
  const { probation } = (await operations.status()) as { probation: Row[] };
  assert.match(String(probation[0]?.["reason"]), /2 of 2 runs reach 1, 1 runs wanting/);

  await operations.call(call);

  assert.equal(await stands(), "");
  assert.deepEqual((await operations.status())["retirement"], []);
});

test("a new skill whose first week disagrees is proposed for retirement, and only proposed", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ birth: { probationDays: 0, probationRuns: 2 } });
  const { operations } = hone;
  const asked = await operations.birth(WANTED);
  await operations.approve({ candidate: String(asked["candidate"]), by: "Ann" });

  for (const value of [1, 2]) {
    const input = { value, low: 0, high: 9 };
    await operations.call({ skill: "clamp-number", input, expect: -1 });
  }

  const { retirement } = (await operations.status()) as { retirement: Row[] };
  assert.deepEqual(
    retirement.map(({ skill }) => skill),
    ["clamp-number"],
  );
  assert.match(String(retirement[0]?.["reason"]), /did not stand its probation: 0 of 2 runs/);
  assert.equal((await operations.test({ name: "clamp-number" }))["failed"], 0, "it is still there");
});

/** Reads a number from a text, converts it, and says it: the middle two steps are always the same. */
const REPORT = `/** Says what a price is in another currency. */
export async function report(text: string, ctx: Ctx): Promise<string> {
  const price = await ctx.skills.call<{ amount: number }>("read-price", { text });
  const converted = await ctx.skills.call<number>("convert", { amount: price.amount, rate: 2 });
  return "it costs " + converted;
}

type Ctx = { skills: { call<T>(name: string, input: object): Promise<T> } };
`;

function reporting(): Record<string, string> {
  return {
    ...skillFiles("report", {
      source: REPORT,
      cases: [],
      metadata: "  capabilities: { skills: [read-price, convert] }",
    }),
    ...skillFiles("read-price", {
      source:
        "export function readPrice(text: string): { amount: number } {\n  return { amount: Number(text.slice(1)) };\n}\n",
      cases: [],
    }),
    ...skillFiles("convert", {
      source:
        "export function convert(amount: number, rate: number): number {\n  return amount * rate;\n}\n",
      cases: [],
    }),
  };
}

test("steps that many runs repeat are proposed as a skill, and made when a person says so", async (t) => {
  const workspace = await aWorkspace(t, reporting());
  await using hone = await workspace.open(QUICK);
  const { operations } = hone;
  for (const text of ["$3", "$4", "$10", "$12", "$7"]) {
    await operations.call({ skill: "report", input: { text } });
  }

  const { recurring } = (await operations.recurring()) as { recurring: Row[] };

  assert.equal(recurring.length, 1);
  assert.deepEqual(
    [recurring[0]?.["what"], recurring[0]?.["runs"], recurring[0]?.["callers"]],
    ["read-price, then convert", 5, ["report"]],
  );
  const from = String(recurring[0]?.["id"]);
  const asked = await operations.birth({ by: "Ann", from, name: "price-doubled" });
  assert.equal(asked["result"], "waiting-approval", JSON.stringify(asked));
  assert.match(String(asked["reason"]), /a new skill: \+skill read-price, \+skill convert/);

  await operations.approve({ candidate: String(asked["candidate"]), by: "Ann" });

  const answer = await operations.call({ skill: "price-doubled", input: { text: "$21" } });
  assert.equal(answer["value"], 42);
});

/** Each example has a member, in what it gives and in what it expects, that no other has. */
const ODD: readonly JsonObject[] = [3, 8, 1, 9, 4, 7, 2, 6].map((size) => ({
  input: { parcel: { size, [`mark${size}x`]: size } },
  expect: { weight: size * 2, [`seal${size}x`]: size },
}));

const WEIGH = `const marks = Object.entries(parcel).filter(([name]) => name !== "size");
const seals = marks.map(([name, value]) => [name.replace("mark", "seal"), value] as const);
return { weight: parcel.size * 2, ...Object.fromEntries(seals) };`;

test("names that only examples set aside have are in no prompt, and those examples are judged", async (t) => {
  const edits = [{ op: "body", target: "weighParcel", code: WEIGH }];
  const answers = (): string => JSON.stringify({ reason: "twice", edits });
  await using server = await modelServer({ model: "coder:7b", answers });
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({
    ...QUICK,
    proposers: ["model"],
    model: { url: server.url, samples: 2, timeoutMs: 10_000 },
  });
  const { operations } = hone;

  const asked = await operations.birth({
    by: "Ann",
    name: "weigh-parcel",
    description: "Weighs a parcel.",
    examples: ODD,
  });

  const [birth] = hone.house.store.births({ skill: "weigh-parcel" });
  assert.deepEqual([birth?.visible.length, birth?.heldOut.length], [5, 3]);
  const prompts = server.asked.map(({ body }) => JSON.stringify(body)).join("\n");
  const named = (some: unknown): string[] => JSON.stringify(some).match(/(?:mark|seal)\dx/g) ?? [];
  assert.ok(named(birth?.visible).every((name) => prompts.includes(name)));
  assert.deepEqual(
    named(birth?.heldOut).filter((name) => prompts.includes(name)),
    [],
  );
  assert.equal(JSON.stringify(birth?.wanted).includes("[name: string]: unknown"), true);
  const candidate = String(asked["candidate"]);
  assert.equal(asked["result"], "waiting-approval", JSON.stringify(asked));
  const { commit } = await operations.approve({ candidate, by: "Ann" });
  const evidence = workspace.git("notes", "--ref=hone", "show", String(commit));
  assert.match(evidence, /3 of 3 pass/);
});

test("a model is asked for a new skill too, and sees no example that was set aside", async (t) => {
  const source =
    "/** Keeps a number between two bounds. */\nexport function clampNumber(value: number, low: number, high: number): number {\n  return Math.max(low, Math.min(value, high));\n}\n";
  const edits = [{ op: "replace", target: "*", code: source }];
  const answers = (): string => JSON.stringify({ reason: "it keeps it between them", edits });
  await using server = await modelServer({ model: "coder:7b", answers });
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({
    ...QUICK,
    proposers: ["model"],
    model: { url: server.url, samples: 2, timeoutMs: 10_000 },
  });
  const { operations } = hone;

  const asked = await operations.birth(WANTED);
  const { commit } = await operations.approve({ candidate: String(asked["candidate"]), by: "Ann" });

  assert.equal(workspace.show(String(commit), "skills/clamp-number/skill.ts"), source);
  const prompts = server.asked.map(({ body }) => JSON.stringify(body)).join("\n");
  const [birth] = hone.house.store.births({ skill: "clamp-number" });
  assert.equal(birth?.heldOut.length, 3);
  assert.ok(prompts.includes("Keeps a number between two bounds."));
  for (const { args } of birth.heldOut) assert.ok(!prompts.includes(JSON.stringify(args)));
});
