import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Repaired } from "../../src/eval/repair-subject.ts";
import { totalsOf } from "../../src/eval/report.ts";
import { score, type Scored } from "../../src/eval/score.ts";
import type { Subject } from "../../src/eval/suites.ts";
import { aCase, patchedAs, scripted } from "../support/shop.ts";

suite("the score of a patch", () => {
  test("one that is released is correct or overfit by the held-out tests", async (t) => {
    const [right, wrong] = [
      await scored("patched", "right", t),
      await scored("patched", "fits", t),
    ];

    assert.deepEqual(told(right), ["correct", true, false]);
    assert.deepEqual(told(wrong), ["overfit", true, false]);
  });

  test("one that waits for a person is plausible, never correct, and told apart", async (t) => {
    const right = await scored("needs-data", "right", t);
    const wrong = await scored("needs-data", "fits", t);

    assert.deepEqual(told(right), ["needs_data", true, true]);
    assert.deepEqual(told(wrong), ["needs_data", true, false]);
  });

  test("where nothing was found nothing is plausible", async (t) => {
    const none = await scored("needs-data", null, t);

    assert.deepEqual(told(none), ["needs_data", false, false]);
  });

  test("totals count what waits as plausible, and what of it was right by itself", async (t) => {
    const rows = [
      await scored("patched", "right", t),
      await scored("needs-data", "right", t),
      await scored("needs-data", "fits", t),
    ];

    const totals = totalsOf(rows, 1_000);

    assert.deepEqual(
      [totals["plausible"], totals["correct"], totals["needs_data"], totals["waiting_correct"]],
      [3, 1, 2, 1],
    );
  });
});

function told({ result, plausible, waiting_correct }: Scored): readonly unknown[] {
  return [result, plausible, waiting_correct];
}

/** A patch named `right` passes all, one named `fits` only what is visible. */
async function scored(
  status: Repaired["status"],
  patch: "right" | "fits" | null,
  { signal }: { readonly signal: AbortSignal },
): Promise<Scored> {
  const subject: Subject = {
    id: "one",
    kind: "k",
    difficulty: "d",
    entry: "f",
    language: "js",
    buggy: "buggy",
    fixed: "right",
    world: {},
    visible: [aCase("shown", 1)],
    heldOut: [aCase("hidden", 2)],
  };
  const ports = scripted({
    right: (name) => (name === "shown" ? 1 : 2),
    fits: () => 1,
  });
  const patched = patch === null ? null : patchedAs(patch);
  const repaired = { status, reason: "", patched, attempt: null, candidates: 3, ms: 1 };
  return await score(subject, repaired, ports, signal);
}
