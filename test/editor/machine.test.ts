import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectMachine } from "../../src/editor/machine/inspect-machine.ts";
import { MACHINE_VERBS } from "../../src/editor/machine/verbs.ts";
import type { Mutation, SourceText } from "../../src/ports/editor.ts";
import { GOOD_ORDER } from "../support/order-machine.ts";

function sourceOf(text: string): SourceText {
  return { text, language: "machine", entry: "machine" };
}

function machineOf(states: string, initial = '"a"'): string {
  return `export const machine = {\n  initial: ${initial},\n  states: {\n${states}\n  },\n};\n`;
}

function problemsIn(text: string): readonly string[] {
  const inspected = inspectMachine(sourceOf(text));
  return inspected.status === "sound"
    ? []
    : inspected.problems.map(({ line, message }) => `${line}: ${message}`);
}

test("a sound machine says which skills it calls, as what, and where", () => {
  const inspected = inspectMachine(sourceOf(GOOD_ORDER));

  assert.ok(inspected.status === "sound");
  assert.deepEqual(inspected.calls, [
    { skill: "is-big", as: "guard", state: "checking", line: 7 },
    { skill: "pay", as: "invoke", state: "paying", line: 12 },
    { skill: "note-receipt", as: "action", state: "paying", line: 13 },
  ]);
  assert.ok(inspected.program.text.startsWith(GOOD_ORDER.replace("export", "      ")));
});

const FAULTS: readonly (readonly [what: string, source: string, found: readonly string[]])[] = [
  [
    "a state that cannot be reached",
    machineOf('    a: { on: { GO: "b" } },\n    b: { type: "final" },\n    c: { type: "final" },'),
    ['6: state "c" cannot be reached'],
  ],
  [
    "a dead end",
    machineOf('    a: { on: { GO: "b" } },\n    b: {},'),
    ['5: state "b" is a dead end: it is not final, and nothing leads out of it'],
  ],
  [
    "a state that only leads to itself",
    machineOf('    a: { on: { GO: "a" } },'),
    ['4: state "a" is a dead end: it is not final, and nothing leads out of it'],
  ],
  [
    "an error that nobody handles",
    machineOf('    a: { invoke: { src: "work", onDone: "b" } },\n    b: { type: "final" },'),
    ['4: state "a": an error of work is not handled (onError)'],
  ],
  [
    "a target that is not there",
    machineOf('    a: { on: { GO: "c" } },\n    b: { type: "final" },'),
    ['4: state "a": the transition on GO leads to "c", which is not there'],
  ],
  [
    "a beginning that is not there",
    machineOf('    a: { type: "final" },', '"z"'),
    ['2: the machine begins in "z", which is not there'],
  ],
  [
    "a transition behind one that is always taken",
    machineOf(
      '    a: { on: { GO: ["b", { target: "c" }] } },\n    b: { type: "final" },\n    c: { type: "final" },',
    ),
    ['4: state "a": a transition on GO before this one is always taken'],
  ],
  [
    "a guard without a name",
    machineOf(
      '    a: { always: [{ guard: { params: {} }, target: "b" }] },\n    b: { type: "final" },',
    ),
    ["4: a guard must name a skill"],
  ],
  [
    "transitions that never end",
    machineOf('    a: { always: "b" },\n    b: { always: "a" },'),
    [
      '4: state "a": its transitions without an event never end',
      '5: state "b": its transitions without an event never end',
    ],
  ],
  [
    "a final state inside one that goes on from nowhere",
    machineOf('    a: { initial: "x", states: { x: { type: "final" } } },'),
    ['4: state "a.x" is final, and the state around it has no onDone'],
  ],
  [
    "a misspelt key",
    machineOf('    a: { on: { GO: "b" }, onDoen: "b" },\n    b: { type: "final" },'),
    ["4: `onDoen` means nothing here, did you mean onDone?"],
  ],
  [
    "code",
    machineOf(
      '    a: { on: { GO: { target: "b", guard: () => true } } },\n    b: { type: "final" },',
    ),
    [
      "4: must be plain data: a machine names skills and holds no code",
      "4: a guard must name a skill",
    ],
  ],
  [
    "something beside the machine",
    `const other = 1;\n${machineOf('    a: { type: "final" },')}`,
    ["1: must export one machine, as in `export const machine = { initial: …, states: {…} };`"],
  ],
];

for (const [what, source, found] of FAULTS) {
  test(`the model checker finds ${what}, and says where`, () => {
    assert.deepEqual(problemsIn(source), found);
  });
}

test("parallel regions, ids, history and events of states above are no faults", () => {
  const source = `export const machine = {
  id: "player",
  type: "parallel",
  states: {
    sound: {
      initial: "on",
      states: { on: { on: { MUTE: "off" } }, off: { on: { MUTE: "#player.sound.on" } } },
    },
    film: {
      initial: "playing",
      on: { STOP: ".stopped", BACK: ".last" },
      states: { playing: {}, stopped: {}, last: { type: "history" } },
    },
  },
} as const;
`;

  assert.deepEqual(problemsIn(source), []);
});

test("edits of a machine are sound machines of the skills that it has already", () => {
  const enumerate = MACHINE_VERBS.enumerate as unknown as (
    source: SourceText,
    search: { events: readonly string[]; offset: number; limit: number },
  ) => readonly Mutation[];

  const made = enumerate(sourceOf(GOOD_ORDER), { events: ["CANCEL"], offset: 0, limit: 1_000 });

  const kinds = new Set(made.map(({ operator }) => operator));
  for (const kind of ["transition-target", "missing-transition"]) assert.ok(kinds.has(kind), kind);
  for (const { edits } of made) {
    const text = edits.toReversed().reduce((all, edit) => {
      assert.ok(edit.op === "splice");
      return all.slice(0, edit.start) + edit.text + all.slice(edit.end);
    }, GOOD_ORDER);
    const inspected = inspectMachine(sourceOf(text));
    assert.equal(inspected.status, "sound", text);
    const skills = inspected.status === "sound" ? (inspected.calls ?? []) : [];
    for (const { skill } of skills) assert.ok(["is-big", "pay", "note-receipt"].includes(skill));
  }
});
