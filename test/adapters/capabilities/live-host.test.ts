import assert from "node:assert/strict";
import { test } from "node:test";
import { createCapabilityHosts } from "../../../src/adapters/capabilities/capability-hosts.ts";
import { HoneError } from "../../../src/domain/errors.ts";
import type { Json } from "../../../src/domain/json.ts";
import type { Capabilities } from "../../../src/domain/skill.ts";
import type { Answer, Request } from "../../../src/domain/trace.ts";
import type { SkillCaller } from "../../../src/ports/capabilities.ts";
import type { CapabilityHost } from "../../../src/ports/sandbox.ts";
import { kvStore } from "../../support/kv-store.ts";
import { runAgainst } from "../../support/stand-in-guest.ts";
import { webServer } from "../../support/web-server.ts";

const NEVER = new AbortController().signal;
const ALL: Capabilities = { fetch: [], kv: true, clock: true, skills: ["other"] };

const nobody: SkillCaller = () => Promise.reject(new Error("no other skill"));

function liveHost(
  granted: Capabilities = ALL,
  given: {
    readonly callSkill?: SkillCaller;
    readonly now?: () => number;
    readonly store?: ReturnType<typeof kvStore>;
    readonly skill?: string;
  } = {},
): CapabilityHost {
  const { callSkill = nobody, now = Date.now, store = kvStore(), skill = "mine" } = given;
  return createCapabilityHosts({ store, now, fetch }).live(granted, skill, callSkill);
}

function aRequest(kind: string, args: Json, id = 1): Request {
  return { id, kind, args };
}

async function answerOf(host: CapabilityHost, kind: string, args: Json): Promise<Answer> {
  const { answers } = await host.next([aRequest(kind, args)], NEVER);
  assert.equal(answers.length, 1);
  return answers[0] as Answer;
}

test("key-value state is kept per skill, beyond the call", async () => {
  const store = kvStore();
  const host = liveHost(ALL, { store });

  await answerOf(host, "kv.set", { key: "a/1", value: { n: [1, null] } });
  await answerOf(host, "kv.set", { key: "a/2", value: 2 });
  await answerOf(host, "kv.set", { key: "b", value: 3 });
  await answerOf(host, "kv.delete", { key: "a/2" });

  const later = liveHost(ALL, { store });
  const found = await answerOf(later, "kv.get", { key: "a/1" });
  const gone = await answerOf(later, "kv.get", { key: "a/2" });
  const listed = await answerOf(later, "kv.list", { prefix: "a" });
  const others = await answerOf(liveHost(ALL, { store, skill: "other" }), "kv.list", {
    prefix: "",
  });
  assert.deepEqual(
    [found, gone, listed, others].map((answer) => answer.status === "resolved" && answer.value),
    [{ n: [1, null] }, null, ["a/1"], []],
  );
});

test("what the manifest does not grant is denied, and nothing happens", async () => {
  const store = kvStore();
  const host = liveHost({}, { store, callSkill: () => assert.fail("must not be called") });

  for (const [kind, args] of [
    ["fetch", { url: "https://api.test/", method: "GET", headers: {}, body: null }],
    ["kv.set", { key: "a", value: 1 }],
    ["kv.get", { key: "a" }],
    ["skills.call", { name: "other", input: {} }],
  ] as const) {
    const answer = await answerOf(host, kind, args);
    assert.ok(answer.status === "rejected" && answer.cause === "denied", kind);
    assert.match(answer.message, /is not granted\. Name it under "capabilities" in SKILL\.md/);
  }
  assert.deepEqual(store.kvList("mine", ""), []);
});

test("a skill may call only the skills that are named", async () => {
  const host = liveHost(
    { skills: ["other"] },
    { callSkill: async (name, input) => ({ name, input }) },
  );

  const called = await answerOf(host, "skills.call", { name: "other", input: { n: 1 } });
  const refused = await answerOf(host, "skills.call", { name: "toString", input: {} });

  assert.deepEqual(called, {
    id: 1,
    status: "resolved",
    value: { name: "other", input: { n: 1 } },
  });
  assert.ok(refused.status === "rejected" && refused.cause === "denied");
});

test("the error of a called skill is told by its name and message", async () => {
  const host = liveHost(ALL, { callSkill: () => Promise.reject(new RangeError("too far")) });

  assert.deepEqual(await answerOf(host, "skills.call", { name: "other", input: {} }), {
    id: 1,
    status: "rejected",
    name: "RangeError",
    message: "too far",
    cause: "failed",
  });
});

test("a fault of hone's own is no answer", async () => {
  const broken = new HoneError("store-failed", "the ledger is full");
  const store = {
    ...kvStore(),
    kvGet: () => {
      throw broken;
    },
  };
  const noSandbox = new HoneError("sandbox-unavailable", "no guest could be started");

  await assert.rejects(answerOf(liveHost(ALL, { store }), "kv.get", { key: "a" }), broken);
  await assert.rejects(
    answerOf(liveHost(ALL, { callSkill: () => Promise.reject(noSandbox) }), "skills.call", {
      name: "other",
      input: {},
    }),
    noSandbox,
  );
});

test("requests that ctx never makes are answered, not believed", async () => {
  const host = liveHost();

  for (const [kind, args] of [
    ["fetch", null],
    ["fetch", { url: 5 }],
    ["kv.get", { key: 5 }],
    ["kv.set", { key: "a" }],
    ["kv.list", []],
    ["skills.call", { name: "other", input: "text" }],
    ["process.exit", {}],
    ["__proto__", {}],
  ] as const) {
    const answer = await answerOf(host, kind, args);
    assert.ok(
      answer.status === "rejected" && answer.cause === "failed",
      `${kind} ${JSON.stringify(args)}`,
    );
  }
});

test("the first to settle is told first, and what has settled meanwhile with it", async () => {
  const slow = Promise.withResolvers<Json>();
  const host = liveHost(ALL, { callSkill: () => slow.promise });

  const first = await host.next(
    [
      aRequest("skills.call", { name: "other", input: {} }, 1),
      aRequest("kv.get", { key: "a" }, 2),
      aRequest("timer", { ms: 5 }, 3),
    ],
    NEVER,
  );
  const second = await host.next([], NEVER);
  slow.resolve("done");
  const third = await host.next([], NEVER);

  assert.deepEqual(
    [first, second, third].map(({ answers }) => answers.map(({ id }) => id)),
    [[2], [3], [1]],
  );
});

test("timers go off in the order of their time, whatever the order of asking", async () => {
  const { result } = await runAgainst(
    liveHost(),
    async ({ sleep }) => {
      const seen: number[] = [];
      await Promise.all(
        [40, 5, 20, 0].map(async (ms) => {
          await sleep(ms);
          seen.push(ms);
        }),
      );
      return seen;
    },
    Date.now(),
  );

  assert.deepEqual(result, [0, 5, 20, 40]);
});

test("a timer is never early", async () => {
  const before = performance.now();
  await liveHost().next([aRequest("timer", { ms: 30 })], NEVER);

  assert.ok(performance.now() - before >= 30);
});

test("the clock never goes back", async () => {
  const readings = [1_000, 2_000, 1_500, 2_500];
  const host = liveHost(ALL, { now: () => readings.shift() ?? 0 });

  const told: number[] = [];
  for (let n = 0; n < 3; n += 1)
    told.push((await host.next([aRequest("kv.get", { key: "a" })], NEVER)).now);

  assert.deepEqual(told, [2_000, 2_000, 2_500]);
});

test("with nothing under way, nothing will ever come", async () => {
  assert.deepEqual((await liveHost().next([], NEVER)).answers, []);
});

test("an abort ends the waiting with its reason", async () => {
  const controller = new AbortController();
  const reason = new Error("deadline");
  const host = liveHost();

  const waiting = host.next([aRequest("timer", { ms: 60_000 })], controller.signal);
  setTimeout(() => controller.abort(reason), 10);

  await assert.rejects(waiting, reason);
  await assert.rejects(host.next([], controller.signal), reason);
});

test("a host with timers left holds no process", async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const requests = [aRequest("timer", { ms: 3_600_000 }, 1), aRequest("kv.get", { key: "a" }, 2)];

  await liveHost().next(requests, NEVER);

  const after = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  assert.equal(after, before);
});

test("ten thousand requests may wait, and no more", async () => {
  const flood = Array.from({ length: 10_002 }, (_, id) => aRequest("timer", { ms: 60_000 }, id));

  const { answers } = await liveHost().next(flood, NEVER);

  assert.deepEqual(
    answers.map(({ id }) => id),
    [10_000, 10_001],
  );
  assert.ok(
    answers.every((answer) => answer.status === "rejected" && answer.name === "RangeError"),
  );
});

test("at most thirty-two fetches of a run are on their way at a time, and all are answered", async () => {
  let open = 0;
  let most = 0;
  await using server = await webServer((_, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end("ok");
    }, 5);
  });

  const { result } = await runAgainst(
    liveHost({ fetch: [server.host] }),
    async ({ fetch }) => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => fetch(`${server.origin}/${n}`)),
      );
      return answers.filter(({ status }) => status === 200).length;
    },
    Date.now(),
  );

  assert.equal(result, 100);
  assert.ok(most <= 32, `${most} at a time`);
});
