import assert from "node:assert/strict";
import { test } from "node:test";
import { modelServer } from "../support/model-server.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const NARROW = `/** The largest of some numbers. */
export function largest(numbers: number[]): number {
  let most = 0;
  for (const each of numbers) if (each > most) most = each;
  return most;
}
`;

const WIDER = NARROW.replace("): number {", "): number | null {")
  .replace("let most = 0;", "let most: number | null = null;")
  .replace("if (each > most)", "if (most === null || each > most)");

const ANYTHING = WIDER.replace("): number | null {", "): unknown {");

function largest() {
  return skillFiles("largest", {
    source: NARROW,
    cases: [
      { name: "some", input: { numbers: [3, 9, 4] }, expect: 9 },
      { name: "none", input: { numbers: [] }, expect: null },
      { name: "below", input: { numbers: [-3, -1] }, expect: -1 },
    ],
    heldOut: [
      { name: "one", input: { numbers: [-7] }, expect: -7 },
      { name: "two", input: { numbers: [5, 6] }, expect: 6 },
    ],
  });
}

test("a repair for which a stated type must be wider goes to a person, and only as wide as the cases need", async (t) => {
  let source = ANYTHING;
  const answers = (): string =>
    JSON.stringify({ reason: "none", edits: [{ op: "replace", target: "*", code: source }] });
  await using server = await modelServer({ answers });
  const workspace = await aWorkspace(t, largest());
  const model = { url: server.url, samples: 1 };
  await using hone = await workspace.open({ proposers: ["model"], model });
  const { operations } = hone;

  const refused = await operations.improve({ skill: "largest" });
  source = WIDER;
  const asked = await operations.improve({ skill: "largest" });

  assert.equal(refused["result"], "no-change", JSON.stringify(refused));
  assert.equal(asked["result"], "waiting-approval", JSON.stringify(asked));
  assert.match(String(asked["reason"]), /the type of the result, as wide as the cases need/);
  const approved = await operations.approve({ candidate: String(asked["candidate"]), by: "Ann" });
  assert.equal(approved["result"], "released");
  assert.equal(workspace.show("hone", "skills/largest/skill.ts"), WIDER);
});
