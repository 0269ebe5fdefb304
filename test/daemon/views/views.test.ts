import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { OpenWorkspace } from "../../../src/daemon/compose.ts";
import { incidentOf } from "../../../src/domain/incident.ts";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Run } from "../../../src/domain/task.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "../../support/workspace.ts";

const FAULTY = "export function double(n: number): number {\n  return n * 3;\n}\n";
const FILES = skillFiles("double", {
  source: FAULTY,
  cases: [{ name: "zero", input: { n: 0 }, expect: 0 }],
  heldOut: [
    { name: "h1", input: { n: 731_904_650_001 }, expect: 1_463_809_300_002 },
    { name: "h2", input: { n: 731_904_650_002 }, expect: 1_463_809_300_004 },
  ],
});

let files: TestWorkspace;
let workspace: OpenWorkspace;
let ends: (() => void)[];

before(async () => {
  ends = [];
  files = await aWorkspace({ after: (end) => ends.push(end) }, FILES);
  workspace = await files.open();
});

after(async () => {
  await workspace[Symbol.asyncDispose]();
  for (const end of ends) end();
});

test("an incident shows its runs, the suspicious lines and every candidate with its gates", async () => {
  const { operations } = workspace;
  for (const n of [2, 5, 9])
    await operations.call({ skill: "double", input: { n }, expect: 2 * n });
  const repaired = await operations.improve({ skill: "double" });
  const [{ incident: id }] = repaired["attempts"] as [{ incident: string }];

  const shown = await operations.incident({ id });

  assert.equal(shown["incident"], id);
  assert.equal(shown["source"], FAULTY);
  const { suspicious, failing } = shown["diagnosis"] as {
    suspicious: readonly JsonObject[];
    failing: JsonObject;
  };
  assert.ok(suspicious.some(({ text }) => text === "  return n * 3;"));
  assert.equal(failing["name"] === "", false);
  assert.deepEqual((shown["examples"] as readonly JsonObject[])[0]?.["input"], { n: 9 });
  const [group] = shown["groups"] as readonly { candidates: readonly JsonObject[] }[];
  const gated = group?.candidates.map(({ gates }) => gates as readonly JsonObject[]) ?? [];
  assert.ok(gated.length > 0);
  assert.ok(
    gated.every((gates) => gates.every(({ gate, status }) => gate !== "" && status !== "")),
  );
});

test("a candidate shows its source, the one before, and what it may reach that that may not", async () => {
  const { operations } = workspace;
  const { candidate: id } = (await anImproved()) as { candidate: string };

  const shown = await operations.candidate({ id });

  assert.equal(shown["parentSource"], FAULTY);
  assert.notEqual(shown["source"], FAULTY);
  assert.deepEqual(shown["capabilities"], []);
  assert.equal(shown["file"], "skill.ts");
  assert.ok((shown["gates"] as readonly unknown[]).length > 3);
});

test("releases are listed page by page, and evidence is what the commit names", async () => {
  const { operations } = workspace;
  const { commit } = (await anImproved()) as { commit: string };

  const page = await operations.releases({ skill: "double", limit: 1 });
  const older = await operations.releases({ limit: 10, before: String(page["next"]) });
  const evidence = await operations.evidence({ commit });

  assert.equal((page["releases"] as readonly JsonObject[])[0]?.["commit"], commit);
  assert.deepEqual(older["releases"], []);
  assert.equal(evidence["isWhole"], true);
  assert.equal((evidence["evidence"] as JsonObject)["skill"], "double");
  await assert.rejects(
    operations.evidence({ commit: files.git("rev-list", "--max-parents=0", "HEAD") }),
    {
      code: "not-found",
    },
  );
});

test("runs are listed newest first, page by page", async () => {
  const { operations } = workspace;
  const first = await operations.runs({ skill: "double", limit: 2 });
  const [one, two] = first["runs"] as readonly { run: string; startedAt: number }[];
  const second = await operations.runs({
    skill: "double",
    limit: 500,
    before: String(first["next"]),
  });
  const whole = await operations.run({ id: one?.run ?? "" });

  assert.ok((one?.startedAt ?? 0) >= (two?.startedAt ?? 0));
  const rest = (second["runs"] as readonly { run: string }[]).map(({ run }) => run);
  assert.ok(rest.length > 0 && !rest.includes(one?.run ?? "") && !rest.includes(two?.run ?? ""));
  assert.equal(second["next"], null);
  assert.ok(isObject(whole["trace"]) && whole["heldOut"] === false);
  await assert.rejects(operations.run({ id: "run_none" }), { code: "not-found" });
});

test("what is held out is told by none of them, a run that is set aside included", async () => {
  await anImproved();
  const { operations, house } = workspace;
  const secret = 70_003;
  const task = {
    id: "aside",
    skill: "double",
    input: { n: secret },
    expectation: null,
    source: "api",
    createdAt: 1,
  } as const;
  const skill = await house.library.active("double");
  const environment = { now: 1, seed: 1 };
  const usage = { wallMs: 1, cpuMs: 1, heapBytes: 1 };
  const outcome = { status: "returned", value: secret * 2 } as const;
  const trace = { environment, grants: [], steps: [], logs: [], outcome, usage };
  const reward = { status: "scored", score: 0.25, parts: [] } as unknown as JsonObject;
  house.store.addRun({
    id: "run_aside",
    taskId: task.id,
    skill: "double",
    version: skill.version,
    input: task.input,
    expectation: null,
    trace,
    reward: reward as never,
    startedAt: 1,
    isHeldOut: true,
  });

  const { incidents } = (await operations.incidents({ all: true })) as {
    incidents: { id: string }[];
  };
  const { releases } = (await operations.releases({})) as { releases: { commit: string }[] };
  const shown = [
    await operations.run({ id: "run_aside" }),
    await operations.runs({ skill: "double", limit: 500 }),
    await operations.skill({ name: "double" }),
    await operations.why({ skill: "double" }),
    await operations.releases({}),
  ];
  for (const { id } of incidents) {
    const incident = await operations.incident({ id });
    shown.push(incident);
    for (const { candidates } of incident["groups"] as unknown as {
      candidates: { candidate: string }[];
    }[]) {
      for (const { candidate } of candidates)
        shown.push(await operations.candidate({ id: candidate }));
    }
  }
  for (const { commit } of releases) shown.push(await operations.evidence({ commit }));

  assert.ok(shown.length >= 8);
  assert.equal(shown[0]?.["heldOut"], true);
  const said = shown.map((each) => JSON.stringify(each)).join("\n");
  for (const value of [
    731_904_650_001,
    731_904_650_002,
    secret,
    1_463_809_300_002,
    1_463_809_300_004,
    secret * 2,
  ]) {
    assert.ok(!said.includes(String(value)), `${value} is told`);
  }
});

test("T15: a pinned skill is served at that version, its record names it, and it is not improved unasked", async () => {
  const { operations, house } = workspace;
  const { commit } = (await anImproved()) as { commit: string };
  const { versions } = (await operations.log({ skill: "double" })) as {
    versions: { commit: string }[];
  };
  const oldest = versions.at(-1)?.commit ?? "";

  const pinned = await operations.pin({ skill: "double", version: oldest.slice(0, 12), by: "Ada" });
  const before = await operations.call({ skill: "double", input: { n: 4 } });
  const status = await operations.status();
  const unpinned = await operations.unpin({ skill: "double", by: "Ada" });
  const now = await operations.call({ skill: "double", input: { n: 4 } });

  assert.deepEqual([pinned["version"], pinned["active"]], [oldest, commit]);
  assert.deepEqual([before["version"], before["value"]], [oldest, 12]);
  assert.deepEqual([unpinned["version"], now["version"], now["value"]], [commit, commit, 8]);
  assert.partialDeepStrictEqual(status["pins"], [{ skill: "double", version: oldest, by: "Ada" }]);
  const told = house.store.events(0, 10_000).map(({ kind }) => kind);
  assert.ok(told.includes("skill.pinned") && told.includes("skill.unpinned"));
  for (const version of ["--all", "HEAD", "", "0".repeat(40)]) {
    await assert.rejects(
      operations.pin({ skill: "double", version, by: "Ada" }),
      /no commit|not|unknown/i,
    );
  }
  await assert.rejects(operations.unpin({ skill: "double", by: "Ada" }), { code: "refused" });
});

test("a task that is queued or under way is cancelled, one that is done is not", async (t) => {
  const slow = skillFiles("slow", {
    source: "export function slow(): number {\n  for (;;);\n}\n",
    cases: [],
  });
  const own = await aWorkspace(t, slow);
  await using other = await own.open();
  const { operations, house } = other;
  other.queued.listener = async () => undefined;
  await operations.submit({
    tasks: ["one", "two"].map((id) => ({ id, skill: "slow", input: {} })),
  });

  const queued = await operations.cancel({ id: "two", by: "Ada" });
  const { drain } = await import("../../../src/daemon/work.ts");
  const working = drain(other);
  while (!other.underWay.has("one")) await new Promise(setImmediate);
  const running = await operations.cancel({ id: "one", by: "Ada" });
  await working;

  for (const answer of [queued, running]) assert.equal(answer["result"], "cancelled");
  for (const id of ["one", "two"]) {
    const { state, error } = await operations.task({ id });
    assert.deepEqual([state, error], ["failed", "cancelled by Ada"]);
    await assert.rejects(operations.cancel({ id, by: "Bob" }), { code: "refused" });
  }
  assert.equal(house.store.countTasks().running, 0);
  await assert.rejects(operations.cancel({ id: "none", by: "Bob" }), { code: "not-found" });
});

/** The one repair of this file, made when it is first needed. */
async function anImproved(): Promise<JsonObject> {
  const { operations } = workspace;
  const [release] = (await operations.releases({ skill: "double" }))["releases"] as readonly {
    commit: string;
    candidateId: string;
  }[];
  if (release !== undefined) return { commit: release.commit, candidate: release.candidateId };
  await operations.call({ skill: "double", input: { n: 2 }, expect: 4 });
  return await operations.improve({ skill: "double" });
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

test("an incident that a run which is set aside has opened tells nothing of its result", () => {
  const run = {
    ...ASIDE,
    trace: { ...ASIDE.trace, outcome: { status: "returned", value: "secret" } },
  };

  const incident = incidentOf(run as unknown as Run, "inci_1");

  assert.ok(!JSON.stringify(incident).includes("secret"));
  assert.match(incident.summary, /set aside/);
});

const ASIDE = {
  id: "run_1",
  taskId: "task_1",
  skill: "double",
  version: "v1",
  input: { n: "secret" },
  expectation: null,
  trace: { steps: [], logs: [] },
  reward: { status: "scored", score: 1 },
  startedAt: 1,
  isHeldOut: true,
};
