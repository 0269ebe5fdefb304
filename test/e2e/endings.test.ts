import assert from "node:assert/strict";
import { test } from "node:test";
import { areaSkill, GOOD_AREA } from "../support/area-skill.ts";
import { DaemonProcess, descendantsOf, survivors } from "../support/daemon.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

/** The limit of each of these skills, in milliseconds. */
const LIMIT_MS = 400;

/** What a call may take beyond its limit, a second run alone and a loaded machine included. */
const PATIENCE_MS = 8_000;

const ENDLESS: Readonly<Record<string, readonly [body: string, statuses: readonly string[]]>> = {
  loop: ["for (;;);", ["timed-out"]],
  regex: ['return /^(a+)+$/.test("a".repeat(40) + "b");', ["timed-out"]],
  cursor: ["return [].indexOf.call({ length: 2 ** 53 - 1 } as never, 1 as never);", ["timed-out"]],
  pending: ["return new Promise(() => undefined);", ["never-settled"]],
  sleeper: ["return ctx.clock.sleep(3_600_000);", ["timed-out"]],
  map: [
    "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });",
    ["out-of-memory", "crashed", "timed-out"],
  ],
  bomb: ["const a: unknown[] = []; for (;;) a.push(a.slice());", ["out-of-memory", "timed-out"]],
};

test("whatever a skill does ends, the daemon stays, and the next call is fine (B1, B4, B45, B46, T6)", async (t) => {
  const skills = Object.entries(ENDLESS).map(([name, [body]]) => endless(name, body));
  const workspace = await aWorkspace(
    t,
    Object.assign({ "hone.yaml": QUIET }, areaSkill({ source: GOOD_AREA }), ...skills),
  );
  await using daemon = await DaemonProcess.start(workspace.dir);

  for (const [skill, [, statuses]] of Object.entries(ENDLESS)) {
    const startedAt = performance.now();
    const answer = await daemon.client.call({ skill, input: {} });
    const tookMs = performance.now() - startedAt;

    assert.ok(statuses.includes(String(answer["status"])), `${skill}: ${String(answer["status"])}`);
    assert.equal((answer["reward"] as { score?: number }).score, 0, skill);
    assert.ok(tookMs < LIMIT_MS + PATIENCE_MS, `${skill} took ${tookMs} ms`);
    t.diagnostic(`${skill}: ${String(answer["status"])} after ${Math.round(tookMs)} ms`);
    const next = await daemon.client.call({ skill: "area", input: { width: 2, height: 3 } });
    assert.equal(next["value"], 6);
  }
  process.kill(daemon.pid, 0);
});

test("eight endless calls at once end as well, and other calls are answered meanwhile (B2)", async (t) => {
  const workspace = await aWorkspace(t, {
    "hone.yaml": QUIET,
    ...areaSkill({ source: GOOD_AREA }),
    ...endless("loop", "for (;;);"),
  });
  await using daemon = await DaemonProcess.start(workspace.dir);

  const loops = Array.from({ length: 8 }, () => daemon.client.call({ skill: "loop", input: {} }));
  const other = await daemon.client.call({ skill: "area", input: { width: 2, height: 3 } });
  const answers = await Promise.all(loops);

  assert.equal(other["value"], 6);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set(["timed-out"]));
});

test("a daemon that is asked to end does so in the middle of work, and leaves no process", async (t) => {
  const workspace = await aWorkspace(t, {
    "hone.yaml": QUIET.replace("automatic: false", "automatic: true"),
    ...areaSkill(),
    ...endless("loop", "for (;;);", 60_000),
  });
  const daemon = await DaemonProcess.start(workspace.dir);
  const missed = { skill: "area", input: { width: 2, height: 3 }, expect: -7 };
  const tasks = Array.from({ length: 200 }, (_, at) => ({ ...missed, id: `t${at}` }));
  await daemon.client.submit({ tasks: [...tasks, { skill: "loop", input: {}, id: "loop" }] });
  const begun = descendantsOf(daemon.pid);
  const startedAt = performance.now();

  const code = await daemon.stop();

  assert.equal(code, 0);
  assert.ok(performance.now() - startedAt < 10_000, "within ten seconds");
  assert.deepEqual(await survivors(begun, 5_000), []);
  await using again = await workspace.open();
  const { queued, running, done } = again.house.store.countTasks();
  assert.deepEqual([running, queued + done], [0, 201]);
});

const QUIET = "publish: auto\nlogLevel: silent\nimprove:\n  automatic: false\n";

function endless(name: string, body: string, timeoutMs = LIMIT_MS): Record<string, string> {
  const needsCtx = body.includes("ctx");
  return skillFiles(name, {
    source: `${needsCtx ? "type Ctx = { clock: { sleep(ms: number): Promise<void> } };\n\n" : ""}export function ${name}(${needsCtx ? "ctx: Ctx" : ""}): unknown {\n  ${body}\n}\n`,
    metadata: `  limits: { timeoutMs: ${timeoutMs}, memoryMb: 32 }\n  capabilities: { clock: true }`,
    cases: [],
  });
}
