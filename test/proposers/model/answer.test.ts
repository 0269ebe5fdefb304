import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assert as holds, property, string } from "../../support/property.ts";
import { readAnswer } from "../../../src/proposers/model/answer.ts";

const EDIT = { op: "replace", target: "area", code: "export function area() { return 1; }" };
const PATCH = { reason: "the unit was wrong", edits: [EDIT] };
const JSON_TEXT = JSON.stringify(PATCH);
const FENCE = "```";

function patchIn(text: string, reasoning = ""): unknown {
  const read = readAnswer(text, reasoning, "area");
  return read.status === "patch" ? { reason: read.reason, edits: read.edits } : read.problem;
}

suite("a patch is found", () => {
  const forms: Readonly<Record<string, string>> = {
    "as plain JSON": JSON_TEXT,
    "in fences": `${FENCE}json\n${JSON_TEXT}\n${FENCE}`,
    "behind prose": `Here is the patch you asked for.\n\n${JSON_TEXT}\n\nI hope it helps!`,
    "behind prose with braces in it": `The body {x} is wrong. ${JSON_TEXT}`,
    "in fences behind prose": `Sure!\n\n${FENCE}\n${JSON.stringify(PATCH, null, 2)}\n${FENCE}\nDone.`,
    "with a comma too much": JSON_TEXT.replace("]}", ",]}"),
    "in single quotes": `{'reason': 'the unit was wrong', 'edits': [${JSON.stringify(EDIT)}]}`,
    "without the last bracket": JSON_TEXT.slice(0, -1),
    "with an edit alone": JSON.stringify({ reason: PATCH.reason, edits: EDIT }),
    "with fences around its code once more": JSON.stringify({
      ...PATCH,
      edits: [{ ...EDIT, code: `${FENCE}ts\n${EDIT.code}\n${FENCE}` }],
    }),
    "without the name of the operation": JSON.stringify({
      ...PATCH,
      edits: [{ target: EDIT.target, code: EDIT.code }],
    }),
  };
  for (const [form, text] of Object.entries(forms)) {
    test(form, () => assert.deepEqual(patchIn(text), PATCH));
  }

  test("in the reasoning field, where the content is empty (B81)", () => {
    assert.deepEqual(patchIn("", `Let me think. ${JSON_TEXT}`), PATCH);
  });

  test("as a lone block of code with the function in it", () => {
    const text = `Change it so:\n${FENCE}ts\n${EDIT.code}\n${FENCE}`;
    assert.deepEqual(patchIn(text), {
      reason: "",
      edits: [{ ...EDIT, code: `${EDIT.code}\n` }],
    });
  });

  test("whose reason goes on and on, of which the beginning is kept", () => {
    const text = JSON.stringify({ ...PATCH, reason: "so ".repeat(5_000) });
    assert.deepEqual(patchIn(text), { ...PATCH, reason: "so ".repeat(5_000).slice(0, 2_000) });
  });

  test("for the file by its name, which is the whole file", () => {
    const text = JSON.stringify({ ...PATCH, edits: [{ ...EDIT, target: "skills/a/skill.ts" }] });
    assert.deepEqual(patchIn(text), { ...PATCH, edits: [{ ...EDIT, target: "*" }] });
  });

  test("with raw ends of lines in its code", () => {
    const text = `{"reason": "r", "edits": [{"op": "add", "code": "let a = 1;\nlet b = 2;"}]}`;
    assert.deepEqual(patchIn(text), {
      reason: "r",
      edits: [{ op: "add", code: "let a = 1;\nlet b = 2;" }],
    });
  });
});

suite("an answer without a patch is none (B80, B82, B93, T13)", () => {
  const none: Readonly<Record<string, readonly [text: string, problem: RegExp]>> = {
    nothing: ["", /empty/],
    prose: ["I would look at the loop again.", /no JSON object/],
    "JSON of another form": ['{"patch": "x"}', /edits/],
    "no edits": ['{"reason": "fine as it is", "edits": []}', /edits/],
    "an unknown operation": ['{"reason": "", "edits": [{"op": "delete", "target": "a"}]}', /edits/],
    "a leaked tool call": [
      '<tool_call>{"name": "edit", "arguments": {"path": "a"}}</tool_call>',
      /edits/,
    ],
    "code of something else": [`${FENCE}ts\nlet cake;\n${FENCE}`, /no JSON object/],
    "JSON that is too deep": ["[".repeat(100_000), /no JSON object/],
    "code with half of a character": [
      JSON.stringify({ edits: [{ ...EDIT, code: 'const a = "\ud83d";' }] }),
      /its code has half of a surrogate pair/,
    ],
    "code with a NUL": [
      JSON.stringify({ edits: [{ op: "add", code: "const a = 1;\0" }] }),
      /its code has a NUL/,
    ],
    "a target with half of a character": [
      JSON.stringify({ edits: [{ ...EDIT, target: "a\udc00" }] }),
      /surrogate/,
    ],
    "a block of code with a NUL": [`${FENCE}ts\nfunction area() { "\0" }\n${FENCE}`, /NUL/],
    "an object that is too deep": ['{"a":'.repeat(50_000), /cannot be read/],
  };
  for (const [form, [text, problem]] of Object.entries(none)) {
    test(form, () => assert.match(String(patchIn(text)), problem));
  }

  test("a reason is words to be read: what could not be stored is taken out of it", () => {
    const read = patchIn(JSON.stringify({ ...PATCH, reason: "a\0b\ud83dc" }));
    assert.deepEqual(read, { ...PATCH, reason: "ab\ufffdc" });
  });

  test("whatever a model writes is read without an exception", () => {
    holds(
      property(string({ unit: "binary", maxLength: 300 }), string({ maxLength: 300 }), (a, b) => {
        assert.ok(["patch", "no-patch"].includes(readAnswer(a, b, "area").status));
        assert.ok(["patch", "no-patch"].includes(readAnswer(`{"edits":${a}`, b, "a$").status));
      }),
    );
  });

  test("long ones in no more than one pass: what a model writes holds nobody up", () => {
    const startedAt = performance.now();
    for (const text of [
      "`".repeat(390_000),
      "```a\n".repeat(75_000),
      `{"a": "${'\\"'.repeat(90_000)}`,
      "`".repeat(5_000_000),
    ]) {
      readAnswer(text, "", "area");
    }
    assert.ok(performance.now() - startedAt < 10_000);
  });
});
