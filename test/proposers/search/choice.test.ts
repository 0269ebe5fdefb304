import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Behaviour } from "../../../src/proposers/search/behaviour.ts";
import { chosenOf } from "../../../src/proposers/search/choose.ts";
import { clustered, differenceOf } from "../../../src/proposers/search/clusters.ts";
import { confidences } from "../../../src/proposers/search/confidence.ts";
import { regionsOf } from "../../../src/proposers/search/regions.ts";
import { traitsOf, type Plausible, type Scene } from "../../../src/proposers/search/traits.ts";
import { aCase } from "../../support/proposing.ts";
import { judgedCase } from "../../support/shop.ts";

suite("clusters", () => {
  test("those that do the same on every question are one", () => {
    const asked = [
      { member: "a", behaviours: numbers(1, 2) },
      { member: "b", behaviours: numbers(1, 3) },
      { member: "c", behaviours: numbers(1, 2) },
    ];

    const clusters = clustered(asked);

    assert.deepEqual(
      clusters.map(({ members }) => members),
      [["a", "c"], ["b"]],
    );
    assert.equal(differenceOf(clusters[0]!, clusters[1]!), 1);
    assert.equal(differenceOf(clusters[0]!, clusters[0]!), -1);
  });
});

suite("regions", () => {
  test("a question lies where the cases of its path lie", () => {
    const known = [
      { path: [1, 2, 3], passed: true },
      { path: [1, 4], passed: false },
    ];

    const regions = regionsOf([[1, 2, 3], [1, 4, 5], [9]], known);

    assert.deepEqual(regions, ["passing", "failing", "between"]);
  });
});

suite("traits", () => {
  test("what changes is counted by region, and faults apart", () => {
    const scene = sceneOf({
      original: numbers(1, 2, 3, 4),
      regions: ["passing", "passing", "failing", "between"],
    });
    const behaviours = [...numbers(1, 9), FAULT, ...numbers(4)];

    const [traits] = traitsOf([{ members: [edit("<")], behaviours }], scene);

    assert.equal(traits?.changedPassing, 0.5);
    assert.equal(traits?.changedFailing, 1);
    assert.equal(traits?.changedBetween, 0);
    assert.equal(traits?.newFaults, 0.5);
    assert.equal(traits?.agreement, 1);
  });

  test("agreement is the share of likelihood that does the same where clusters differ", () => {
    const scene = sceneOf({ original: numbers(0, 0, 0) });
    const clusters = [
      { members: [edit("a")], behaviours: numbers(1, 1, 1) },
      { members: [edit("b")], behaviours: numbers(1, 1, 2) },
      { members: [edit("c")], behaviours: numbers(1, 5, 3) },
    ];

    const [first, second, third] = traitsOf(clusters, scene).map(({ agreement }) => agreement);

    assert.ok(Math.abs((first ?? 0) - 0.5) < 1e-9);
    assert.equal(first, second);
    assert.ok((third ?? 0) < (second ?? 0));
  });

  test("texts of the visible cases, deletions and values of a strange kind are marked", () => {
    const scene = sceneOf({ original: numbers(1), expected: "a word" });
    const clusters = [
      { members: [edit('"a word"')], behaviours: [said('"a word"', "string")] },
      { members: [edit("", "delete-statement")], behaviours: [said("null", "null")] },
    ];

    const [learnt, deleted] = traitsOf(clusters, scene);

    assert.deepEqual([learnt?.literal, learnt?.deletes, learnt?.strange], [1, 0, 0]);
    assert.deepEqual([deleted?.literal, deleted?.deletes, deleted?.strange], [0, 1, 1]);
  });
});

suite("confidence", () => {
  test("shares add up to less than one: perhaps none is right", () => {
    const scene = sceneOf({ original: numbers(1) });
    const clusters = [
      { members: [edit("a")], behaviours: numbers(2) },
      { members: [edit("b")], behaviours: numbers(3) },
    ];

    const shares = confidences(traitsOf(clusters, scene), EVIDENCE);

    assert.ok(shares.every((share) => share > 0 && share < 0.5));
    assert.equal(shares[0], shares[1]);
  });

  test("one that everyone agrees with is surer than one of many", () => {
    const scene = sceneOf({ original: numbers(1) });
    const alone = [{ members: [edit("a")], behaviours: numbers(2) }];
    const among = [...alone, { members: [edit("b")], behaviours: numbers(3) }];

    const [sure] = confidences(traitsOf(alone, scene), EVIDENCE);
    const [unsure] = confidences(traitsOf(among, scene), EVIDENCE);

    assert.ok((sure ?? 0) > (unsure ?? 0));
  });
});

suite("the choice", () => {
  test("names for each rival an input on which the two differ, and what each does there", () => {
    const scene = sceneOf({ original: numbers(1, 1) });
    const clusters = [
      { members: [edit("a"), edit("also a")], behaviours: numbers(2, 4) },
      { members: [edit("b")], behaviours: numbers(2, 5) },
    ];
    const questions = [
      { args: [7], world: {}, like: "one" },
      { args: [8, "x"], world: {}, like: "one" },
    ];
    const traits = traitsOf(clusters, scene);

    const chosen = chosenOf(
      { questions, original: [], clusters, traits, promise: 0.1 },
      EVIDENCE,
      textIn,
    );

    assert.deepEqual(
      chosen.map(({ mutation }) => textIn(mutation)),
      ["a", "also a", "b"],
    );
    assert.equal(chosen[0]?.alike, 2);
    assert.deepEqual(
      chosen[0]?.rivals.map(({ reason, differsOn }) => ({ reason, differsOn })),
      [{ reason: "b", differsOn: { input: '8, "x"', chosen: "4", rival: "5" } }],
    );
  });
});

const EVIDENCE = { visible: 2, failing: 1, bits: 4, first: 20, promise: 0.1 };

const FAULT: Behaviour = { key: "threw TypeError", kind: "fault", says: "threw TypeError" };

function said(text: string, kind: Behaviour["kind"]): Behaviour {
  return { key: text, kind, says: text };
}

function numbers(...values: readonly number[]): Behaviour[] {
  return values.map((value) => said(String(value), "number"));
}

type Mutated = Plausible & { readonly program: Parameters<typeof programOf>[0] };

function programOf(program: {
  readonly text: string;
  readonly entry: string;
  readonly strict: boolean;
  readonly takesCtx: boolean;
}): typeof program {
  return program;
}

function edit(text: string, operator = "comparison"): Mutated {
  const program = programOf({ text, entry: "f", strict: true, takesCtx: false });
  return { edits: [{ op: "splice", start: 0, end: 1, text }], operator, prior: 0.1, program };
}

function textIn({ edits }: Plausible): string {
  const [first] = edits;
  return first?.op === "splice" ? first.text : "";
}

function sceneOf(
  of: Pick<Scene, "original"> & { readonly regions?: Scene["regions"]; readonly expected?: string },
): Scene {
  const { original, regions = original.map(() => "between"), expected } = of;
  const known = aCase("known", ["given"], expected ?? 1);
  const asked = original.map((_, at) => [at]);
  return { source: "return x;", judged: [judgedCase(known, false)], asked, original, regions };
}
