import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Json } from "../../src/domain/json.ts";
import { policyFindings } from "../../src/editor/policy.ts";
import { js } from "../support/sources.ts";

const BEFORE = "function f(n, unit) {\n  return n + unit;\n}\n";

/** Arguments and expected values of visible cases; all of their parts are ordinary. */
const VISIBLE: readonly Json[] = [[1, "a"], 5, [2, "b"], 6, [3, "c"], 7, [4, "d"], 8];

function found(body: string): string {
  const after = BEFORE.replace("return n + unit;", body);
  return policyFindings(js(BEFORE, "f"), js(after, "f"), { values: VISIBLE, thrown: [] })
    .map(({ message }) => message)
    .join("\n");
}

suite("visible cases that are kept in a patch are found, wherever it keeps them", () => {
  test("as JSON text inside another text", () => {
    const table = JSON.stringify(JSON.stringify({ '[1,"a"]': 5, rows: [[3, "c", 7]] }));
    const visible: readonly Json[] = [[3, "c", 7], 1];
    const after = BEFORE.replace("return", `const t = ${table};\n  return t[n] ??`);

    const findings = policyFindings(js(BEFORE, "f"), js(after, "f"), {
      values: visible,
      thrown: [],
    });

    assert.match(findings[0]?.message ?? "", /a text holds what a visible case asks/);
  });

  test("as lists of ordinary parts", () => {
    const body =
      'const [x, y, z] = [[1, 2, 3, 4], ["a", "b", "c", "d"], [5, 6, 7, 8]];\n  return z[x.indexOf(n)] ?? y;';

    assert.match(found(body), /new literals are 8 of the 8 visible arguments and answers/);
  });

  test("but not where a few of their parts are in an honest patch", () => {
    assert.equal(found('return n > 4 || unit === "z" ? 8 * n + 1 : n + 4;'), "");
  });
});
