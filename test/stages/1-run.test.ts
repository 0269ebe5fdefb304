import assert from "node:assert/strict";
import { test } from "node:test";
import { HoneError } from "../../src/domain/errors.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Skill } from "../../src/domain/skill.ts";
import type { SkillCaller } from "../../src/ports/capabilities.ts";
import type { Call } from "../../src/ports/sandbox.ts";
import { run, type RunPorts } from "../../src/stages/1-run.ts";
import { aTrace } from "../support/ledger.ts";
import { aSkill } from "../support/shop.ts";

const environment = { now: 1_000, seed: 7 };

/** Ports whose sandbox runs `act` with the call and the way to other skills. */
function portsOf(
  act: (call: Call, callSkill: SkillCaller) => Promise<JsonObject[string]>,
  skills: Readonly<Record<string, Skill>> = {},
): RunPorts {
  const callers: SkillCaller[] = [];
  return {
    now: () => 2_000,
    newSeed: () => 8,
    async versions(name) {
      const skill = skills[name];
      if (skill === undefined) throw new HoneError("not-found", `no skill ${name}`);
      return skill;
    },
    hosts: {
      live: (_granted: unknown, _skill: unknown, callSkill: SkillCaller) => {
        callers.push(callSkill);
        return { next: () => assert.fail("nobody asks") };
      },
    } as unknown as RunPorts["hosts"],
    sandbox: {
      tier: "isolate",
      async execute({ calls }) {
        const [call] = calls;
        const callSkill = callers.at(-1);
        if (call === undefined || callSkill === undefined) return [];
        const value = await act(call, callSkill);
        return [{ trace: aTrace({ outcome: { status: "returned", value } }), hits: [] }];
      },
      [Symbol.asyncDispose]: async () => undefined,
    },
  };
}

test("arguments go in the signature's order, with the grants of the manifest", async (t) => {
  const seen: Call[] = [];
  const ports = portsOf(async (call) => {
    seen.push(call);
    return 1;
  });
  const base = aSkill();
  const parameters = ["a", "b", "c"].map((name) => ({ name, optional: true, schema: {} }));
  const skill = {
    ...base,
    signature: { ...base.signature, parameters },
    manifest: { ...base.manifest, capabilities: { kv: true, log: false, fetch: [] } },
  };

  const trace = await run({ skill, input: { c: 3, a: 1 }, environment }, ports, t.signal);

  assert.deepEqual(seen[0]?.args, [1, null, 3]);
  assert.deepEqual(seen[0]?.grants, ["kv"]);
  assert.deepEqual(seen[0]?.environment, environment);
  assert.deepEqual(trace.outcome, { status: "returned", value: 1 });
});

test("a skill may call another, whose value is the answer", async (t) => {
  const inner = aSkill({ name: "inner" });
  const ports = portsOf(
    async ({ args }, callSkill) =>
      args[0] === "outer" ? [await callSkill("inner", { text: "in" }, t.signal)] : 5,
    { inner },
  );

  const { outcome } = await run(
    { skill: aSkill(), input: { text: "outer" }, environment },
    ports,
    t.signal,
  );

  assert.deepEqual(outcome, { status: "returned", value: [5] });
});

test("skills that call each other without end are stopped at the fourth level", async (t) => {
  let deepest = 0;
  const self = aSkill({ name: "self" });
  const ports = portsOf(
    async (_call, callSkill) => {
      deepest += 1;
      return await callSkill("self", { text: "again" }, t.signal);
    },
    { self },
  );

  const running = run({ skill: self, input: { text: "again" }, environment }, ports, t.signal);

  await assert.rejects(running, /more than 4 levels deep at self/);
  assert.equal(deepest, 5);
});
