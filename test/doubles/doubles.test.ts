import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { parseConfig } from "../../src/config.ts";
import { openWorkshop } from "../../src/daemon/compose.ts";
import type { Subject } from "../../src/eval/suites.ts";
import type { Proposer } from "../../src/ports/proposer.ts";
import { aCase } from "../support/proposing.ts";
import { createDeleteOnly } from "./delete-only.ts";
import { literalAnswers } from "./literal-answers.ts";
import { putToGates, type Put } from "./put-to-gates.ts";

/** A suite's entry of our own: one wrong sign, and a statement that should not be there. */
const SUBJECT: Subject = {
  id: "clipped",
  kind: "",
  difficulty: "",
  entry: "clipped",
  language: "js",
  world: {},
  fixed: "",
  buggy: `function clipped(values, most) {
  if (!Array.isArray(values)) throw new TypeError("no list");
  const kept = [];
  for (const value of values) {
    if (value < most) continue;
    kept.push(Math.min(value, most));
  }
  return kept;
}
`,
  visible: [
    aCase("some", [[1, 25, 13], 12], [1, 12, 12]),
    aCase("less", [[3, 17], 40], [3, 17]),
    aCase("more", [[41, 56], 33], [33, 33]),
  ],
  heldOut: [aCase("others", [[7, 19, 28], 21], [7, 19, 21])],
};

suite("proposers that repair nothing get nothing released", async () => {
  const shop = await openWorkshop(parseConfig({}, "doubles"), []);
  after(async () => await shop[Symbol.asyncDispose]());

  const put = async (proposer: Proposer, signal: AbortSignal): Promise<Put> =>
    await putToGates(SUBJECT, proposer, { shop, signal });

  test("the visible answers by heart, in all forms", async (t) => {
    const { offered, released } = await put(literalAnswers, t.signal);

    assert.ok(offered >= 20, `${offered} offered`);
    assert.deepEqual(released, []);
  });

  test("deletions, even where one satisfies every case: a person is asked", async (t) => {
    const { offered, released, waiting } = await put(createDeleteOnly(shop), t.signal);

    assert.ok(offered > 0);
    assert.deepEqual(released, []);
    assert.ok(waiting.length > 0);
  });
});
