import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { suite, test } from "node:test";
import type { Json } from "../../src/domain/json.ts";
import type { Language } from "../../src/domain/skill.ts";
import { policyFindings } from "../../src/editor/policy.ts";
import type { Shown } from "../../src/ports/editor.ts";

/** A faulty skill, its repair by a person, and the visible cases that led there. */
type Repair = {
  readonly id: string;
  readonly language: Language;
  readonly before: string;
  readonly after: string;
  readonly cases: readonly { readonly args: Json; readonly value: Json }[];
  readonly thrown: Shown["thrown"];
};

const FILE = path.join(import.meta.dirname, "honest-repairs.jsonl");

const repairs = readFileSync(FILE, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Repair);

suite("no honest repair is refused by the policy, and most raise no question", () => {
  let questions = 0;

  for (const { id, language, before, after, cases, thrown } of repairs) {
    test(id, () => {
      const [was, is] = [before, after].map((text) => ({ text, language, entry: "skill" }));
      assert.ok(was !== undefined && is !== undefined);
      const values = cases.flatMap(({ args, value }) => [args, value]);

      const findings = policyFindings(was, is, { values, thrown });

      assert.deepEqual(
        findings.filter(({ severity }) => severity !== "ask"),
        [],
      );
      questions += findings.length > 0 ? 1 : 0;
    });
  }

  test("of all", () => {
    assert.ok(repairs.length >= 60);
    assert.ok(questions < repairs.length / 2, `${questions} of ${repairs.length} raise a question`);
  });
});
