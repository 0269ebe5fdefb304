import assert from "node:assert/strict";
import { after, suite, test, type TestContext } from "node:test";
import { inspect } from "node:util";
import { builtInRewards } from "../../rewards/built-in/registry.ts";
import { createIsolateSandbox } from "../../src/adapters/isolate/isolate-sandbox.ts";
import { zodSchemaCheck } from "../../src/adapters/zod/zod-schema-check.ts";
import { HoneError } from "../../src/domain/errors.ts";
import type { RewardFunction } from "../../src/domain/reward-function.ts";
import type { Reward, RewardPart } from "../../src/domain/reward.ts";
import type { Program } from "../../src/domain/skill.ts";
import type { Outcome, Step } from "../../src/domain/trace.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { scoreRun, type RewardPorts, type RunToScore } from "../../src/stages/2-reward.ts";
import { aFetchTrace, aTrace } from "../support/ledger.ts";
import { aScoredSkill } from "../support/skill.ts";

const ERROR = { name: "Error", message: "broken", frames: [] };

suite("the score of a run", () => {
  test("is the weighted mean of its parts, with the components of each", async (t) => {
    const run = aRunBy([part("fine", 3), part("poor", 1)]);

    const reward = await scoreRun(
      run,
      portsWith({ fine: scoring(1), poor: scoring(0.2) }),
      t.signal,
    );

    assert.deepEqual(reward, {
      status: "scored",
      score: (3 * 1 + 1 * 0.2) / 4,
      components: { "fine.all": 1, "poor.all": 0.2 },
    });
  });

  test("leaves out a part that says nothing, and is unscored when none says anything", async (t) => {
    const ports = portsWith({ fine: scoring(1), silent: () => null });

    const one = await scoreRun(aRunBy([part("fine"), part("silent")]), ports, t.signal);
    const none = await scoreRun(aRunBy([part("silent")]), ports, t.signal);

    assert.equal(one.status === "scored" && one.score, 1);
    assert.equal(none.status, "unscored");
  });

  test("knows what was expected", async (t) => {
    const expectation = { kind: "value", value: 13 } as const;

    assert.deepEqual(await scoreByCode({ expectation }, t), scoredBy(0, { "code.outcome": 0 }));
    assert.deepEqual(
      await scoreByCode({ expectation: { kind: "value", value: 12 } }, t),
      scoredBy(1, { "code.outcome": 1 }),
    );
    assert.deepEqual(
      await scoreByCode({ expectation: { kind: "throws", message: "broken" }, trace: threw() }, t),
      scoredBy(1, { "code.outcome": 1 }),
    );
  });

  test("is 0 for an outcome known to be wrong that no part weighs", async (t) => {
    const run = { ...aRunBy([part("fine")]), expectation: { kind: "value", value: 13 } as const };

    const reward = await scoreRun(run, portsWith({ fine: scoring(1) }), t.signal);

    assert.deepEqual(reward, scoredBy(0, {}));
  });

  test("a reward that is asked for by a case expects nothing by itself", async (t) => {
    const expectation = { kind: "reward", atLeast: 1 } as const;

    assert.deepEqual(await scoreByCode({ expectation }, t), scoredBy(1, { "code.outcome": 1 }));
  });

  const voids: readonly Outcome[] = [
    { status: "timed-out", afterMs: 100 },
    { status: "crashed", reason: "SIGSEGV" },
    { status: "out-of-memory" },
    { status: "not-loaded", error: ERROR },
    { status: "bad-result", path: "result", reason: "a function" },
    { status: "never-settled" },
    { status: "unhandled-rejection", error: ERROR },
  ];
  for (const outcome of voids) {
    test(`is exactly 0 when the run ended as ${outcome.status}, whatever the parts say`, async (t) => {
      const generous = { all: scoring(1), silent: () => null };
      const run = { ...aRunBy([part("all"), part("silent")]), trace: aTrace({ outcome }) };

      assert.deepEqual(await scoreRun(run, portsWith(generous), t.signal), scoredBy(0, {}));
    });
  }

  test("is none where the world was out of reach (T17)", async (t) => {
    const [step] = aFetchTrace({ status: 200 }, threw().outcome).steps as [Step];
    const answers = [
      { id: 1, status: "rejected", name: "TypeError", message: "", cause: "network" } as const,
    ];
    const trace = { ...threw(), steps: [{ ...step, answers }] };

    assert.equal((await scoreByCode({ trace }, t)).status, "unscored");
  });

  for (const wrong of [true, "1", NaN, Infinity, -Infinity, 1.000001, -0.1, null, [1], {}]) {
    test(`is a bad reward when a part answers ${inspect(wrong)} (B4)`, async (t) => {
      const lying = { ...portsWith({}), builtIn: () => () => ({ score: wrong, components: {} }) };

      const reward = await scoreRun(
        aRunBy([part("lying")]),
        lying as unknown as RewardPorts,
        t.signal,
      );

      assert.equal(reward.status, "bad-reward");
    });
  }

  test("is a bad reward when a component is none, or when there is no such reward", async (t) => {
    const broken: RewardFunction = () => ({ score: 1, components: { speed: 2 } });

    const component = await scoreRun(aRunBy([part("b")]), portsWith({ b: broken }), t.signal);
    const missing = await scoreRun(aRunBy([part("nowhere")]), portsWith({}), t.signal);

    assert.match(reasonOf(component), /2 as its component speed/);
    assert.match(reasonOf(missing), /no file rewards\/nowhere\.ts/);
  });
});

suite("a reward of the workspace, behind the wall", () => {
  const sandbox = createIsolateSandbox({ warm: 1, most: 2 });
  after(() => sandbox[Symbol.asyncDispose]());
  const scoreBy = (body: string, t: TestContext): Promise<Reward> =>
    scoreRun(
      aRunBy([{ use: "mine", weight: 1, with: { least: 10 } }]),
      { ...portsWith({}), userReward: (name) => (name === "mine" ? aReward(body) : null), sandbox },
      t.signal,
    );

  test("is shown the trace and its context, and answers with a number or with components", async (t) => {
    assert.deepEqual(
      await scoreBy("return context.value >= context.with.least ? 0.75 : 0;", t),
      scoredBy(0.75, {}),
    );
    assert.deepEqual(
      await scoreBy("return { score: 1, components: { seed: trace.environment.seed / 10 } };", t),
      scoredBy(1, { "mine.seed": 0.7 }),
    );
  });

  for (const [what, body, reason] of [
    ["chance", "return Math.random();", /two answers differ/],
    ["the clock", "return Date.now() % 1000 / 1000;", /two answers differ/],
    ["what an earlier call left", "globalThis.n = (globalThis.n ?? 0) + 1; return n / 2;", null],
  ] as const) {
    test(`cannot depend on ${what}`, async (t) => {
      const reward = await scoreBy(body, t);

      if (reason === null) assert.deepEqual(reward, scoredBy(0.5, {}));
      else assert.match(reasonOf(reward), reason);
    });
  }

  for (const [body, reason] of [
    ["return true;", /answered true/],
    ["return '1';", /answered "1"/],
    ["return NaN;", /bad_result/],
    ["return 1 / 0;", /bad_result/],
    ["return 1.5;", /answered 1.5/],
    ["return -1;", /answered -1/],
    ["return { score: 1, components: { a: '1' } };", /"1" as its component a/],
    ["return { components: {} };", /answered nothing/],
    ["throw new Error('no');", /threw Error: no/],
    ["return new Promise(() => undefined);", /never settles/],
  ] as const) {
    test(`is a bad reward: ${body}`, async (t) => {
      assert.match(reasonOf(await scoreBy(body, t)), reason);
    });
  }

  test("a wall that cannot be put up says nothing of the run", async (t) => {
    const ports = {
      ...portsWith({}),
      userReward: () => aReward("return 1;"),
      sandbox: failingSandbox(new HoneError("sandbox-unavailable", "no guest")),
    };

    assert.equal((await scoreRun(aRunBy([part("mine")]), ports, t.signal)).status, "unscored");
  });

  test("an aborted scoring rejects with the reason", async () => {
    const reason = new Error("the daemon stops");
    const ports = {
      ...portsWith({}),
      userReward: () => aReward("return 1;"),
      sandbox: failingSandbox(reason),
    };

    await assert.rejects(
      scoreRun(aRunBy([part("mine")]), ports, AbortSignal.abort(reason)),
      reason,
    );
  });
});

function part(use: string, weight = 1): RewardPart {
  return { use, weight, with: {} };
}

function aRunBy(parts: readonly RewardPart[]): RunToScore {
  const skill = aScoredSkill(parts);
  return { skill, input: { text: "12 €" }, trace: aTrace(), expectation: null, kv: {} };
}

function threw(): ReturnType<typeof aTrace> {
  return aTrace({ outcome: { status: "threw", error: ERROR } });
}

function scoring(score: number): RewardFunction {
  return () => ({ score, components: { all: score } });
}

function scoreByCode(overrides: Partial<RunToScore>, t: TestContext): Promise<Reward> {
  const ports = { ...portsWith({}), builtIn: builtInRewards(zodSchemaCheck) };
  return scoreRun({ ...aRunBy([part("code")]), ...overrides }, ports, t.signal);
}

function portsWith(builtIn: Readonly<Record<string, RewardFunction>>): RewardPorts {
  return {
    builtIn: (use) => builtIn[use] ?? null,
    userReward: () => null,
    sandbox: failingSandbox(new Error("no reward of the workspace is used")),
  };
}

function failingSandbox(error: Error): Sandbox {
  return {
    tier: "isolate",
    execute: () => Promise.reject(error),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function aReward(body: string): Program {
  const text = `function mine(trace, context) { ${body} }`;
  return { text, entry: "mine", strict: true, takesCtx: false };
}

function scoredBy(score: number, components: Readonly<Record<string, number>>): Reward {
  return { status: "scored", score, components };
}

function reasonOf(reward: Reward): string {
  return reward.status === "scored"
    ? `scored ${reward.score}`
    : `${reward.status} ${reward.reason}`;
}
