import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { createCapabilityHosts } from "../../../src/adapters/capabilities/capability-hosts.ts";
import { createIsolateSandbox } from "../../../src/adapters/isolate/isolate-sandbox.ts";
import type { CaseWorld } from "../../../src/domain/case.ts";
import { DEFAULT_LIMITS } from "../../../src/domain/skill.ts";
import { isInfrastructureFault, type Trace } from "../../../src/domain/trace.ts";
import { worldOf } from "../../../src/domain/world.ts";
import type { CapabilityHost } from "../../../src/ports/sandbox.ts";
import { ScriptedModel } from "../../support/scripted-model.ts";

const sandbox = createIsolateSandbox({ warm: 1, most: 1 });
after(() => sandbox[Symbol.asyncDispose]());

const PROGRAM = {
  text: `async function run(name, ctx) { return await ctx.model("Greet " + name); }`,
  entry: "run",
  strict: true,
  takesCtx: true,
};

async function traceWith(host: CapabilityHost, granted = true): Promise<Trace> {
  const grants = granted ? (["model"] as const) : [];
  const environment = { now: 0, seed: 1 };
  const call = { args: ["Ann"], grants, environment, host };
  const asked = { program: PROGRAM, calls: [call], limits: DEFAULT_LIMITS, fresh: true };
  const [result] = await sandbox.execute(asked, AbortSignal.timeout(60_000));
  return result?.trace ?? assert.fail("one result per call");
}

function hostsOn(model: ScriptedModel | null) {
  return createCapabilityHosts({ store: null, now: () => 0, model });
}

const callSkill = async () => null;

suite("a skill that asks the model", () => {
  test("gets its text, and the run says what was asked and told", async () => {
    const model = new ScriptedModel(() => "Good day, Ann.");
    const trace = await traceWith(hostsOn(model).live({ model: true }, "greet", callSkill));

    assert.deepEqual(trace.outcome, { status: "returned", value: "Good day, Ann." });
    assert.deepEqual(worldOf(trace).model, [{ prompt: "Greet Ann", text: "Good day, Ann." }]);
    assert.deepEqual(model.asked[0]?.purpose, { kind: "skill", skill: "greet", incident: null });
  });

  test("is told the same again from a recorded run, without the model", async () => {
    const model = new ScriptedModel(() => "Good day, Ann.");
    const trace = await traceWith(hostsOn(model).live({ model: true }, "greet", callSkill));
    const again = await traceWith(hostsOn(null).replay(trace));
    const world: CaseWorld = worldOf(trace);
    const asCase = await traceWith(hostsOn(null).table(world, { model: true }, "closed"));

    assert.deepEqual(again.outcome, trace.outcome);
    assert.deepEqual(asCase.outcome, trace.outcome);
    assert.equal(model.asked.length, 1);
  });

  test("has no model where none was granted", async () => {
    const model = new ScriptedModel(() => "Good day, Ann.");
    const trace = await traceWith(hostsOn(model).live({}, "greet", callSkill), false);

    assert.equal(trace.outcome.status, "threw");
    assert.equal(model.asked.length, 0);
  });

  test("falls short of nothing where the model is not there (T17)", async () => {
    const down = { status: "unreachable", reason: "connection refused" } as const;
    for (const model of [null, new ScriptedModel(() => down)]) {
      const trace = await traceWith(hostsOn(model).live({ model: true }, "greet", callSkill));
      assert.ok(isInfrastructureFault(trace), JSON.stringify(trace.outcome));
    }
  });

  test("asks a new prompt of a case's world only where the live one may be read", async () => {
    const model = new ScriptedModel(() => "Hello!");
    const hosts = hostsOn(model);
    const closed = await traceWith(hosts.table({}, { model: true }, "closed"));
    const reading = await traceWith(hosts.table({}, { model: true }, "reading"));

    assert.equal(closed.outcome.status, "threw");
    assert.deepEqual(reading.outcome, { status: "returned", value: "Hello!" });
  });
});
