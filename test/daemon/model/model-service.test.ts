import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { membersOf, startOf } from "../../../src/adapters/model-server/process-table.ts";
import { modelSettings } from "../../../src/config-model.ts";
import { modelFor } from "../../../src/daemon/compose-model.ts";
import { notesInMemory } from "../../support/models.ts";
import { hone, type Ended } from "../../support/hone.ts";
import { aFreePort, killHard, standInCommand } from "../../support/stand-in.ts";

type Status = {
  readonly state: string;
  readonly server: string;
  readonly supervisor: number | null;
  readonly restarts: number;
  readonly models: readonly string[];
  readonly reason: string;
};

test("a server is waited for while it loads, runs on without hone, and is gone after down", async (t) => {
  const at = await aWorkspace(t, "1500 child");

  const up = await at.model("up");
  const status = at.read(await at.model("status"));

  assert.equal(up.code, 0, up.stderr);
  assert.match(up.stderr, /model server starting, \d+ s: /);
  assert.equal(status.state, "ready");
  assert.deepEqual(status.models, ["stand-in"]);
  assert.ok(membersOf(Number(status.server)).length >= 2, "the server and its child");

  const down = at.read(await at.model("down"));

  assert.equal(down.state, "down");
  assert.deepEqual(membersOf(Number(status.server)), []);
  assert.equal(startOf(Number(status.supervisor)), null);
  assert.equal((await at.model("status")).code, 3);
});

test("a server that hone started is sent the key, while it is the one that listens", async (t) => {
  const at = await aWorkspace(t);
  const settings = modelSettings.parse({ key: "K", serve: { command: "any", port: at.port } });
  const env = { K: "sk-1" };
  const stateNow = async (): Promise<string | undefined> => {
    const surroundings = { dir: at.dir, env, notes: notesInMemory(), now: Date.now };
    await using model = modelFor(settings, { ...surroundings, loadingMs: 0 });
    return (await model?.state(new AbortController().signal))?.status;
  };

  const before = await stateNow();
  const up = await at.model("up");

  assert.equal(up.code, 0, up.stderr);
  assert.deepEqual([before, await stateNow()], ["llm_unreachable", "ready"]);
});

test("up twice is one server", async (t) => {
  const at = await aWorkspace(t);

  const first = at.read(await at.model("up"));
  const second = at.read(await at.model("up"));

  assert.equal(second.server, first.server);
  assert.equal(second.supervisor, first.supervisor);
});

test("a server that does not end when it is asked is killed with its group", async (t) => {
  const at = await aWorkspace(t, "0 stubborn child", { stopMs: 300 });
  const { server } = at.read(await at.model("up"));

  await at.model("down");

  assert.deepEqual(membersOf(Number(server)), []);
});

test("a server that dies is started again, and the times are counted", async (t) => {
  const at = await aWorkspace(t);
  const { server } = at.read(await at.model("up"));

  killHard(-Number(server));
  const status = await at.until(({ state, restarts }) => state === "ready" && restarts === 1);

  assert.notEqual(status.server, server);
});

test("a server that never gets ready is given up, and the end of its log is told", async (t) => {
  const at = await aWorkspace(t, "", { command: "echo cannot load the weights; exit 3" });

  const up = await at.model("up");

  assert.equal(up.code, 1);
  assert.match(up.stdout, /did not get ready: it ended with exit code 3/);
  assert.match(up.stdout, /cannot load the weights/);
  const status = at.read(await at.model("status"));
  assert.equal(status.state, "failed");
  assert.equal(status.supervisor, null);
});

test("after a failure up starts anew, and does not tell the old one", async (t) => {
  const at = await aWorkspace(t, "", { command: "no-such-program-of-ours" });
  const failed = await at.model("up");
  await at.configure("0");

  const up = at.read(await at.model("up"));

  assert.match(failed.stdout, /its command was not found/);
  assert.equal(up.state, "ready");
});

test("a server that takes too long to load is ended", async (t) => {
  const at = await aWorkspace(t, "60000", { loadMs: 1_500 });

  const up = await at.model("up");

  assert.match(up.stdout, /it was not ready within 2 s/);
  assert.equal(await portAnswers(at.port), false);
});

test("a server behind a port that somebody else has is not started", async (t) => {
  const at = await aWorkspace(t);
  const other = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
  });
  await new Promise<void>((resolve) => other.listen(at.port, "127.0.0.1", resolve));
  t.after(() => other.close());

  const up = await at.model("up");

  assert.match(up.stdout, /something else listens at http:\/\/127\.0\.0\.1:\d+\/v1 already/);
});

test("a supervisor that was killed leaves a server that down ends, and up replaces", async (t) => {
  const at = await aWorkspace(t, "0 child");
  const first = at.read(await at.model("up"));
  killHard(Number(first.supervisor));
  await pause(200);

  assert.equal(at.read(await at.model("status")).state, "lost");
  assert.ok(membersOf(Number(first.server)).length > 0, "it serves on");
  const second = at.read(await at.model("up"));
  assert.deepEqual(membersOf(Number(first.server)), [], "the first is gone");
  killHard(Number(second.supervisor));
  await pause(200);
  await at.model("down");

  assert.deepEqual(membersOf(Number(second.server)), []);
});

test("a record of a process id that is another's by now harms nobody", async (t) => {
  const at = await aWorkspace(t);
  const mine = { pid: process.pid, startedAt: "another boot 1" };
  await at.record({ phase: "ready", supervisor: mine, place: { kind: "process", ...mine } });

  const status = at.read(await at.model("status"));
  const down = at.read(await at.model("down"));

  assert.equal(status.state, "lost");
  assert.equal(down.state, "down");
});

test("without a server in the settings, up says which to set", async (t) => {
  const at = await aWorkspace(t, "", { command: "" });

  const up = await at.model("up");

  assert.equal(up.code, 2);
  assert.match(up.stdout, /There is no model server to start/);
  assert.match(up.stdout, /model\.serve\.command/);
});

test("secrets of skills are not in a server's environment", async (t) => {
  const at = await aWorkspace(t, "", { command: "env; exit 3" });

  await at.model("up", { HONE_SECRET_TOKEN: "hush-hush" });

  const log = await readFile(path.join(at.dir, "data/run/model.log"), "utf8");
  assert.match(log, /^HOME=/m);
  assert.doesNotMatch(log, /hush-hush/);
});

type Settings = {
  readonly command?: string;
  readonly stopMs?: number;
  readonly loadMs?: number;
};

type Workspace = {
  readonly dir: string;
  readonly port: number;
  readonly model: (verb: string, env?: Record<string, string>) => Promise<Ended>;
  readonly read: (ended: Ended) => Status;
  readonly until: (isSo: (status: Status) => boolean) => Promise<Status>;
  readonly configure: (traits: string, settings?: Settings) => Promise<void>;
  readonly record: (parts: object) => Promise<void>;
};

/** A workspace whose model server is a stand-in with the given traits; it is down after the test. */
async function aWorkspace(
  t: TestContext,
  traits = "0",
  settings: Settings = {},
): Promise<Workspace> {
  // Not `aFolder`: what runs in it ends before it is removed.
  const dir = await mkdtemp(path.join(tmpdir(), "hone-test-"));
  const port = await aFreePort();
  const configure = async (traits: string, settings: Settings = {}): Promise<void> => {
    const command = standInCommand(port, traits);
    const serve = { command, port, ...settings };
    await writeFile(path.join(dir, "hone.yaml"), JSON.stringify({ model: { serve } }));
  };
  await configure(traits, settings);
  const model: Workspace["model"] = (verb, env = {}) =>
    hone(["model", verb, "--json"], { cwd: dir, env });
  const read = (ended: Ended): Status => JSON.parse(ended.stdout) as Status;
  t.after(async () => {
    const down = await model("down");
    await rm(dir, { recursive: true, force: true });
    assert.equal(down.code, 0, down.stderr);
  });
  return {
    dir,
    port,
    model,
    read,
    configure,
    async until(isSo) {
      for (;;) {
        const status = read(await model("status"));
        if (isSo(status)) return status;
        await pause(100);
      }
    },
    async record(parts) {
      await mkdir(path.join(dir, "data/run"), { recursive: true });
      const whole = { url: "", models: [], restarts: 0, since: 0, reason: "", ...parts };
      await writeFile(path.join(dir, "data/run/model.json"), JSON.stringify(whole));
    },
  };
}

async function portAnswers(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/health`).then(
    () => true,
    (error: { cause?: { code?: string } }) => error.cause?.code !== "ECONNREFUSED",
  );
}
