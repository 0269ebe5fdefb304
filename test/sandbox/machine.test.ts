import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createCapabilityHosts } from "../../src/adapters/capabilities/capability-hosts.ts";
import { createIsolateSandbox } from "../../src/adapters/isolate/isolate-sandbox.ts";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import type { Outcome } from "../../src/domain/trace.ts";
import { inspectMachine } from "../../src/editor/machine/inspect-machine.ts";
import { aCall, execute, LIMITS } from "../support/executions.ts";

const sandbox = createIsolateSandbox({ warm: 1, most: 2 });
after(() => sandbox[Symbol.asyncDispose]());

type Skills = Readonly<Record<string, (input: JsonObject) => Json>>;

/** Runs a machine in a guest; its skills are functions of the host. */
async function run(
  states: object,
  {
    skills = {},
    input = {},
    events = [],
    root = {},
  }: {
    readonly skills?: Skills;
    readonly input?: JsonObject;
    readonly events?: readonly JsonObject[];
    readonly root?: object;
  } = {},
): Promise<Outcome> {
  const config = { id: "m", initial: "a", ...root, states };
  const text = `export const machine = ${JSON.stringify(config)};\n`;
  const inspected = inspectMachine({ text, language: "machine", entry: null });
  assert.ok(inspected.status === "sound", JSON.stringify(inspected));
  const hosts = createCapabilityHosts({ store: null, now: Date.now });
  const host = hosts.live({ skills: Object.keys(skills) }, "m", async (name, given) => {
    const skill = skills[name];
    if (skill === undefined) throw new Error(`there is no skill ${name}`);
    return skill(given);
  });
  const call = aCall({ args: [input, [...events]], host });
  const { program } = inspected;
  const [result] = await execute(sandbox, { program, calls: [call], limits: LIMITS, fresh: true });
  assert.ok(result !== undefined);
  return result.trace.outcome;
}

function valueOf(outcome: Outcome): JsonObject {
  assert.ok(outcome.status === "returned", JSON.stringify(outcome));
  return outcome.value as JsonObject;
}

const FINAL = { type: "final" };

test("the initial state is entered once, and its skills are asked once", async () => {
  const asked: string[] = [];
  const note = (name: string, value: Json) => (): Json => {
    asked.push(name);
    return value;
  };
  const outcome = await run(
    { a: { entry: "enter", on: { GO: { guard: "may", target: "b" } } }, b: FINAL },
    {
      skills: { enter: note("enter", { n: 1 }), may: note("may", true) },
      events: [{ type: "GO" }],
    },
  );

  assert.deepEqual(valueOf(outcome), { state: "b", done: true, output: null, context: { n: 1 } });
  assert.deepEqual(asked, ["enter", "may"]);
});

test("an action's skill sees what the one before it left in the context", async () => {
  const add = ({ n }: JsonObject): Json => ({ n: Number(n) + 1 });
  const outcome = await run(
    { a: { on: { GO: { target: "b", actions: ["add", "add"] } } }, b: { entry: "add", ...FINAL } },
    { skills: { add }, input: { n: 0 }, events: [{ type: "GO" }] },
  );

  assert.deepEqual(valueOf(outcome)["context"], { n: 3 });
});

test("params come before the event, and the event before the context", async () => {
  const seen: JsonObject[] = [];
  const note = (given: JsonObject): Json => {
    seen.push(given);
    return null;
  };
  await run(
    {
      a: { on: { GO: { target: "b", actions: { type: "note", params: { c: 3 } } } } },
      b: FINAL,
    },
    { skills: { note }, input: { a: 1, b: 1, c: 1 }, events: [{ type: "GO", b: 2, c: 2 }] },
  );

  assert.deepEqual(seen, [{ a: 1, b: 2, c: 3 }]);
});

test("delayed transitions come when no more events do, in the order of their delays", async () => {
  const outcome = await run({
    a: { after: { 20: "b", 5: "c" } },
    b: FINAL,
    c: { after: { 1: "d" } },
    d: FINAL,
  });

  assert.equal(valueOf(outcome)["state"], "d");
});

test("a delay of a state that was left is forgotten", async () => {
  const outcome = await run(
    { a: { after: { 5: "b" }, on: { GO: "c" } }, b: FINAL, c: { on: { BACK: "a" } } },
    { events: [{ type: "GO" }] },
  );

  assert.equal(valueOf(outcome)["state"], "c");
});

test("regions run beside each other, and a machine is done with all of them", async () => {
  const region = { initial: "x", states: { x: { on: { GO: "y" } }, y: FINAL } };
  const outcome = await run(
    { a: { type: "parallel", onDone: "b", states: { p: region, q: region } }, b: FINAL },
    { events: [{ type: "GO" }] },
  );

  assert.equal(valueOf(outcome)["state"], "b");
});

test("an error of an invoked skill leads on, and says what it was", async () => {
  const outcome = await run(
    {
      a: {
        invoke: { src: "work", onDone: "b", onError: { target: "c", actions: "note" } },
      },
      b: FINAL,
      c: FINAL,
    },
    {
      skills: {
        work: () => {
          throw new RangeError("too far");
        },
        note: ({ error }) => ({ why: (error as JsonObject)["message"] ?? null }),
      },
    },
  );

  assert.deepEqual(valueOf(outcome), {
    state: "c",
    done: true,
    output: null,
    context: { why: "too far" },
  });
});

test("an error of a guard or an action ends the run with that error", async () => {
  const fail = (): Json => {
    throw new Error("no answer");
  };
  const guarded = { a: { on: { GO: { guard: "fail", target: "b" } } }, b: FINAL };
  const acting = { a: { on: { GO: { actions: "fail", target: "b" } } }, b: FINAL };

  for (const states of [guarded, acting]) {
    const outcome = await run(states, { skills: { fail }, events: [{ type: "GO" }] });
    assert.ok(outcome.status === "threw", JSON.stringify(outcome));
    assert.match(outcome.error.message, /no answer/);
  }
});

test("a machine that goes round for ever ends, by itself or by the clock", async () => {
  const skills = { yes: () => true, work: () => null };
  const round = {
    a: { invoke: { src: "work", onDone: "b", onError: "c" } },
    b: { always: { guard: "yes", target: "a" }, on: { END: "c" } },
    c: FINAL,
  };
  const spinning = {
    a: { always: { guard: "yes", target: "b" }, on: { END: "c" } },
    b: { always: { guard: "yes", target: "a" }, on: { END: "c" } },
    c: FINAL,
  };

  const statuses = [
    (await run(round, { skills })).status,
    (await run(spinning, { skills })).status,
  ];

  for (const status of statuses)
    assert.ok(["threw", "timed-out", "out-of-memory"].includes(status));
});

test("events after the end change nothing, and strange ones are no events of the machine", async () => {
  const outcome = await run(
    { a: { on: { GO: "b" } }, b: FINAL },
    { events: [{ type: "" }, { type: "__proto__" }, { type: "GO" }, { type: "GO" }] },
  );

  assert.deepEqual(valueOf(outcome)["state"], "b");
});
