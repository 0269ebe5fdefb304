import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { after, suite, test } from "node:test";
import { checkOptions } from "../../rewards/built-in/registry.ts";
import { TableHost } from "../../src/adapters/capabilities/table-host.ts";
import { createIsolateSandbox } from "../../src/adapters/isolate/isolate-sandbox.ts";
import type { Case } from "../../src/domain/case.ts";
import { canonical } from "../../src/domain/json.ts";
import { judge } from "../../src/domain/judge.ts";
import type { CapabilityName, Skill } from "../../src/domain/skill.ts";
import { environmentOf } from "../../src/domain/world.ts";
import { inspect } from "../../src/editor/inspect.ts";
import { readCases } from "../../src/library/case-lines.ts";
import { loadSkill } from "../../src/library/load-skill.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const NAMES = readdirSync(path.join(ROOT, "skills"));

suite("shipped skills", () => {
  const sandbox = createIsolateSandbox({ warm: 1, most: 1 });
  after(() => sandbox[Symbol.asyncDispose]());

  test("there are some", () => assert.ok(NAMES.length >= 5));

  for (const name of NAMES) {
    test(`${name} is sound, and right on its cases and on those held out`, async (t) => {
      const skill = await theSkill(name, t.signal);
      const heldOut = heldOutCases(skill);

      const wrong = await wrongCases(skill, [...skill.cases, ...heldOut], sandbox, t.signal);

      assert.deepEqual(wrong, []);
      assert.ok(skill.cases.length >= 6 && heldOut.length >= 4);
      const asked = [...skill.cases, ...heldOut].map(({ args, world }) =>
        canonical([args, world as never]),
      );
      assert.equal(new Set(asked).size, asked.length, "no case is there twice");
    });
  }
});

async function theSkill(name: string, signal: AbortSignal): Promise<Skill> {
  const dir = path.join(ROOT, "skills", name);
  const files = Object.fromEntries(
    readdirSync(dir).map((file) => [file, readFileSync(path.join(dir, file), "utf8")]),
  );
  const loaded = await loadSkill(
    { name, version: "now", tree: name, files },
    {
      inspect: async (source) => inspect(source),
      rewardProblems: ({ parts }) =>
        parts.flatMap(({ use, with: options }) => checkOptions(use, options)),
    },
    signal,
  );
  if (loaded.status === "unsound") assert.deepEqual(loaded.problems, []);
  assert.equal(loaded.status, "sound");
  return loaded.skill;
}

function heldOutCases({ name, signature }: Skill): readonly Case[] {
  const file = path.join(ROOT, "data", "held-out", `${name}.jsonl`);
  const { value, problems } = readCases(readFileSync(file, "utf8"), file, signature);
  assert.deepEqual(problems, []);
  return value ?? [];
}

/** The cases that the skill gets wrong, each with what happened. */
async function wrongCases(
  { program, manifest }: Skill,
  cases: readonly Case[],
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { capabilities, limits } = manifest;
  const grants = Object.keys(capabilities) as CapabilityName[];
  const calls = cases.map(({ args, world }) => ({
    args,
    grants,
    environment: environmentOf(world),
    host: new TableHost(world, capabilities, null),
  }));
  const results = await sandbox.execute({ program, calls, limits, fresh: true }, signal);
  return cases.flatMap(({ name, expectation }, at) => {
    const outcome = results[at]?.trace.outcome;
    assert.ok(outcome !== undefined && expectation.kind !== "reward");
    const { passed, reason } = judge(outcome, expectation);
    return passed ? [] : [`${name}: ${reason}`];
  });
}
