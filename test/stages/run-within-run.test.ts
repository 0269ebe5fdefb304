import assert from "node:assert/strict";
import { test } from "node:test";
import { createCapabilityHosts } from "../../src/adapters/capabilities/capability-hosts.ts";
import { createIsolateSandbox } from "../../src/adapters/isolate/isolate-sandbox.ts";
import { DEFAULT_LIMITS, type Skill } from "../../src/domain/skill.ts";
import type { Trace } from "../../src/domain/trace.ts";
import { run } from "../../src/stages/1-run.ts";
import { childrenOf } from "../support/child-processes.ts";
import { kvStore } from "../support/kv-store.ts";
import { aSkill } from "../support/shop.ts";

const LIMITS = { ...DEFAULT_LIMITS, timeoutMs: 30_000 };

/** A skill `name` with the parameter `text` and this body, that may call `calls`. */
function skillOf(name: string, body: string, calls: readonly string[] = []): Skill {
  const base = aSkill({ name });
  return {
    ...base,
    manifest: { ...base.manifest, capabilities: { skills: calls }, limits: LIMITS },
    program: {
      text: `async function skill(text, ctx) { ${body} }`,
      entry: "skill",
      strict: true,
      takesCtx: true,
    },
  };
}

function runOn(most: number, skills: readonly Skill[]) {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const sandbox = createIsolateSandbox({ warm: most, most });
  const ports = {
    sandbox,
    hosts: createCapabilityHosts({ store: kvStore(), now: () => Date.now() }),
    versions: async (name: string) => byName.get(name) ?? assert.fail(name),
    now: () => Date.now(),
    newSeed: () => 1,
  };
  return {
    runs: async (skill: Skill, times: number, signal: AbortSignal): Promise<readonly Trace[]> => {
      const one = { skill, environment: { now: 0, seed: 1 } };
      const texts = Array.from({ length: times }, (_, number) => `${number}`);
      return await Promise.all(
        texts.map((text) => run({ ...one, input: { text } }, ports, signal)),
      );
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

const passesOn = (name: string, to: string): Skill =>
  skillOf(name, `return "${name}" + await ctx.skills.call("${to}", { text })`, [to]);

test("chains of skills all get through, however many run on few guests", async (t) => {
  const first = passesOn("a", "b");
  const skills = [first, passesOn("b", "c"), passesOn("c", "d"), skillOf("d", "return text")];
  await using few = runOn(2, skills);

  const traces = await few.runs(first, 20, t.signal);

  assert.deepEqual(
    traces.map(({ outcome }) => outcome),
    traces.map((_, number) => ({ status: "returned", value: `abc${number}` })),
  );
});

test("skills that call several at once get through, with a bounded number of guests", async (t) => {
  const before = childrenOf(process.pid).length;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, childrenOf(process.pid).length - before);
  }, 20);
  t.after(() => clearInterval(watch));
  const all = (to: string): string =>
    `return await Promise.all([1, 2, 3, 4].map((n) => ctx.skills.call("${to}", { text: text + n })))`;
  const first = skillOf("a", all("b"), ["b"]);
  const skills = [first, skillOf("b", all("c"), ["c"]), skillOf("c", "return text")];
  await using few = runOn(2, skills);

  const traces = await few.runs(first, 4, t.signal);

  assert.deepEqual(
    traces.map(({ outcome }) => outcome),
    [0, 1, 2, 3].map((number) => ({
      status: "returned",
      value: [1, 2, 3, 4].map((b) => [1, 2, 3, 4].map((c) => `${number}${b}${c}`)),
    })),
  );
  assert.ok(most > 0 && most <= 2 * 5, `${most} guests at a time`);
});

test("the time spent waiting for a guest is not the skill's own", async (t) => {
  const busy = skillOf("busy", "await ctx.clock.sleep(400); return text");
  const short = {
    ...busy,
    manifest: {
      ...busy.manifest,
      capabilities: { clock: true },
      limits: { ...LIMITS, timeoutMs: 1_500 },
    },
  };
  await using one = runOn(1, [short]);

  const traces = await one.runs(short, 6, t.signal);

  assert.deepEqual([...new Set(traces.map(({ outcome }) => outcome.status))], ["returned"]);
});
