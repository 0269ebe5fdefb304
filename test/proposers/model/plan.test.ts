import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ArmChoice } from "../../../src/domain/bandit.ts";
import { planFor } from "../../../src/proposers/model/plan.ts";

const SETTINGS = { samples: 4, temperature: 0.8 };
const APPROACHES = { trace: "Follow it.", least: "Change one thing." };
const COMMON = { approaches: APPROACHES, model: "coder", failureClass: "threw", seed: 7 };

const NOTHING: ArmChoice = { failureClass: "", arms: [], count: 0, seed: 0 };

suite("how a group is asked for", () => {
  test("where nothing is learnt: the likeliest answer, and others around the setting", () => {
    const plan = planFor({ ...COMMON, settings: SETTINGS });

    const said = plan.map(({ arm, approach }) => [arm, approach]);
    assert.deepEqual(said, [
      [null, ""],
      [null, ""],
      [null, ""],
      [null, ""],
    ]);
    const [first, ...others] = plan.map(({ temperature }) => temperature);
    assert.equal(first, 0);
    assert.equal(new Set(others).size, 3);
  });

  test("is chosen by class, among temperatures and approaches of this model", () => {
    const wanted: ArmChoice[] = [];
    const chooseArms = (choice: ArmChoice): readonly string[] => {
      wanted.push(choice);
      return ["coder t=1.2 trace", "coder t=0.4 plain", "coder t=1.2 trace"];
    };

    const plan = planFor({ ...COMMON, settings: SETTINGS, chooseArms });

    assert.deepEqual(plan, [
      { arm: "coder t=0 plain", temperature: 0, approach: "" },
      { arm: "coder t=1.2 trace", temperature: 1.2, approach: "Follow it." },
      { arm: "coder t=0.4 plain", temperature: 0.4, approach: "" },
      { arm: "coder t=1.2 trace", temperature: 1.2, approach: "Follow it." },
    ]);
    assert.equal(wanted.length, 1);
    const [{ arms, ...asked } = NOTHING] = wanted;
    assert.deepEqual(asked, { failureClass: "threw", count: 3, seed: 7 });
    assert.equal(arms.length, 9);
    assert.ok(!arms.includes("coder t=0 plain"), "asked twice it would say the same");
  });

  test("has one sample where one is wanted", () => {
    const chooseArms = ({ count }: ArmChoice): readonly string[] => Array(count).fill("x");
    const plan = planFor({ ...COMMON, settings: { ...SETTINGS, samples: 1 }, chooseArms });

    assert.deepEqual(
      plan.map(({ arm }) => arm),
      ["coder t=0 plain"],
    );
  });
});
