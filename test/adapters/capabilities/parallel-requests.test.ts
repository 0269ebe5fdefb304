import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createCapabilityHosts } from "../../../src/adapters/capabilities/capability-hosts.ts";
import { createIsolateSandbox } from "../../../src/adapters/isolate/isolate-sandbox.ts";
import type { Capabilities } from "../../../src/domain/skill.ts";
import type { SkillCaller } from "../../../src/ports/capabilities.ts";
import { outcomeOf } from "../../support/executions.ts";
import { kvStore } from "../../support/kv-store.ts";
import { webServer } from "../../support/web-server.ts";

const LIMITS = { timeoutMs: 10_000 };

const noSkill: SkillCaller = () => assert.fail("no skill is called");

function liveHost(granted: Capabilities, callSkill = noSkill) {
  const hosts = createCapabilityHosts({ store: kvStore(), now: () => Date.now(), fetch });
  return hosts.live(granted, "asker", callSkill);
}

suite("a skill in a sandbox asks the live world for several things at once", () => {
  const sandbox = createIsolateSandbox({ warm: 1, most: 2 });
  after(() => sandbox[Symbol.asyncDispose]());

  test("fetches that take unequal times are all answered", async () => {
    await using server = await webServer(async ({ url = "" }, response) => {
      await sleep(Number(url.slice(1)));
      response.end(`after ${url.slice(1)}`);
    });
    const text = `async function skill(origin, ctx) {
      const get = async (ms) => (await ctx.fetch(origin + "/" + ms)).text();
      return await Promise.all([300, 1, 150].map(get));
    }`;

    const outcome = await outcomeOf(sandbox, text, {
      args: [server.origin],
      host: liveHost({ fetch: [server.host] }),
      limits: LIMITS,
    });

    assert.deepEqual(outcome, {
      status: "returned",
      value: ["after 300", "after 1", "after 150"],
    });
  });

  test("calls of skills that take unequal times are all answered", async () => {
    const callSkill: SkillCaller = async (_name, { ms }, signal) => {
      await sleep(Number(ms), null, { signal });
      return Number(ms);
    };
    const text = `async function skill(ctx) {
      const call = (ms) => ctx.skills.call("inner", { ms });
      return await Promise.all([200, 1, 100, 50].map(call));
    }`;

    const outcome = await outcomeOf(sandbox, text, {
      host: liveHost({ skills: ["inner"] }, callSkill),
      limits: LIMITS,
    });

    assert.deepEqual(outcome, { status: "returned", value: [200, 1, 100, 50] });
  });

  test("what nobody waits for is given up when the call ends, whichever way it ends", async () => {
    const ends = { returns: "return 1", "runs out of time": "for (;;) await ctx.clock.sleep(50)" };
    for (const [how, end] of Object.entries(ends)) {
      const { promise: isGivenUp, resolve } = Promise.withResolvers<boolean>();
      const callSkill: SkillCaller = async (name, _input, signal) => {
        if (name === "quick") return null;
        signal.addEventListener("abort", () => resolve(true));
        return await new Promise<never>(() => undefined);
      };
      const text = `async function skill(ctx) {
        ctx.skills.call("endless", {});
        await ctx.skills.call("quick", {});
        ${end};
      }`;
      const host = liveHost({ skills: ["endless", "quick"] }, callSkill);

      await outcomeOf(sandbox, text, { host, limits: { timeoutMs: 1_000 }, unconfirmed: true });

      assert.equal(await Promise.race([isGivenUp, sleep(5_000, false)]), true, how);
    }
  });
});
