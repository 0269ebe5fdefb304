import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { asyncProperty, assert as holds, integer } from "../../support/property.ts";
import { modelCallsInMemory } from "../../../src/adapters/sqlite/calls-in-memory.ts";
import { budgeted, probesWithin } from "../../../src/daemon/model/budgeted-model.ts";
import type { Caps } from "../../../src/domain/budget.ts";
import { HoneError } from "../../../src/domain/errors.ts";
import type { CompletionRequest } from "../../../src/domain/completion.ts";
import type { WatchedModel } from "../../../src/ports/model.ts";
import { ScriptedModel } from "../../support/scripted-model.ts";

const WIDE = { requests: 1_000, tokens: 1_000_000, seconds: 1_000 };

function request(kind: "repair" | "skill" = "repair"): CompletionRequest {
  return {
    messages: [{ role: "user", content: "Repair it." }],
    answerSchema: null,
    temperature: 0,
    seed: 1,
    maxTokens: 100,
    purpose: { kind, skill: "area", incident: "i1" },
  };
}

function watched(model: ScriptedModel): WatchedModel {
  const state = async () => ({ status: "ready", endpoint: "", model: "" }) as const;
  return Object.assign(model, { state });
}

function within(model: ScriptedModel, caps: Partial<Caps> = {}) {
  const ledger = modelCallsInMemory();
  const of = { ledger, now: () => 1_000_000, longestMs: () => 2_000 };
  const all = { caps: { incident: WIDE, day: WIDE, ...caps }, ...of };
  return { ledger, model: budgeted(watched(model), all) };
}

const signal = AbortSignal.timeout(60_000);

suite("a model within its budget", () => {
  test("writes down what a completion took", async () => {
    const { ledger, model } = within(new ScriptedModel(() => "answer"));

    await model.complete(request(), signal);

    const { day } = ledger.modelCost({ incident: null, now: 1_000_000 });
    assert.deepEqual([day.requests, day.tokens], [1, 110]);
  });

  test("sends nothing that would overstep a cap, and says which (B10, T12)", async () => {
    const scripted = new ScriptedModel(() => "answer");
    const { model } = within(scripted, { incident: { ...WIDE, requests: 2 } });

    const answers = await Promise.all([1, 2, 3, 4].map(() => model.complete(request(), signal)));

    assert.equal(scripted.asked.length, 2);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ["complete", "complete", "over-budget", "over-budget"],
    );
  });

  test("keeps to its requests, however many ask at once", async () => {
    await holds(
      asyncProperty(
        integer({ min: 0, max: 9 }),
        integer({ min: 0, max: 15 }),
        async (cap, asks) => {
          const scripted = new ScriptedModel(() => "answer");
          const { model } = within(scripted, { day: { ...WIDE, requests: cap } });
          await Promise.all(Array.from({ length: asks }, () => model.complete(request(), signal)));
          assert.equal(scripted.asked.length, Math.min(cap, asks));
        },
      ),
      { numRuns: 40 },
    );
  });

  test("counts no tokens for an endpoint that was not reached", async () => {
    const down = { status: "unreachable", reason: "refused", usage: null, isUnsent: true } as const;
    const { ledger, model } = within(new ScriptedModel(() => down));

    await model.complete(request(), signal);

    const { day } = ledger.modelCost({ incident: null, now: 1_000_000 });
    assert.deepEqual([day.requests, day.tokens], [1, 0]);
  });

  test("what was sent and never came back costs what was set aside for it", async () => {
    const late = { status: "unreachable", reason: "no answer", usage: null } as const;
    const { ledger, model } = within(new ScriptedModel(() => late));

    await model.complete(request(), signal);

    const { day } = ledger.modelCost({ incident: null, now: 1_000_000 });
    assert.deepEqual([day.requests, day.tokens], [1, 103]);
  });

  test("seconds of requests under way are spoken for, and a request has no more than a cap", async () => {
    const never = new ScriptedModel(() => new Promise(() => undefined));
    const { ledger, model } = within(never, { incident: { ...WIDE, seconds: 1 } });

    const answers = await Promise.all([1, 2].map(() => model.complete(request(), signal)));

    assert.equal(never.asked.length, 1);
    const reasons = answers.map((one) => ("reason" in one ? one.reason : "")).join("\n");
    assert.match(reasons, /0 of its 1 seconds left, and 1 may be needed/);
    assert.match(reasons, /no answer came in the 1 s set aside/);
    const { incident } = ledger.modelCost({ incident: "i1", now: 1_000_000 });
    assert.ok((incident?.seconds ?? 0) >= 1);
  });

  test("the requests of a probe are counted, and kept to the day's caps", async () => {
    const ledger = modelCallsInMemory();
    const caps = { incident: WIDE, day: { ...WIDE, requests: 2 } };
    const meter = probesWithin({ caps, ledger, now: () => 1_000_000 });
    const usage = { prompt: 40, completion: 2, cached: 0 };
    const probe = async (used: typeof usage | null): Promise<string> =>
      await meter({ model: "m", tokens: 100, longestMs: 10 }, async () => {
        return { answer: "said", usage: used };
      });

    const told = [await probe(usage), await probe(null), await probe(usage)];

    assert.deepEqual(told.slice(0, 2), ["said", "said"]);
    assert.match(told[2] ?? "", /the day has had its 2 requests/);
    const { day } = ledger.modelCost({ incident: null, now: 1_000_000 });
    assert.deepEqual([day.requests, day.tokens], [2, 142]);
  });

  test("asks for no repair while repairs are paused, and goes on for skills", async () => {
    const scripted = new ScriptedModel(() => "answer");
    const { ledger, model } = within(scripted);
    ledger.setNote("paused", "yes");

    const [repair, skill] = [
      await model.complete(request("repair"), signal),
      await model.complete(request("skill"), signal),
    ];

    assert.deepEqual([repair.status, skill.status], ["over-budget", "complete"]);
    assert.match("reason" in repair ? repair.reason : "", /hone resume/);
  });

  test("gives back an answer that the ledger cannot take any more (B7)", async () => {
    const ledger = modelCallsInMemory();
    const full = (): void => {
      throw new HoneError("store-failed", "the disk is full");
    };
    const caps = { incident: WIDE, day: WIDE };
    const all = { caps, now: () => 1_000_000, longestMs: () => 1_000 };
    const scripted = watched(new ScriptedModel(() => "answer"));
    const model = budgeted(scripted, { ...all, ledger: { ...ledger, endModelCall: full } });

    const answer = await model.complete(request(), signal);

    assert.equal("text" in answer ? answer.text : "", "answer");
    const { day } = ledger.modelCost({ incident: null, now: 1_000_000 });
    assert.deepEqual([day.requests, day.tokens], [1, 103], "what was set aside stays spent");
  });

  test("what was aborted costs what was set aside for it", async () => {
    const { ledger, model } = within(new ScriptedModel(() => "answer"));

    await assert.rejects(model.complete(request(), AbortSignal.abort()));

    const { day } = ledger.modelCost({ incident: null, now: 1_000_000 });
    assert.deepEqual([day.requests, day.tokens], [1, 103]);
  });
});
