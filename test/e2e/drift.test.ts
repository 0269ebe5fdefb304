import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { daySkill } from "../support/day/day-skills.ts";
import { aVendor as aPagingVendor } from "../support/day/vendor.ts";
import { webServer, type WebServer } from "../support/web-server.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "../support/workspace.ts";

type Row = Readonly<Record<string, unknown>>;

/** An API that says how high things are, and what it may do to who asks. */
type Vendor = {
  /** The version that is up; the one before is gone and says where to. */
  version: 1 | 2;
  /** Answers 429 this many times before it answers. */
  busy: number;
  /** How long it wants not to be asked then, in seconds. */
  retryAfter: number;
  /** Version 2 does not know the unit any more. */
  isSpoilt: boolean;
  asked: string[];
};

const HEIGHTS: Readonly<Record<string, number>> = { door: 2, wall: 3, tower: 40, hill: 120 };

test("an API that moved is followed, and the whole suite holds offline again", async (t) => {
  const { workspace, hone, vendor, server } = await aVendor(t);
  await using _ = hone;
  const before = workspace.show("hone", CASES);
  vendor.version = 2;
  assert.equal((await hone.operations.call(height("tower")))["status"], "threw");

  const { result, commit, reason } = await hone.operations.improve({ skill: "height" });

  assert.equal(result, "released", String(reason));
  assert.match(
    String(reason),
    /^\/v1\/tower moved to \/v2\/tower, as Link rel="successor-version"/,
  );
  assert.equal((await hone.operations.call(height("tower")))["value"], "40 m");
  await server[Symbol.asyncDispose]();
  assert.deepEqual(await tested(hone), [3, 0]);
  const { result: verified } = await hone.operations.verify({ commit: String(commit) });
  assert.equal(verified, "same");
  const [first, second] = workspace.show("hone", CASES).split("\n").map(parsed);
  const [old] = before.split("\n").map(parsed);
  assert.deepEqual({ ...first, capabilities: null }, { ...old, capabilities: null });
  const matches = rulesOf(first).map(({ match }) => match);
  assert.deepEqual(matches, [`GET ${server.origin}/v1/door`, `GET ${server.origin}/v2/door`]);
  assert.equal(rulesOf(second).length, 2);
});

test("a rate limit that a live run met is repaired, and the case says what came after it", async (t) => {
  const { workspace, hone, vendor, server } = await aVendor(t);
  await using _ = hone;
  Object.assign(vendor, { busy: 1, retryAfter: 0 });
  assert.equal((await hone.operations.call(height("tower")))["status"], "threw");

  const { result, reason } = await hone.operations.improve({ skill: "height" });

  assert.equal(result, "released", String(reason));
  const added = parsed(workspace.show("hone", CASES).trimEnd().split("\n").at(-1) ?? "");
  const statuses = rulesOf(added).map(({ status, times }) => [status, times]);
  assert.deepEqual(statuses, [
    [429, 1],
    [200, undefined],
  ]);
  await server[Symbol.asyncDispose]();
  assert.deepEqual(await tested(hone), [3, 0]);
});

test("a busy server is waited for while a candidate is verified, and asked once", async (t) => {
  const { hone, vendor } = await aVendor(t);
  await using _ = hone;
  vendor.version = 2;
  await hone.operations.call(height("tower"));
  Object.assign(vendor, { busy: 2, retryAfter: 0, asked: [] });

  const { result, reason } = await hone.operations.improve({ skill: "height" });

  assert.equal(result, "released", String(reason));
  const tower = vendor.asked.filter((path) => path === "/v2/tower");
  assert.ok(tower.length <= 3, `asked ${tower.length} times`);
});

test("a server that stays busy gives no verdict, and the same candidate passes later", async (t) => {
  const { hone, vendor } = await aVendor(t);
  await using _ = hone;
  vendor.version = 2;
  await hone.operations.call(height("tower"));
  Object.assign(vendor, { busy: Infinity, retryAfter: 3_600 });

  const early = await hone.operations.improve({ skill: "height" });
  vendor.busy = 0;
  const late = await hone.operations.improve({ skill: "height" });

  assert.notEqual(early["result"], "released");
  assert.equal(late["result"], "released", String(late["reason"]));
});

test("an incident that a person's commit has mended is closed, and nothing is proposed", async (t) => {
  const { workspace, hone, vendor } = await aVendor(t);
  await using _ = hone;
  vendor.version = 2;
  await hone.operations.call(height("tower"));
  const source = workspace.show("hone", SOURCE);
  const theirs = workspace.commit({ [SOURCE]: source.replace("/v1/", "/v2/"), [CASES]: "" });

  const { result } = await hone.operations.improve({ skill: "height" });

  assert.equal(result, "closed");
  assert.equal(workspace.git("rev-parse", "hone"), theirs);
});

test("a release whose reward falls, but suffices, is taken back when the version before does better", async (t) => {
  const { workspace, hone, vendor } = await aVendor(t);
  await using _ = hone;
  for (let run = 0; run < 15; run += 1) await hone.operations.call(height("hill"));
  const good = workspace.show("hone", SOURCE);
  vendor.version = 2;
  await hone.operations.call(height("tower"));
  const { commit } = await hone.operations.improve({ skill: "height" });
  Object.assign(vendor, { version: 1, isSpoilt: true });

  const answers: Row[] = [];
  while (answers.length < 60 && stateOf(hone, commit) === "watching") {
    const calls = Array.from({ length: 6 }, () => hone.operations.call(height("wall")));
    answers.push(...(await Promise.all(calls)));
  }

  assert.ok(answers.every(({ status }) => status === "returned"));
  assert.equal(stateOf(hone, commit), "rolled-back");
  assert.equal(workspace.show("hone", SOURCE), good);
  assert.equal((await hone.operations.status())["openIncidents"], 0);
  const told = hone.house.store.events(0, 1_000).map(({ kind }) => kind);
  assert.equal(told.filter((kind) => kind === "release.rolled-back").length, 1);
  assert.ok(!told.includes("release.kept"), "what was taken back was never kept");
});

test("answers that nobody judged are no reason to keep the mistake they share with the one judged", async (t) => {
  await using vendor = await aPagingVendor();
  const skill = daySkill("order-total");
  const workspace = await aWorkspace(t, skill.files(vendor.origin));
  await using hone = await workspace.open();
  vendor.drift("paged");
  const of = { skill: skill.name };
  await hone.operations.call({ ...of, input: { id: 4 } });
  const judged = { input: { id: 0 }, expect: skill.truth({ id: 0 }) };
  await hone.operations.call({ ...of, ...judged });

  const { result, reason } = await hone.operations.improve(of);

  assert.equal(result, "released", String(reason));
  assert.match(String(reason), /further pages/);
  const { value } = await hone.operations.call({ ...of, input: { id: 4 } });
  assert.equal(value, skill.truth({ id: 4 }));
});

const SOURCE = "skills/height/skill.ts";
const CASES = "skills/height/cases.jsonl";

/** A workspace with a skill that asks the vendor, open, with all it needs to be released alone. */
async function aVendor(t: Parameters<typeof aWorkspace>[0]): Promise<{
  readonly workspace: TestWorkspace;
  readonly hone: OpenWorkspace;
  readonly vendor: Vendor;
  readonly server: WebServer;
}> {
  const vendor: Vendor = { version: 1, busy: 0, retryAfter: 0, isSpoilt: false, asked: [] };
  const server = await webServer(({ url = "" }, response) => {
    vendor.asked.push(url);
    const [, version = "", of = ""] = url.split("/");
    const isUp = version === `v${vendor.version}` || (vendor.isSpoilt && version === "v2");
    if (!isUp) {
      const link = `</v${vendor.version}/${of}>; rel="successor-version"`;
      response.writeHead(410, { link }).end("gone");
    } else if (vendor.busy > 0) {
      vendor.busy -= 1;
      response.writeHead(429, { "retry-after": String(vendor.retryAfter) }).end("busy");
    } else {
      const unit = version === "v2" && vendor.isSpoilt ? "" : "m";
      response.end(JSON.stringify({ height: HEIGHTS[of], unit }));
    }
  });
  t.after(() => server[Symbol.asyncDispose]());
  const workspace = await aWorkspace(t, asking(server));
  return { workspace, hone: await workspace.open(), vendor, server };
}

function asking({ origin, host }: WebServer): Record<string, string> {
  const recorded = (of: string): object => ({
    name: of,
    input: { of },
    expect: `${HEIGHTS[of]} m`,
    capabilities: {
      fetch: [{ match: `GET ${origin}/v1/${of}`, body: { height: HEIGHTS[of], unit: "m" } }],
    },
  });
  return skillFiles("height", {
    source: `type Ctx = {
  fetch(url: string): Promise<{
    ok: boolean;
    status: number;
    headers: { get(name: string): string | null };
    json(): Promise<{ height: number; unit: string }>;
  }>;
  clock: { now(): number; sleep(ms: number): Promise<unknown> };
};

export async function height(of: string, ctx: Ctx): Promise<string> {
  const response = await ctx.fetch(\`${origin}/v1/\${of}\`);
  if (!response.ok) throw new Error(\`HTTP \${response.status}\`);
  const answer = await response.json();
  return \`\${answer.height} \${answer.unit}\`;
}
`,
    metadata: `  capabilities: { fetch: ["${host}"], clock: true }
  reward:
    threshold: 0.5
    parts:
      - use: goal
        with: { all: [{ op: matches, value: "^\\\\d+ " }, { op: matches, value: "m$" }] }`,
    cases: [recorded("door"), recorded("wall")],
    heldOut: [recorded("tower"), recorded("hill")],
  });
}

function height(of: string): Parameters<OpenWorkspace["operations"]["call"]>[0] {
  return { skill: "height", input: { of } };
}

async function tested(hone: OpenWorkspace): Promise<unknown[]> {
  const { passed, failed } = await hone.operations.test({ name: "height" });
  return [passed, failed];
}

function stateOf(hone: OpenWorkspace, commit: unknown): string | undefined {
  return hone.house.store.release(String(commit))?.state;
}

function parsed(line: string): Row {
  return line === "" ? {} : (JSON.parse(line) as Row);
}

function rulesOf(line: Row | undefined): readonly Row[] {
  return (line?.["capabilities"] as { readonly fetch?: readonly Row[] } | undefined)?.fetch ?? [];
}
