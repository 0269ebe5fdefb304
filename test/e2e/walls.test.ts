import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createIsolateSandbox } from "../../src/adapters/isolate/isolate-sandbox.ts";
import type { Json } from "../../src/domain/json.ts";
import { DEFAULT_LIMITS } from "../../src/domain/skill.ts";
import type { CapabilityHost, Execution } from "../../src/ports/sandbox.ts";
import { areaSkill, GOOD_AREA } from "../support/area-skill.ts";
import { ROOT } from "../support/imports.ts";
import { webServer } from "../support/web-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const SILENT: CapabilityHost = { next: async () => ({ answers: [], now: 0 }) };

const KEPT_BYTES = 50 * 2 ** 20;

test("ten thousand runs leave the daemon's memory as it was (B48)", async (t) => {
  await using sandbox = createIsolateSandbox({ warm: 1, most: 2 });
  const call = { args: [3], grants: [], environment: { now: 0, seed: 1 }, host: SILENT };
  const execution: Execution = {
    program: {
      text: "function skill(n) { console.log('x'.repeat(200)); return { list: new Array(n * 20).fill(n) }; }",
      entry: "skill",
      strict: true,
      takesCtx: false,
    },
    calls: Array.from({ length: 200 }, () => call),
    limits: DEFAULT_LIMITS,
    fresh: false,
  };
  const runs = async (times: number): Promise<void> => {
    for (let done = 0; done < times; done += 200) await sandbox.execute(execution, t.signal);
  };
  await runs(2_000);
  const before = process.memoryUsage.rss();

  await runs(10_000);

  const grown = process.memoryUsage.rss() - before;
  assert.ok(grown < KEPT_BYTES, `${Math.round(grown / 2 ** 20)} MB more than before`);
});

test("hone runs on plain Node, without a flag or NODE_OPTIONS (B49)", () => {
  const script = `
    const { createIsolateSandbox } = await import("./src/adapters/isolate/isolate-sandbox.ts");
    await using sandbox = createIsolateSandbox({ warm: 1, most: 1 });
    const host = { next: async () => ({ answers: [], now: 0 }) };
    const [{ trace }] = await sandbox.execute({
      program: { text: "function skill() { return 7; }", entry: "skill", strict: true, takesCtx: false },
      calls: [{ args: [], grants: [], environment: { now: 0, seed: 1 }, host }],
      limits: { timeoutMs: 5000, memoryMb: 64, outputBytes: 1000 },
      fresh: true,
    }, new AbortController().signal);
    console.log(JSON.stringify([trace.outcome, process.execArgv.length]));`;

  const told = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "" },
    encoding: "utf8",
  });
  const manifest = readFileSync(path.join(ROOT, "bin", "hone"), "utf8");

  assert.equal(told.trim(), '[{"status":"returned","value":7},3]');
  assert.doesNotMatch(manifest, /NODE_OPTIONS|no-node-snapshot/);
});

test("what a skill prints decides nothing, and is told as what it is (B27)", async (t) => {
  const printing = skillFiles("loud", {
    source:
      'export function loud(ctx: any): number {\n  console.log("FAIL 1 of 1");\n  console.log("ok 1 - all");\n  ctx.log.info(\'{"status":"returned","value":1\');\n  return 6;\n}\n',
    cases: [{ name: "six", input: {}, expect: 6 }],
    metadata: "  capabilities: { log: true }",
  });
  const workspace = await aWorkspace(t, printing);
  await using hone = await workspace.open();

  const called = await hone.operations.call({ skill: "loud", input: {}, expect: 6 });
  const wrong = await hone.operations.call({ skill: "loud", input: {}, expect: 1 });
  const tested = await hone.operations.test({ name: "loud" });

  const score = ({ reward }: Readonly<Record<string, Json>>): unknown =>
    (reward as { readonly score?: number }).score;
  assert.deepEqual([called["value"], score(called), score(wrong)], [6, 1, 0]);
  assert.equal(tested["failed"] ?? 0, 0, JSON.stringify(tested));
});

test("a skill that patches all that it reaches changes no verdict but its own (T4)", async (t) => {
  const vandal = skillFiles("vandal", {
    source: `export function vandal(n: number): number {
  const all: any = globalThis;
  const namesOf = Object.getOwnPropertyNames;
  for (const name of ["JSON", "Promise", "Array", "Object", "Reflect"]) {
    for (const key of namesOf(all[name])) {
      try { all[name][key] = () => 6; } catch {}
    }
    try { all[name] = { stringify: () => "6", parse: () => 6, is: () => true }; } catch {}
  }
  console.log('{"status":"returned","value":6}');
  return n;
}
`,
    cases: [{ name: "one", input: { n: 1 }, expect: 1 }],
  });
  const workspace = await aWorkspace(t, { ...vandal, ...areaSkill({ source: GOOD_AREA }) });
  await using hone = await workspace.open();

  const called = await hone.operations.call({ skill: "vandal", input: { n: 5 }, expect: 6 });
  const next = await hone.operations.call({
    skill: "area",
    input: { width: 2, height: 3 },
    expect: 6,
  });

  assert.deepEqual([called["value"], (called["reward"] as { score?: number }).score], [5, 0]);
  assert.deepEqual([next["value"], (next["reward"] as { score?: number }).score], [6, 1]);
});

test("an API that is down, or a secret without a value, is neither scored nor an incident (T11, T17)", async (t) => {
  const server = await webServer((_, response) => void response.end('"up"'));
  const { host, origin } = server;
  await server[Symbol.asyncDispose]();
  const reading = (name: string, secrets: string): Record<string, string> =>
    skillFiles(name, {
      source: `export async function ask(ctx: any): Promise<string> {\n  return (await ctx.fetch("${origin}/")).text();\n}\n`,
      cases: [],
      metadata: `  capabilities: { fetch: ["${host}"]${secrets} }`,
    });
  const secret = `, secrets: [{ name: NOT_THERE, host: "${host}", header: x-key }]`;
  const workspace = await aWorkspace(t, { ...reading("down", ""), ...reading("locked", secret) });
  await using hone = await workspace.open();

  for (const skill of ["down", "locked"]) {
    const called = await hone.operations.call({ skill, input: {} });
    assert.equal((called["reward"] as { status?: string }).status, "unscored", skill);
  }

  const status = await hone.operations.status();
  assert.deepEqual((await hone.operations.incidents({ all: true }))["incidents"], []);
  assert.deepEqual([status["unscored"], status["openIncidents"]], [2, 0]);
  assert.equal(workspace.git("rev-list", "--count", "hone"), "1", "nothing was proposed");
});
