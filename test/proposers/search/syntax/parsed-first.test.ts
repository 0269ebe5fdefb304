import assert from "node:assert/strict";
import test from "node:test";
import { DEFAULT_LIMITS } from "../../../../src/domain/skill.ts";
import { skillOf } from "../../../../src/eval/subject-skill.ts";
import { createSearchProposer } from "../../../../src/proposers/search/search-proposer.ts";
import { aCase, Bench } from "../../../support/proposing.ts";

const SOUND = `function shares(parts) {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => Math.round((part / whole) * 100));
}
`;

const CASES = [
  aCase("halves", [[1, 1]], [50, 50]),
  aCase("thirds", [[1, 2]], [33, 67]),
  aCase("one", [[7]], [100]),
];

test("a source that cannot be read is repaired by the token edit that satisfies the cases", async () => {
  await using bench = new Bench();
  const broken = SOUND.replace("sum + part", "sum part");

  const { proposals } = await bench.proposalsOf(
    createSearchProposer(bench),
    await unread(broken, bench),
  );

  const [first] = proposals;
  assert.equal(first?.text, SOUND);
  assert.match(first?.reason ?? "", /^on line 2, a `\+` is missing before `part`/);
  assert.equal(first?.origin.operator, "tokens");
});

test("where no token edit is enough, the ordinary search goes on from a readable text", async () => {
  await using bench = new Bench();
  const broken = SOUND.replace("(parts) {", "(parts {").replace("part / whole", "part * whole");

  const { proposals } = await bench.proposalsOf(
    createSearchProposer(bench),
    await unread(broken, bench),
  );

  const [first] = proposals;
  assert.equal(first?.text, SOUND);
  assert.equal(first?.edits.length, 1);
  assert.match(first?.origin.operator ?? "", /^tokens\+/);
  assert.match(first?.reason ?? "", /`\)` is missing.*; then changes/);
});

async function unread(
  source: string,
  { editor }: Bench,
): Promise<Parameters<Bench["diagnose"]>[0]> {
  const known = {
    id: "1",
    kind: "",
    difficulty: "",
    entry: "shares",
    language: "js" as const,
    world: {},
    visible: CASES,
  };
  const skill = await skillOf(known, source, editor, AbortSignal.timeout(30_000));
  if (!("source" in skill)) throw new Error(skill.join("; "));
  return { ...skill, manifest: { ...skill.manifest, limits: DEFAULT_LIMITS } };
}
