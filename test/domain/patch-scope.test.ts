import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { scopeProblems } from "../../src/domain/patch-scope.ts";

const SKILL = { name: "sum", language: "js" } as const;

test("a patch may give the source of its skill another text", () => {
  assert.deepEqual(scopeProblems(SKILL, { "skills/sum/skill.js": "function sum() {}" }), []);
});

suite("nothing else may be touched", () => {
  const table: readonly (readonly [string, unknown, RegExp])[] = [
    ["skills/sum/cases.jsonl", "", /^touches skills\/sum\/cases\.jsonl$/],
    ["skills/sum/skill.ts", "", /^touches/],
    ["skills/sum/lib/skill.js", "", /^touches/],
    ["skills/other/skill.js", "", /^touches/],
    ["rewards/code.ts", "", /^touches/],
    ["skills/sum/skill.js", null, /^deletes/],
    ["skills/sum/skill.js", { mode: "120000", target: "/etc/passwd" }, /something else/],
    ["skills/sum/skill.js", "x".repeat(70_000), /70000 bytes long/],
    ["skills/sum/skill.js", "a\0b", /binary/],
    ["skills/sum/../sum/skill.js", "", /^names/],
    ["/skills/sum/skill.js", "", /^names/],
    ["skills//sum/skill.js", "", /^names/],
    ["skills/sum/.GIT/config", "", /^names/],
    ["skills/sum/GIT~1/config", "", /^names/],
    ["skills/sum/.g\u200cit/config", "", /^names skills\/sum\/\.g\\u200cit\/config$/],
    ["skills/sum/skill.js\n", "", /^names/],
    ["SKILLS/sum/skill.js", "", /^names/],
    ["skills\\sum\\skill.js", "", /^names/],
    ["skills/sum/skill.js.", "", /^names/],
    ["skills/sum/.gitattributes", "", /^names/],
  ];
  for (const [path, content, pattern] of table) {
    test(JSON.stringify(path), () => {
      const [problem = "", ...others] = scopeProblems(SKILL, { [path]: content });

      assert.match(problem, pattern);
      assert.deepEqual(others, []);
    });
  }
});
