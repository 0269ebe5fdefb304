import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../../support/property.ts";
import { createCapabilityHosts } from "../../../src/adapters/capabilities/capability-hosts.ts";
import type { Json } from "../../../src/domain/json.ts";
import type { Capabilities } from "../../../src/domain/skill.ts";
import type { Answer, Request, Step, Trace } from "../../../src/domain/trace.ts";
import type { CapabilityHosts, SkillCaller } from "../../../src/ports/capabilities.ts";
import type { CapabilityHost } from "../../../src/ports/sandbox.ts";
import { kvStore } from "../../support/kv-store.ts";
import { type Deed, programOf, randomTasks } from "../../support/random-program.ts";
import { Refusal, runAgainst, type Told } from "../../support/stand-in-guest.ts";

const GRANTED: Capabilities = { fetch: ["api.test"], kv: true, skills: ["other"] };

/** A live world whose answers take a time of their own, drawn from `delays`. */
function unevenWorld(delays: readonly number[]): {
  hosts: CapabilityHosts;
  callSkill: SkillCaller;
} {
  let drawn = 0;
  const someTime = async (): Promise<number> => {
    const n = drawn;
    drawn += 1;
    const ms = delays[n % delays.length] ?? 0;
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    return n;
  };
  const fetch = async (): Promise<Response> => {
    const n = await someTime();
    if (n % 5 === 4) throw new TypeError("fetch failed", { cause: new Error(`reset ${n}`) });
    return new Response(`answer ${n}`, { status: n % 3 === 0 ? 503 : 200 });
  };
  const callSkill = async (_: string, input: Json): Promise<Json> => {
    const n = await someTime();
    if (n % 2 === 0) throw new RangeError(`call ${n}`);
    return { n, input };
  };
  return { hosts: createCapabilityHosts({ store: kvStore(), now: Date.now, fetch }), callSkill };
}

async function recordedRun(
  tasks: readonly (readonly Deed[])[],
  delays: readonly number[],
): Promise<{ readonly told: Told; readonly trace: Trace; readonly hosts: CapabilityHosts }> {
  const { hosts, callSkill } = unevenWorld(delays);
  const now = Date.now();
  const told = await runAgainst(hosts.live(GRANTED, "mine", callSkill), programOf(tasks), now);
  return { told, trace: traceOf(told.steps, now), hosts };
}

function traceOf(steps: readonly Step[], now = 0): Trace {
  return {
    environment: { now, seed: 1 },
    grants: [],
    steps,
    logs: [],
    outcome: { status: "returned", value: null },
    usage: { wallMs: 0, cpuMs: 0, heapBytes: 0 },
  };
}

function replayHost(steps: readonly Step[], now = 0): CapabilityHost {
  return unevenWorld([]).hosts.replay(traceOf(steps, now));
}

function get(id: number, path: string): Request {
  return { id, kind: "fetch", args: { url: path, method: "GET", headers: {}, body: null } };
}

function body(id: number, text: string): Answer {
  return { id, status: "resolved", value: text };
}

async function tellAll(host: CapabilityHost, requests: readonly Request[]): Promise<unknown[]> {
  const told: unknown[] = [];
  for (let asked = requests; ; asked = []) {
    const { answers, now } = await host.next(asked, new AbortController().signal);
    if (answers.length === 0) return told;
    told.push([now, ...answers.map(({ id }) => id)]);
  }
}

test("a recorded live run is told again, step by step, bit for bit", async () => {
  const delays = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 7 });
  const property = fc.asyncProperty(randomTasks, delays, async (tasks, delays) => {
    const { told, trace, hosts } = await recordedRun(tasks, delays);

    const again = await runAgainst(hosts.replay(trace), programOf(tasks), trace.environment.now);

    assert.equal(JSON.stringify(again), JSON.stringify(told));
  });

  await fc.assert(property, { numRuns: 60 });
});

test("a replay asks nothing of the live world", async () => {
  const { trace } = await recordedRun([[{ do: "fetch", path: "/1" }]], [1]);
  const hosts = createCapabilityHosts({
    store: kvStore(),
    now: () => assert.fail("the clock"),
    fetch: () => assert.fail("the web"),
  });

  const { result } = await runAgainst(
    hosts.replay(trace),
    programOf([[{ do: "fetch", path: "/1" }]]),
    trace.environment.now,
  );

  assert.match(JSON.stringify(result), /answer 0/);
});

test("a program that asks in any other order is answered to its end", async () => {
  const delays = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 5 });
  const property = fc.asyncProperty(randomTasks, delays, async (tasks, delays) => {
    const { trace, hosts } = await recordedRun(tasks, delays);
    const oneAfterTheOther = [tasks.flat().toReversed()];

    const { result } = await runAgainst(hosts.replay(trace), programOf(oneAfterTheOther), 0);

    assert.ok(Array.isArray(result), "the program came to its end");
    assert.equal(result.length, tasks.flat().length);
    assert.doesNotMatch(JSON.stringify(result), /NotRecorded/);
  });

  await fc.assert(property, { numRuns: 40 });
});

test("equal requests get the recorded answers in the order of asking", async () => {
  const steps = [
    { requests: [get(1, "/a"), get(2, "/a")], answers: [body(2, "second")], now: 10 },
    { requests: [], answers: [body(1, "first")], now: 20 },
  ];

  assert.deepEqual(await tellAll(replayHost(steps), [get(7, "/a"), get(8, "/a")]), [
    [10, 8],
    [20, 7],
  ]);
});

test("of what is pending, the earliest recorded is told, and the clock does not go back", async () => {
  const steps = [
    { requests: [get(1, "/a")], answers: [body(1, "a")], now: 10 },
    { requests: [get(2, "/b")], answers: [body(2, "b")], now: 20 },
    { requests: [get(3, "/c")], answers: [body(3, "c")], now: 30 },
  ];
  const host = replayHost(steps);

  assert.deepEqual(await tellAll(host, [get(1, "/c")]), [[30, 1]]);
  assert.deepEqual(await tellAll(host, [get(2, "/b"), get(3, "/a")]), [
    [30, 3],
    [30, 2],
  ]);
});

test("a request that was not recorded is refused at once, and so is one too many", async () => {
  const steps = [{ requests: [get(1, "/a")], answers: [body(1, "a")], now: 10 }];
  const host = replayHost(steps, 5);

  const { answers, now } = await host.next(
    [get(1, "/a"), get(2, "/a"), get(3, "/new")],
    new AbortController().signal,
  );

  assert.equal(now, 5);
  assert.deepEqual(
    answers.map(({ id, status }) => [id, status]),
    [
      [2, "rejected"],
      [3, "rejected"],
    ],
  );
  const [refused] = answers;
  assert.ok(refused?.status === "rejected" && refused.cause === "unrecorded");
  assert.match(new Refusal(refused).message, /^fetch .*"url":"\/a".* is not recorded\./);
  assert.deepEqual(await tellAll(host, []), [[10, 1]]);
});

test("a request that the recorded run did not see answered stays open", async () => {
  const steps = [{ requests: [get(1, "/a")], answers: [], now: 30 }];

  assert.deepEqual(await replayHost(steps).next([get(1, "/a")], new AbortController().signal), {
    answers: [],
    now: 30,
  });
});
