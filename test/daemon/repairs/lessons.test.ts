import assert from "node:assert/strict";
import { test } from "node:test";
import { lessonsIn } from "../../../src/daemon/repairs/lessons.ts";
import type { GateName } from "../../../src/domain/gate.ts";
import type { CandidateRecord, GroupRecord } from "../../../src/ports/store.ts";
import { aCandidate } from "../../support/ledger.ts";

type Tried = { readonly id: string; readonly reward: number; readonly gate: GateName };

function record({ id, reward, gate }: Tried, parent: string | null = null): CandidateRecord {
  const verdict = { gate, status: "fail", reason: `why ${id} failed`, durationMs: 1 } as const;
  const base = aCandidate({ id, digest: `digest of ${id}`, source: `source of ${id}`, reason: id });
  return {
    candidate: { ...base, origin: { ...base.origin, parent } },
    groupId: "g",
    state: "rejected",
    advantage: null,
    verification: { candidateId: id, verdicts: [verdict], reward },
  };
}

function recalled(groups: readonly (readonly CandidateRecord[])[]) {
  const store = {
    groups: () => groups.map((_, at) => ({ id: String(at) }) as GroupRecord),
    candidates: ({ groupId = "0" }: { readonly groupId?: string }) => groups[Number(groupId)] ?? [],
  };
  return lessonsIn(store)("incident");
}

test("of each group the best stands beside the worst", () => {
  const some: readonly Tried[] = [
    { id: "middle", reward: 0.5, gate: "regression" },
    { id: "best", reward: 0.8, gate: "regression" },
    { id: "worst", reward: 0, gate: "policy" },
  ];

  const { lessons, groups } = recalled([some.map((one) => record(one)), []]);

  assert.deepEqual(
    lessons.map(({ reason, became, reward }) => [reason, became, reward]),
    [
      ["best", "refused: regression: why best failed", 0.8],
      ["worst", "refused: policy: why worst failed", 0],
    ],
  );
  assert.equal(groups, 2);
});

test("what a gate found on cases that are held out is not told, nor by any gate that may see them", () => {
  for (const gate of ["held-out", "docker", "acceptance", "approval"] as const) {
    const { lessons, ancestors } = recalled([[record({ id: "a", reward: 1, gate })]]);

    assert.deepEqual(
      [...lessons, ...ancestors].map(({ became }) => became),
      ["refused: it is wrong on other inputs", "refused: it is wrong on other inputs"],
    );
  }
});

test("an ancestor is what passes some case, each text once, with those that went on from it", () => {
  const first = record({ id: "first", reward: 0.6, gate: "regression" });
  const child = record({ id: "child", reward: 0.7, gate: "regression" }, "first");
  const none = record({ id: "none", reward: 0, gate: "failing-case" });

  const { ancestors } = recalled([[child, none], [first]]);

  assert.deepEqual(
    ancestors.map(({ id, children, source }) => [id, children, source]),
    [
      ["child", 0, "source of child"],
      ["first", 1, "source of first"],
    ],
  );
});
