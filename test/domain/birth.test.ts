import assert from "node:assert/strict";
import { test } from "node:test";
import { splitExamples, typed, type Wanted } from "../../src/domain/birth.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { probationOf } from "../../src/domain/probation.ts";
import { dependantsOf, retirementReason } from "../../src/domain/retirement.ts";
import { skillFilesOf } from "../../src/domain/skill-text.ts";
import { blankOf, sketchesOf } from "../../src/domain/sketch.ts";
import { typeOfValues } from "../../src/domain/value-types.ts";
import { aCase } from "../support/shop.ts";

const DAY_MS = 86_400_000;

const WANTED: Wanted = {
  name: "initials-of",
  description: "Initials of a name.",
  parameters: [{ name: "name", type: "string" }],
  result: "string",
  capabilities: {},
  body: null,
  by: "Ann",
};

test("which examples are set aside follows from their questions, not from their order", () => {
  const examples = Array.from({ length: 10 }, (_, at) => aCase(`case ${at}`, at));

  const there = splitExamples("s", examples, 0.3);
  const back = splitExamples("s", examples.toReversed(), 0.3);

  assert.deepEqual([there.visible.length, there.heldOut.length], [7, 3]);
  assert.deepEqual(
    new Set(there.heldOut.map(({ name }) => name)),
    new Set(back.heldOut.map(({ name }) => name)),
  );
});

test("two examples at least are left to learn from", () => {
  const examples = [aCase("a", 1), aCase("b", 2), aCase("c", 3)];

  assert.equal(splitExamples("s", examples, 0.9).visible.length, 2);
});

test("the types of values are the narrowest that all of them have", () => {
  assert.equal(typeOfValues(["a", "b"]), "string");
  assert.equal(typeOfValues([1, null]), "number | null");
  assert.equal(typeOfValues([[1, "a"], []]), "(number | string)[]");
  assert.equal(typeOfValues([{ a: 1, b: "x" }, { a: 2 }]), "{ a: number; b?: string }");
  assert.equal(typeOfValues([{ a: 1 }, { b: 2 }]), "Record<string, number>");
  assert.equal(typeOfValues([{ "a b": true }]), '{ "a b": boolean }');
});

test("hidden values widen a type, and no member that only they have is named", () => {
  assert.equal(typeOfValues([1], [null, 2]), "number | null");
  assert.equal(typeOfValues([1], [{ secret: 1 }]), "number | Record<string, unknown>");
  assert.equal(
    typeOfValues([{ a: 1, b: "x" }], [{ a: 2, secret: [{ inner: 1 }] }]),
    "{ a: number; b?: string; [name: string]: unknown }",
  );
  assert.equal(
    typeOfValues([[{ a: 1 }]], [[], [{ secret: 1 }]]),
    "{ a?: number; [name: string]: unknown }[]",
  );
  assert.equal(typeOfValues([[]], [[{ secret: 1 }]]), "unknown[]");
  assert.equal(typeOfValues([], [{ secret: 1 }]), "unknown");
  assert.equal(
    typeOfValues([{ a: 1 }, { b: 2 }], [{ secret: "x" }]),
    "Record<string, number | string>",
  );
});

test("an example that alone gives a parameter, or alone has a result, is never set aside", () => {
  const first = aCase("first", 1);
  for (const at of [1, 2, 3, 4, 5, 6]) {
    const lone = { ...aCase(`lone ${at}`, at * 10), args: [at * 10, "also"] };
    const others = [2, 3, 4, 5].map((n) => ({ ...aCase(`c ${n}`, n * at), args: [n * at, null] }));
    const { visible, heldOut } = splitExamples("s", [first, lone, ...others], 0.7);
    assert.ok(visible.includes(lone));
    assert.ok(heldOut.length > 0);

    const thrown = others.map((one) => ({
      ...one,
      expectation: { kind: "throws", message: "no" } as const,
    }));
    assert.ok(splitExamples("s", [lone, ...thrown], 0.7).visible.includes(lone));
  }
});

test("types follow from the visible examples", () => {
  const { parameters, result, ...untyped } = WANTED;
  const wanted = { ...untyped, parameters: parameters.map(({ name }) => name) };
  const example = (value: JsonObject) => ({ ...aCase("c", 1), args: [value] });

  const { parameters: made } = typed(wanted, {
    visible: [example({ first: "Ann" })],
    heldOut: [example({ first: "Bo", secret: "x" })],
  });

  assert.deepEqual(made, [{ name: "name", type: "{ first: string; [name: string]: unknown }" }]);
  assert.equal(typeof result, "string");
});

test("every sketch has the contract that is wanted", () => {
  const sources = [blankOf(WANTED), ...sketchesOf(WANTED)].map(({ source }) => source);

  assert.ok(sources.length > 2);
  for (const source of sources) {
    assert.match(
      source,
      /^\/\*\* Initials of a name\. \*\/\nexport function initialsOf\(name: string\): string \{\n/,
    );
  }
});

test("a description can neither end its comment nor add a key to the front matter", () => {
  const description = 'ends */ here\nmetadata:\n  review: "x"';
  const wanted = { ...WANTED, description };

  const { source } = blankOf(wanted);
  const files = skillFilesOf(wanted, source, []);

  assert.equal(source.match(/\*\//g)?.length, 1);
  const [, front = ""] = (files["SKILL.md"] ?? "").split("---\n");
  assert.equal(front.match(/^metadata:/gm)?.length, 1);
});

test("probation ends with the week and with runs enough, whichever comes later", () => {
  const settings = { days: 7, minimumRuns: 3 };
  const at = (days: number, rewards: readonly number[]) =>
    probationOf({ bornAt: 0, now: days * DAY_MS, rewards, threshold: 1 }, settings).status;

  assert.equal(at(6, [1, 1, 1, 1]), "probation");
  assert.equal(at(8, [1, 1]), "probation");
  assert.equal(at(8, [1, 1, 1]), "agrees");
  assert.equal(at(8, [1, 1, 1, 1, 0]), "agrees");
  assert.equal(at(8, [1, 0, 1]), "disagrees");
  assert.equal(at(-1, [1, 1, 1]), "probation");
});

test("what speaks for retiring a skill: a lost probation, no good run, or no run", () => {
  const settings = { afterDays: 90, minimumRuns: 20 };
  const service = { lastAt: 0, scored: 0, everGood: false, birth: null, now: DAY_MS };

  assert.equal(retirementReason(service, settings), null);
  assert.equal(
    retirementReason({ ...service, now: 91 * DAY_MS }, settings),
    "not used for 91 days",
  );
  assert.equal(
    retirementReason({ ...service, scored: 20 }, settings),
    "none of 20 runs reached its threshold",
  );
  assert.equal(retirementReason({ ...service, scored: 20, everGood: true }, settings), null);
  const birth = { verdict: "disagrees", note: "1 of 3" } as const;
  assert.equal(
    retirementReason({ ...service, birth }, settings),
    "did not stand its probation: 1 of 3",
  );
});

test("a skill that calls itself does not keep itself alive", () => {
  assert.deepEqual(dependantsOf("a", [{ name: "a", calls: ["a"] }], []), []);
  assert.deepEqual(
    dependantsOf("a", [{ name: "b", calls: ["a"] }], [{ name: "nightly", skills: ["a"] }]),
    ["b may call it", "the schedule nightly names it"],
  );
});
