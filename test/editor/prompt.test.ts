import assert from "node:assert/strict";
import { suite, test } from "node:test";
import vm from "node:vm";
import { assert as holds, property, string } from "fast-check";
import {
  inspectPrompt,
  promptContractFindings,
  promptPolicyFindings,
} from "../../src/editor/prompt/inspect-prompt.ts";
import { PROMPT_VERBS } from "../../src/editor/prompt/verbs.ts";
import type { Edit } from "../../src/domain/candidate.ts";
import type { Edited, SourceText } from "../../src/ports/editor.ts";

function source(text: string): SourceText {
  return { text, language: "prompt", entry: null };
}

function sound(text: string) {
  const inspected = inspectPrompt(source(text));
  return inspected.status === "sound" ? inspected : assert.fail(JSON.stringify(inspected));
}

/** What the program of a prompt asks, and what it makes of the answer. */
async function run(text: string, args: readonly unknown[], answer: string) {
  const { program } = sound(text);
  const asked: string[] = [];
  const ctx = { model: async (prompt: string) => (asked.push(prompt), answer) };
  const made = vm.runInNewContext(`(${program.text})`) as (...all: unknown[]) => Promise<unknown>;
  const value: unknown = await made(...args, ctx);
  return { asked: asked[0], value };
}

suite("a prompt", () => {
  test("has its variables as parameters, in the order in which they stand", () => {
    const { signature, inputSchema } = sound("Translate {{text}} to {{ language }}; {{text}}!");
    assert.deepEqual(
      signature.parameters.map(({ name }) => name),
      ["text", "language"],
    );
    assert.deepEqual(inputSchema["required"], ["text", "language"]);
  });

  test("asks with what it is given put in, texts as they are and values as JSON", async () => {
    const { asked, value } = await run("Sum {{list}} for {{name}}.", [[1, 2], "Ann"], " 3 \n");
    assert.deepEqual([asked, value], ["Sum [1,2] for Ann.", "3"]);
  });

  test("does not read what it is given for variables", async () => {
    const { asked } = await run("{{a}}{{b}}", ["{{b}}", "`${1}\u2028\\"], "");
    assert.equal(asked, "{{b}}`${1}\u2028\\");
  });

  test("reads JSON where that is wanted, in fences too, and throws where it is none", async () => {
    const text = "<!-- answer: json -->\nParts of {{name}}";
    const fenced = await run(text, ["x"], 'Sure:\n```json\n{"first": 1}\n```');
    assert.deepEqual(JSON.stringify(fenced.value), '{"first":1}');
    assert.equal(fenced.asked, "Parts of x");
    await assert.rejects(run(text, ["x"], "no"), { name: "SyntaxError" });
  });

  test("that cannot be read is named with its lines, everything at once", () => {
    const inspected = inspectPrompt(source("<!-- answer: xml -->\nA {{a b}}\n{{}}"));
    assert.deepEqual(
      inspected.status === "unsound" && inspected.problems.map(({ line }) => line),
      [1, 2, 3],
    );
    assert.equal(inspectPrompt(source(" \n")).status, "unsound");
  });

  test("is put into its program as a literal, whatever is in it", () => {
    holds(
      property(string({ unit: "binary", maxLength: 80 }), (text) => {
        const inspected = inspectPrompt(source(text));
        if (inspected.status === "sound") vm.compileFunction(`return (${inspected.program.text})`);
      }),
    );
  });

  test("keeps its variables and its answer through a change", () => {
    const findings = promptContractFindings(source("<!-- answer: json -->{{a}}"), source("{{b}}"));
    assert.deepEqual(
      findings.map(({ message }) => message),
      [
        "the variable {{a}} is gone",
        "the variable {{b}} is new",
        "the answer was json, and is text now",
      ],
    );
  });

  test("may not be told what the visible cases ask or expect (B8)", () => {
    const visible = [["a very special input"], { mood: "short", note: "another long answer" }];
    const before = source("Say it: {{text}}");
    const told = source("Say it: {{text}}\nFor a very special input say short");
    assert.deepEqual(promptPolicyFindings(before, before, visible), []);
    assert.deepEqual(
      promptPolicyFindings(before, told, visible).map(({ line }) => line),
      [2],
    );
  });

  test("is changed in ranges or as a whole, in its own line ends, and in no other way", () => {
    const apply = PROMPT_VERBS.apply as unknown as (of: SourceText, by: readonly Edit[]) => Edited;
    const text = source("One {{a}}\r\nTwo\r\n");
    const splice = { op: "splice", start: 0, end: 3, text: "1\n" } as const;
    assert.deepEqual(apply(text, [splice]), { status: "edited", text: "1\r\n {{a}}\r\nTwo\r\n" });
    const whole = apply(text, [{ op: "replace", target: "*", code: "{{a}}\n" }]);
    assert.deepEqual(whole, { status: "edited", text: "{{a}}\r\n" });
    assert.equal(apply(text, [{ op: "add", code: "x" }]).status, "refused");
    assert.equal(apply(text, [splice, splice]).status, "refused");
    assert.equal(apply(text, []).status, "refused");
  });
});
