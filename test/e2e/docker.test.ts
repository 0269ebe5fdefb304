import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { sha256 } from "../../src/daemon/sha256.ts";
import { areaSkill } from "../support/area-skill.ts";
import { containersOf, withEngine } from "../support/containers.ts";
import { DaemonProcess } from "../support/daemon.ts";
import { aWorkspace, type TestWorkspace } from "../support/workspace.ts";

const MISSED = { skill: "area", input: { width: 2, height: 3 }, expect: 6 };

type Row = Readonly<Record<string, unknown>>;

/** A socket at which there is no engine. */
const NO_ENGINE = { socket: "/nonexistent/docker.sock" };

test("without an engine, `auto` releases and says so in the status, the verdict and the evidence (B26)", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ docker: "auto", sandbox: NO_ENGINE });
  const startedAt = performance.now();
  const status = await hone.operations.status();
  await hone.operations.call(MISSED);

  const { result, commit } = await hone.operations.improve({ skill: "area" });

  assert.equal(result, "released");
  assert.equal(status["docker"], "unavailable");
  assert.equal(status["engine"], "there is no /nonexistent/docker.sock");
  const evidence = evidenceOf(workspace, String(commit));
  assert.deepEqual([evidence["docker"], evidence["container"]], ["unavailable", null]);
  const [verdict] = verdictsOf(evidence, "docker");
  assert.equal(verdict?.["reason"], "not in a container: there is no /nonexistent/docker.sock");
  assert.ok(performance.now() - startedAt < 30_000);
});

test("without an engine, `required` releases nothing and searches for nothing", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  const settings = { docker: "required", sandbox: NO_ENGINE, improve: { backoffMs: 60_000 } };
  await using hone = await workspace.open(settings);
  const before = workspace.git("rev-parse", "hone");
  await hone.operations.call(MISSED);

  const { result, reason, attempts } = await hone.operations.improve({ skill: "area" });

  assert.equal(result, "infra-error");
  assert.equal(reason, "docker: sandbox-unavailable: there is no /nonexistent/docker.sock");
  assert.deepEqual(
    (attempts as Row[]).map(({ tried }) => tried),
    [0],
  );
  assert.equal(workspace.git("rev-parse", "hone"), before);
  const [incident] = await incidentsOf(hone);
  assert.deepEqual([incident?.["state"], incident?.["rejections"]], ["open", 0]);
});

test("`off` says that no container was asked for", async (t) => {
  const workspace = await aWorkspace(t, areaSkill());
  await using hone = await workspace.open({ docker: "off" });
  await hone.operations.call(MISSED);

  const { commit } = await hone.operations.improve({ skill: "area" });

  const evidence = evidenceOf(workspace, String(commit));
  assert.equal(evidence["docker"], "off");
  assert.deepEqual(verdictsOf(evidence, "docker"), []);
});

await withEngine(() => {
  test("what a daemon that was killed leaves of its containers is removed by the next command, with no daemon (B31)", async (t) => {
    const workspace = await aWorkspace(t, areaSkill());
    const daemon = await DaemonProcess.start(workspace.dir, {
      HONE_DOCKER: "required",
      HONE_SANDBOX_WARM: "2",
      HONE_HELD_OUT_SHARE: "0",
    });
    await daemon.client.buildSandbox({});
    await daemon.client.call(MISSED);
    await daemon.client.improve({ skill: "area" });
    const owner = sha256(workspace.dir);
    const before = await containersOf(owner);
    await daemon.kill();

    await using _command = await workspace.open({ docker: "auto" }, "command");
    const endsAt = Date.now() + 30_000;
    while ((await containersOf(owner)).length > 0 && Date.now() < endsAt) await pause(50);

    assert.ok(before.length > 0, "it kept some ready");
    assert.deepEqual(await containersOf(owner), []);
  });

  test("a release passes both walls, and is verified again in both with the same digest", async (t) => {
    const workspace = await aWorkspace(t, areaSkill());
    await using hone = await workspace.open({ docker: "required" });
    await hone.operations.call(MISSED);

    const { result, commit } = await hone.operations.improve({ skill: "area" });
    const verified = await hone.operations.verify({ commit: String(commit) });

    assert.equal(result, "released");
    const evidence = evidenceOf(workspace, String(commit));
    assert.equal(evidence["docker"], "passed");
    const { image, engine } = evidence["container"] as { image: string; engine: string };
    assert.match(image, /^sha256:[0-9a-f]{64}$/);
    assert.match(engine, /^(Docker|Podman) \d/);
    const [verdict] = verdictsOf(evidence, "docker");
    assert.equal(verdict?.["status"], "pass");
    assert.equal(verified["result"], "same");
    const tiers = verified["tiers"] as Row[];
    assert.deepEqual(
      tiers.map(({ tier, cases }) => [tier, cases]),
      [
        ["isolate", 2],
        ["docker", 2],
      ],
    );
    assert.equal(tiers[0]?.["outcomes"], tiers[1]?.["outcomes"]);
  });

  test("the image is made again with the same digest, and is the one that the status names", async (t) => {
    const workspace = await aWorkspace(t, areaSkill());
    await using hone = await workspace.open({ docker: "auto" });

    const first = await hone.operations.buildSandbox({});
    const second = await hone.operations.buildSandbox({});

    const status = await hone.operations.status();
    assert.equal(first["image"], second["image"]);
    assert.equal(status["docker"], "ready");
    assert.equal(status["image"], first["image"]);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    test(`a daemon that gets ${signal} while containers are there is gone in ten seconds, and they with it (B31, B56)`, async (t) => {
      const workspace = await aWorkspace(t, areaSkill());
      const owner = sha256(workspace.dir);
      await using daemon = await DaemonProcess.start(workspace.dir, { HONE_DOCKER: "required" });
      await daemon.client.call(MISSED);
      while ((await containersOf(owner)).length === 0) await pause(20);
      const startedAt = performance.now();

      const code = await daemon.stop(signal);

      assert.equal(code, 0);
      assert.ok(performance.now() - startedAt < 10_000);
      assert.deepEqual(await containersOf(owner), []);
    });
  }

  test("an outcome that was forged in the evidence is told by both walls", async (t) => {
    const workspace = await aWorkspace(t, areaSkill());
    await using hone = await workspace.open({ docker: "required" });
    await hone.operations.call(MISSED);
    const { commit } = await hone.operations.improve({ skill: "area" });
    const evidence = workspace.git("notes", "--ref=hone", "show", String(commit));
    const forged = evidence.replace('\\"value\\":4', '\\"value\\":5');
    assert.notEqual(forged, evidence);
    workspace.git("notes", "--ref=hone", "add", "-f", "-m", forged, String(commit));

    const { result, differences } = await hone.operations.verify({ commit: String(commit) });

    assert.equal(result, "different");
    const what = (differences as Row[]).map((each) => each["what"]);
    assert.deepEqual(what, [
      "evidence digest",
      'case "two by two" (isolate)',
      'case "two by two" (docker)',
    ]);
  });
});

function evidenceOf(workspace: TestWorkspace, commit: string): Row {
  return JSON.parse(workspace.git("notes", "--ref=hone", "show", commit)) as Row;
}

function verdictsOf(evidence: Row, gate: string): readonly Row[] {
  return (evidence["verdicts"] as Row[]).filter((verdict) => verdict["gate"] === gate);
}

async function incidentsOf({ operations }: OpenWorkspace): Promise<readonly Row[]> {
  return ((await operations.incidents({ all: true })) as { incidents: Row[] }).incidents;
}
