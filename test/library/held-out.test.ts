import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { HoneError } from "../../src/domain/errors.ts";
import type { Run } from "../../src/domain/task.ts";
import { heldOutIn } from "../../src/library/held-out.ts";
import { aRun, aTrace, temporaryFolder } from "../support/ledger.ts";
import { aSkill } from "../support/shop.ts";

const skill = aSkill();

function folderWith(t: Parameters<typeof temporaryFolder>[0], text: string): string {
  const dir = temporaryFolder(t);
  mkdirSync(path.join(dir, "data", "held-out"), { recursive: true });
  writeFileSync(path.join(dir, "data", "held-out", "parse-price.jsonl"), text);
  return dir;
}

const nobody = (): readonly Run[] => [];

test("written cases come first, then live runs that were set aside, with their values", async (t) => {
  const dir = folderWith(t, '{"name":"written","input":{"text":"1 €"},"expect":1}\n');
  const outcome = { status: "returned", value: 9 } as const;
  const run = aRun({ id: "run-9", input: { text: "9 €" }, trace: aTrace({ outcome }) });

  const cases = await heldOutIn(dir, () => [run]).cases(skill);

  assert.deepEqual(
    cases.map(({ name, args, expectation }) => [name, args, expectation]),
    [
      ["written", ["1 €"], { kind: "value", value: 1 }],
      ["held-out run run-9", ["9 €"], { kind: "value", value: 9 }],
    ],
  );
});

test("a live run without a value is no case", async (t) => {
  const run = aRun({ trace: aTrace({ outcome: { status: "never-settled" } }) });

  assert.deepEqual(await heldOutIn(temporaryFolder(t), () => [run]).cases(skill), []);
});

test("a problem gives the place and never what stands there", async (t) => {
  const secret = "the secret answer";
  const dir = folderWith(
    t,
    [
      `{"name":"${secret}","input":{"text":"${secret}"}`,
      `{"name":"${secret}","input":{"${secret}":1},"expect":"${secret}"}`,
      `{"name":"twice","input":{"text":"a"},"expect":"${secret}"}`,
      `{"name":"twice","input":{"text":"b"},"expect":"${secret}","${secret}":1}`,
      `{"name":"${secret} twice","input":{"text":"a"},"expect":1}`,
      `{"name":"${secret} twice","input":{"text":"b"},"expect":1}`,
    ].join("\n"),
  );

  const error = await heldOutIn(dir, nobody)
    .cases(skill)
    .catch((thrown: unknown) => thrown);

  assert.ok(error instanceof HoneError);
  const said = `${error.message} ${error.hint} ${String(error.cause)}`;
  assert.match(said, /parse-price\.jsonl:1, .*parse-price\.jsonl:2, .*parse-price\.jsonl:4/);
  assert.ok(!said.includes(secret), said);
});
