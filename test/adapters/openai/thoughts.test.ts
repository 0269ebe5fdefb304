import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutThoughts } from "../../../src/adapters/openai/thoughts.ts";

const PATCH = '{"reason": "x"}';

test("reasoning between tags is set apart, by whatever tags", () => {
  for (const [open, close] of [
    ["<think>", "</think>"],
    ["<thinking>", "</thinking>"],
    ["[THINK]", "[/THINK]"],
    ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
  ]) {
    const { text, thoughts, tag } = withoutThoughts(
      `\n${open}\nIt is off by one.\n${close}\n\n${PATCH}`,
    );

    assert.equal(text, PATCH);
    assert.ok(thoughts.startsWith("It is off by one."), thoughts);
    assert.equal(tag, open);
  }
});

test("the opening tag may stand in the prompt's template", () => {
  for (const gap of ["\n\n", "", " "]) {
    const { text, thoughts } = withoutThoughts(`It is off by one.\n</think>${gap}${PATCH}`);

    assert.deepEqual([text, thoughts], [PATCH, "It is off by one."]);
  }
});

test("without a closing tag all is reasoning", () => {
  const { text, thoughts } = withoutThoughts("<think>It may be that");

  assert.deepEqual([text, thoughts], ["", "It may be that"]);
});

test("nothing between the tags is no reasoning, and the answer stays", () => {
  const { text, thoughts } = withoutThoughts(`<think>\n\n</think>\n\n${PATCH}`);

  assert.deepEqual([text, thoughts], [PATCH, ""]);
});

test("tags in the texts of a program are left alone", () => {
  const answers = [
    "{\"code\": \"return text.replace('<think>', '</think>\\n')\"}",
    '```js\nconst end = "</think>";\n```',
    'Here: const end = "</think>"; and no more',
    "an answer without any",
    "",
  ];

  for (const answer of answers) {
    assert.deepEqual(withoutThoughts(answer), { text: answer, thoughts: "", tag: null });
  }
});
