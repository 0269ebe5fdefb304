import assert from "node:assert/strict";
import test from "node:test";
import vm from "node:vm";
import * as fc from "../../../support/property.ts";
import type { Json } from "../../../../src/domain/json.ts";
import {
  markText,
  recorderText,
  type ProbePlan,
} from "../../../../src/proposers/search/synthesis/recorder.ts";
import {
  decoded,
  encoded,
  keyOfValue,
  NO_VALUE,
} from "../../../../src/proposers/search/synthesis/values.ts";

type Answer = {
  readonly outcome: readonly Json[];
  readonly counts: readonly number[];
  readonly notes: readonly { readonly atoms: readonly Json[]; readonly was: Json }[];
};
type Call = (plan: ProbePlan, ...args: readonly unknown[]) => Answer | Promise<Answer>;

const PLAN: ProbePlan = { watch: [1], keep: [[2, 4]], force: null, fuel: 1_000 };

function probeOf(program: string): Call {
  const told = vm.runInNewContext(
    `${program}${recorderText("f")};(plan,args)=>__hone_probe(JSON.parse(plan),...JSON.parse(args))`,
  ) as (plan: string, args: string) => unknown;
  const read = (answer: unknown): Answer => JSON.parse(JSON.stringify(answer)) as Answer;
  return (plan, ...args) => {
    const answer = told(JSON.stringify(plan), JSON.stringify(args));
    return answer !== null && typeof answer === "object" && "then" in answer
      ? (answer as Promise<unknown>).then(read)
      : read(answer);
  };
}

const LOOP = `function f(n) {
  let sum = 0;
  for (let i = 0; i < n; i += 1) sum += __hone_was(0, ${markText(0, ["i", "later"])}, i * 2);
  let later = 1;
  return sum;
}`;

test("notes the first and last turns of a hole, and counts them all", async () => {
  const { outcome, counts, notes } = await probeOf(LOOP)(PLAN, 6);

  assert.deepEqual(outcome, ["returned", 30]);
  assert.deepEqual(counts, [6]);
  assert.deepEqual(
    notes.map(({ atoms, was }) => [atoms[0], was]),
    [0, 1, 4, 5].map((i) => [i, i * 2]),
  );
});

test("a name that is not there yet has no value", async () => {
  const { notes } = await probeOf(LOOP)(PLAN, 1);

  assert.equal(decoded(notes[0]?.atoms[1]), NO_VALUE);
});

test("puts values into a hole turn by turn, and leaves it alone where it is told to", async () => {
  const force = { hole: 0, turns: [{ k: 0 }, 100], rest: { k: 0 } };

  const { outcome, notes } = await probeOf(LOOP)({ ...PLAN, force }, 3);

  assert.deepEqual(outcome, ["returned", 0 + 100 + 4]);
  assert.equal(notes[1]?.was, 100);
});

test("a hole that is not watched is passed by", async () => {
  const force = { hole: 0, turns: [], rest: 5 };

  const { outcome, counts, notes } = await probeOf(LOOP)({ ...PLAN, watch: [0], force }, 3);

  assert.deepEqual([outcome, counts, notes], [["returned", 6], [], []]);
});

test("tells what was thrown, now or later, and follows a promise", async () => {
  const thrown = await probeOf("function f() { throw new TypeError('no'); }")(PLAN);
  const rejected = await probeOf("async function f() { throw new RangeError('far'); }")(PLAN);
  const kept = await probeOf("async function f(x) { return x + 1; }")(PLAN, 1);

  assert.deepEqual(thrown.outcome, ["threw", "TypeError", "no"]);
  assert.deepEqual(rejected.outcome, ["threw", "RangeError", "far"]);
  assert.deepEqual(kept.outcome, ["returned", 2]);
});

test("a call keeps nothing of the one before", async () => {
  const call = probeOf(LOOP);

  const first = await call(PLAN, 6);
  const second = await call(PLAN, 6);

  assert.deepEqual(second, first);
});

test("what is written can be read again, whatever plain value it is", () => {
  const call = probeOf("function f(x) { return x; }");
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const { outcome } = call(PLAN, value) as Answer;
      assert.equal(
        keyOfValue(decoded(outcome[1]) as never),
        keyOfValue(decoded(encoded(value)) as never),
      );
    }),
    { numRuns: 200 },
  );
});

test("what no data is has no value, and numbers that JSON has not are numbers", async () => {
  const { outcome } = await probeOf("function f() { return [NaN, -0, undefined]; }")(PLAN);
  const none = await probeOf("function f() { return [() => 1, new Map()]; }")(PLAN);

  assert.deepEqual(decoded(outcome[1]), [NaN, -0, undefined]);
  assert.equal(decoded(none.outcome[1]), NO_VALUE);
});

test("an answer of any form is read without harm", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = decoded(value);
      if (read !== NO_VALUE) assert.equal(typeof keyOfValue(read), "string");
    }),
  );
});
