import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { membersOf } from "../../../src/adapters/model-server/process-table.ts";
import { parseConfig } from "../../../src/config.ts";
import { keepModelUp } from "../../../src/daemon/model/keep-model-up.ts";
import {
  modelDown,
  modelStatus,
  modelUp,
  type ModelPlace,
  type ModelStatus,
} from "../../../src/daemon/model/model-service.ts";
import { aFreePort, killHard, standInCommand } from "../../support/stand-in.ts";

const NEVER = new AbortController().signal;

test("the server runs while the daemon does", async (t) => {
  const place = await aPlace(t, "0");

  const keeping = keepModelUp(place, { onTrouble: assert.fail, everyMs: 200 });
  const { server } = await until(place, ({ state }) => state === "ready");
  await keeping[Symbol.asyncDispose]();

  assert.equal((await modelStatus(place.dir)).state, "down");
  assert.deepEqual(membersOf(Number(server)), []);
});

test("a supervisor that is lost is replaced, and what it served is ended first", async (t) => {
  const place = await aPlace(t, "0");
  const troubles: string[] = [];

  await using _ = keepModelUp(place, { onTrouble: (each) => troubles.push(each), everyMs: 200 });
  const first = await until(place, ({ state }) => state === "ready");
  killHard(Number(first.supervisor));
  const second = await until(place, ({ state, server }) => {
    return state === "ready" && server !== first.server;
  });

  assert.deepEqual(troubles.slice(0, 1), ["the model server is lost"]);
  assert.deepEqual(membersOf(Number(first.server)), []);
  assert.ok(membersOf(Number(second.server)).length > 0);
});

test("a server that a person started or took down is left as it is", async (t) => {
  const place = await aPlace(t, "0");
  const { server } = await modelUp(place, () => undefined, NEVER);

  const keeping = keepModelUp(place, { onTrouble: assert.fail, everyMs: 100 });
  await pause(300);
  await keeping[Symbol.asyncDispose]();
  assert.equal((await modelStatus(place.dir)).server, server, "it was up before");

  await using _ = keepModelUp(place, { onTrouble: assert.fail, everyMs: 100 });
  await pause(200);
  await modelDown(place);
  await pause(500);
  assert.equal((await modelStatus(place.dir)).state, "down");
});

async function aPlace(t: TestContext, traits: string): Promise<ModelPlace> {
  const dir = await mkdtemp(path.join(tmpdir(), "hone-test-"));
  const port = await aFreePort();
  const serve = { port, command: standInCommand(port, traits) };
  const config = parseConfig({ model: { serve } }, "the test");
  const place = { dir, config, env: process.env };
  // The supervisor reads the settings itself.
  await writeFile(path.join(dir, "hone.yaml"), JSON.stringify({ model: { serve } }));
  t.after(async () => {
    await modelDown(place);
    await rm(dir, { recursive: true, force: true });
  });
  return place;
}

async function until(
  { dir }: ModelPlace,
  isSo: (status: ModelStatus) => boolean,
): Promise<ModelStatus> {
  for (;;) {
    const status = await modelStatus(dir);
    if (isSo(status)) return status;
    await pause(50);
  }
}
