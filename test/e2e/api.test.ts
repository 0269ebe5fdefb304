import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../../src/domain/json.ts";
import { ANSWERS } from "../../src/serve/http/answers.ts";
import type { Verb } from "../../src/serve/http/verbs.ts";
import { DaemonProcess } from "../support/daemon.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "../support/workspace.ts";

const FAULTY = "export function double(n: number): number {\n  return n * 3;\n}\n";
const FILES = {
  ...skillFiles("double", {
    source: FAULTY,
    cases: [{ name: "zero", input: { n: 0 }, expect: 0 }],
    heldOut: [
      { name: "h1", input: { n: 731_904_650_001 }, expect: 1_463_809_300_002 },
      { name: "h2", input: { n: 731_904_650_002 }, expect: 1_463_809_300_004 },
    ],
  }),
  "hone.yaml":
    'publish: auto\ndocker: "off"\nimprove:\n  automatic: false\n  backoffMs: 0\nheldOut:\n  share: 0\n',
};

let workspace: TestWorkspace;
let daemon: DaemonProcess;
let ends: (() => void)[];
let origin: string;
let said: string[];

before(async () => {
  ends = [];
  said = [];
  workspace = await aWorkspace({ after: (end) => ends.push(end) }, FILES);
  const port = await aFreePort();
  origin = `http://127.0.0.1:${port}`;
  daemon = await start();
});

after(async () => {
  await daemon[Symbol.asyncDispose]();
  for (const end of ends) end();
});

test("a batch is queued once, however often it is asked, a death between included", async () => {
  // Right before the repair and after it.
  const tasks = [1, 2, 3].map(() => ({ skill: "double", input: { n: 0 } }));
  const first = await ask("submit", { tasks }, { "idempotency-key": '"batch"' });
  const again = await ask("submit", { tasks }, { "idempotency-key": '"batch"' });
  const token = tokenOf();
  await daemon.kill();
  daemon = await start();
  const later = await ask("submit", { tasks }, { "idempotency-key": '"batch"' });
  for (const id of first["tasks"] as readonly string[]) await untilDone(id);
  const { runs } = (await ask("runs", { skill: "double" })) as { runs: readonly JsonObject[] };

  assert.equal(first["accepted"], 3);
  assert.deepEqual(again, first);
  assert.deepEqual(later, first);
  assert.equal(runs.length, 3);
  assert.equal(tokenOf(), token, "a restart leaves the token as it is");
});

test("T15 B34: a run keeps the commit that it began with, and the next call has the new one", async () => {
  const before = await ask("call", { skill: "double", input: { n: 2 }, expect: 4 });
  const improved = await ask("improve", { skill: "double" });
  const after = await ask("call", { skill: "double", input: { n: 2 } });
  const kept = await ask("run", { id: before["run"] as string });

  assert.equal(improved["result"], "released", JSON.stringify(improved));
  assert.equal(kept["version"], before["version"]);
  assert.deepEqual([after["version"], after["value"]], [improved["commit"], 4]);
});

test("B33: rewards are those of each version, side by side", async () => {
  const { versions } = (await ask("log", { skill: "double" })) as {
    versions: readonly JsonObject[];
  };

  const [now, old] = versions;
  assert.equal(versions.length, 2);
  assert.equal(now?.["runs"], 1);
  assert.ok(Number(old?.["runs"]) >= 4);
});

test("B32 T14: a release tells what changed, for which failing case, and the rewards before and after", async () => {
  const { releases } = (await ask("releases", { skill: "double" })) as {
    releases: readonly JsonObject[];
  };
  const [made] = releases;
  const evidence = await ask("evidence", { commit: String(made?.["commit"]) });
  const why = await ask("why", { skill: "double" });
  const verified = await ask("verify", { commit: String(made?.["commit"]) });
  const incident = await ask("incident", { id: String(made?.["incidentId"]) });
  const candidate = await ask("candidate", { id: String(made?.["candidateId"]) });

  assert.ok(Number(made?.["rewardAfter"]) > Number(made?.["rewardBefore"]));
  assert.equal(evidence["isWhole"], true);
  assert.equal(verified["result"], "same");
  assert.equal(why["commit"], made?.["commit"]);
  assert.equal(incident["state"], "repaired");
  assert.equal(candidate["parentSource"], FAULTY);
});

test("B35: a rollback is one new commit that names the one it takes back", async () => {
  const before = workspace.git("rev-list", "--count", "hone");
  const taken = await ask("rollback", { skill: "double", by: "Ada" });
  const { releases } = (await ask("releases", { limit: 1 })) as { releases: readonly JsonObject[] };

  assert.equal(Number(workspace.git("rev-list", "--count", "hone")), Number(before) + 1);
  assert.equal(releases[0]?.["commit"], taken["commit"]);
  assert.equal(releases[0]?.["reverts"], taken["reverted"]);
});

test("B36 B37: a person's version is not taken back, and an edit that is not committed is told", async () => {
  const commit = workspace.commit({ "skills/double/skill.ts": FAULTY.replace("3", "5") });
  await until(async () => (await ask("skill", { name: "double" }))["version"] === commit);
  const refused = await fetch(`${origin}/v1/rollback`, asked({ skill: "double", by: "Ada" }));
  workspace.write({ "skills/double/skill.ts": FAULTY.replace("3", "7") });
  const { uncommitted } = await ask("skills", {});

  assert.equal(refused.status, 409);
  assert.equal(((await refused.json()) as { code: string }).code, "refused");
  assert.deepEqual(uncommitted, ["double"]);
});

test("what happened is streamed from where the reader left off", async () => {
  const events = async (since: number): Promise<readonly { id: number; kind: string }[]> => {
    const headers = { authorization: `Bearer ${tokenOf()}`, "last-event-id": String(since) };
    const response = await fetch(`${origin}/v1/events`, { headers });
    assert.ok(response.body !== null);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes('"kind":"commit.adopted"')) text += (await reader.read()).value ?? "";
    await reader.cancel();
    said.push(text);
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as never);
  };

  const all = await events(0);
  const [middle] = all.slice(Math.floor(all.length / 2));
  const rest = await events(middle?.id ?? 0);

  assert.ok(all.some(({ kind }) => kind === "release.made"));
  assert.equal(rest[0]?.id, (middle?.id ?? 0) + 1);
});

test("neither the token nor what is held out is in any answer, event or log line", () => {
  const log = readFileSync(path.join(workspace.dir, "data/run/hone.log"), "utf8");
  const all = [...said, log].join("\n");

  assert.ok(said.length > 20 && log.length > 100);
  for (const secret of [
    tokenOf(),
    "731904650001",
    "731904650002",
    "1463809300002",
    "1463809300004",
  ]) {
    assert.ok(!all.includes(secret), secret);
  }
});

/** Asks over the port; what the description promises of an answer is in it. */
async function ask(
  verb: Verb,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonObject> {
  const response = await fetch(`${origin}/v1/${verb}`, asked(body, headers));
  const text = await response.text();
  said.push(text);
  assert.equal(response.status, 200, text);
  const answer = JSON.parse(text) as JsonObject;
  const problems = ANSWERS[verb]?.safeParse(answer).error;
  assert.equal(problems, undefined, `${verb}: ${problems?.message}`);
  return answer;
}

function asked(body: object, headers: Readonly<Record<string, string>> = {}): RequestInit {
  const all = {
    authorization: `Bearer ${tokenOf()}`,
    "content-type": "application/json",
    ...headers,
  };
  return { method: "POST", headers: all, body: JSON.stringify(body) };
}

function tokenOf(): string {
  return readFileSync(path.join(workspace.dir, "data/run/token"), "utf8").trim();
}

async function start(): Promise<DaemonProcess> {
  return await DaemonProcess.start(workspace.dir, { HONE_HTTP_PORT: new URL(origin).port });
}

async function untilDone(id: string): Promise<void> {
  await until(async () =>
    ["done", "failed"].includes(String((await ask("task", { id }))["state"])),
  );
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < endsAt, "it comes about");
    await pause(50);
  }
}

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
