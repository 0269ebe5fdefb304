import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenWorkspace } from "../../../src/daemon/compose.ts";
import { startImprover } from "../../../src/daemon/repairs/improver.ts";
import { watchModel } from "../../../src/daemon/model/model-watch.ts";
import type { Incident } from "../../../src/domain/incident.ts";
import { areaSkill } from "../../support/area-skill.ts";
import { modelServer } from "../../support/model-server.ts";
import { aWorkspace } from "../../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };
const HOUR_MS = 3_600_000;
const LOOK_MS = 30;

const PATCH = JSON.stringify({
  reason: "it adds where it has to multiply",
  edits: [{ op: "body", target: "area", code: "return width * height;" }],
});

/** A house that a model alone repairs, with pauses of an hour. */
async function aHouse(t: { after(release: () => void): void }, url: string) {
  const workspace = await aWorkspace(t, areaSkill());
  return await workspace.open({
    proposers: ["model"],
    model: { url, samples: 3, timeoutMs: 5_000 },
    improve: { automatic: false, backoffMs: HOUR_MS },
  });
}

suite("incidents that wait for the model (B5, T11)", () => {
  test("are worked on as soon as it is back, whatever their pause", async (t) => {
    const gone = await modelServer({});
    const port = Number(new URL(gone.url).port);
    await gone[Symbol.asyncDispose]();
    await using hone = await aHouse(t, gone.url);
    await using improver = startImprover(hone);
    await using _ = watchModel(hone, improver.wake, LOOK_MS);
    await hone.operations.call(MISSED);
    improver.wake();
    await until(() => incidentIn(hone)?.note.includes("llm_unreachable") === true);
    assert.ok((incidentIn(hone)?.retryAt ?? 0) > Date.now() + HOUR_MS / 2);
    const status = await hone.operations.status();
    assert.equal(status["model"], "llm_unreachable");
    const [row] = status["incidents"] as { nextAt: number }[];
    assert.ok((row?.nextAt ?? 0) > Date.now(), "the status says when it is tried next");
    await pause(5 * LOOK_MS);

    await using _server = await modelServer({ port, answers: () => PATCH });

    await until(() => incidentIn(hone)?.state === "repaired");
  });

  test("keep their pause where its door answers and its requests fail", async (t) => {
    const failing = { status: 500, body: "CUDA out of memory" };
    await using server = await modelServer({ answers: () => failing });
    await using hone = await aHouse(t, server.url);
    await using improver = startImprover(hone);
    await using _ = watchModel(hone, improver.wake, LOOK_MS);
    await hone.operations.call(MISSED);
    improver.wake();
    await until(() => incidentIn(hone)?.note.includes("llm_unreachable") === true);

    await pause(1_500);

    const groups = hone.house.store.groups(incidentIn(hone)?.id ?? "").length;
    assert.ok(groups <= 2, `${groups} groups`);
    assert.ok(server.asked.length <= 6, `${server.asked.length} requests`);
    assert.equal((await hone.operations.status())["model"], "llm_unreachable");
  });
});

function incidentIn(hone: OpenWorkspace): Incident | undefined {
  return hone.house.store.incidents({ limit: 1 })[0];
}

async function until(holds: () => boolean): Promise<void> {
  for (let look = 0; look < 600; look += 1) {
    if (holds()) return;
    await pause(50);
  }
  assert.fail("it never came to hold");
}
