import assert from "node:assert/strict";
import { test } from "node:test";
import { withRecordings, type Case, type FetchRule } from "../../src/domain/case.ts";
import { grownSuite } from "../../src/domain/suite-text.ts";

const FIRST = '{"expect": 1, "name":"first","input":{"a":1}}';
const SECOND =
  '{"name":"second","args":[2],"expect":2,"capabilities":{"now":5,"fetch":[{"match":"GET a"}]}}';

const rule: FetchRule = { match: "GET b", status: 200, body: "new" };

function aCase(name: string, world: Case["world"] = {}): Case {
  return { name, args: [1], expectation: { kind: "value", value: 1 }, world };
}

const first = aCase("first");
const second = aCase("second", { now: 5, fetch: [{ match: "GET a" }] });

test("what was not recorded for stays to the byte", () => {
  for (const text of ["", `${FIRST}\n${SECOND}\n`, `${FIRST}\r\n\n${SECOND}`]) {
    const cases = text === "" ? [] : [first, second];

    assert.equal(grownSuite(text, cases, cases), text);
  }
});

test("a recorded answer joins the line of its case, whose other members stay as written", () => {
  const grown = withRecordings(second, [rule]);

  const text = grownSuite(`${FIRST}\r\n${SECOND}\r\n`, [first, second], [first, grown]);

  const [head, line, end] = text.split("\n");
  assert.equal(head, `${FIRST}\r`);
  assert.equal(end, "");
  assert.equal(
    line,
    `${SECOND.replace('{"match":"GET a"}', '{"match":"GET a"},{"match":"GET b","status":200,"body":"new"}')}\r`,
  );
});

test("a case without a world is given one", () => {
  const text = grownSuite(`${FIRST}\n`, [first], [withRecordings(first, [rule])]);

  const { capabilities } = JSON.parse(text) as { capabilities: unknown };
  assert.deepEqual(capabilities, { fetch: [rule] });
});

test("a new case is a further line, after a text that does not end its last one too", () => {
  const added = aCase("added");

  const text = grownSuite(FIRST, [first], [first, added]);

  assert.equal(text, `${FIRST}\n{"name":"added","args":[1],"expect":1}\n`);
});

test("a recording follows a rule that is used up, and changes nothing behind one that lasts", () => {
  const busy = aCase("busy", { fetch: [{ match: "GET b", status: 429, times: 1 }] });
  const known = aCase("known", { fetch: [{ match: "GET b", status: 404 }] });

  assert.deepEqual(withRecordings(busy, [rule]).world.fetch?.at(-1), rule);
  assert.deepEqual(withRecordings(known, [rule]), known);
});
