import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Case } from "../../../src/domain/case.ts";
import type { Capabilities } from "../../../src/domain/skill.ts";
import { behavioursOf } from "../../../src/proposers/search/behaviour.ts";
import type { Question } from "../../../src/proposers/search/inputs.ts";
import { siftedAnswers } from "../../../src/proposers/search/sifted-answers.ts";
import { aCase, Bench } from "../../support/proposing.ts";

const bench = new Bench();
after(() => bench[Symbol.asyncDispose]());

type Asked = {
  readonly source: string;
  readonly questions: readonly Question[];
  readonly capabilities?: Capabilities;
};

/** The keys of what each of some mutations does on each question: sifted, and each for itself. */
async function bothWays({ source, questions, capabilities = {} }: Asked): Promise<{
  readonly sifted: readonly (readonly (string | null)[])[];
  readonly alone: readonly (readonly string[])[];
}> {
  const cases: readonly Case[] = [aCase("any", questions[0]?.args ?? [], null)];
  const made = await bench.skill(source, cases, capabilities);
  const limits = { ...made.manifest.limits, timeoutMs: 150 };
  const skill = { ...made, manifest: { ...made.manifest, limits } };
  const signal = AbortSignal.timeout(120_000);
  const members = await bench.editor.enumerate(
    { text: skill.source, language: skill.language, entry: skill.signature.name },
    { suspicions: [], offset: 0, limit: 60 },
    signal,
  );
  const asked = { skill, questions, budgetMs: 30_000 };
  const rows = (await siftedAnswers(members, asked, bench, signal)) ?? assert.fail("not sifted");
  const alone: (readonly string[])[] = [];
  for (const program of [skill.program, ...members.map((member) => member.program)]) {
    const behaviours = await behavioursOf(program, asked, bench, signal);
    alone.push(behaviours.map(({ key }) => key.replace("out-of-memory", "timed-out")));
  }
  return { sifted: rows.map((row) => row.map((answer) => answer?.key ?? null)), alone };
}

test("programs that are asked together answer as each does for itself", async () => {
  const { sifted, alone } = await bothWays({
    source: `export function pick(words: string[], most: number): string[] {
  const seen = new Set<string>();
  for (let at = 0; at < words.length && seen.size < most; at += 1) {
    const word = words[at].trim();
    if (word !== "") seen.add(word);
  }
  if (seen.size > most) throw new RangeError("too many");
  return [...seen];
}
`,
    questions: [
      [["a", "b ", "a"], 2],
      [[], 1],
      [["x"], 0],
      [["", "c"], 9],
    ].map((args) => ({
      args,
      world: {},
      like: "any",
    })),
  });

  assert.equal(sifted.length, 61);
  assert.deepEqual(sifted, alone);
});

test("what they ask of the world is part of what they do", async () => {
  const { sifted, alone } = await bothWays({
    capabilities: { kv: true },
    source: `type Ctx = { kv: { get(key: string): Promise<number | null>; set(key: string, value: number): Promise<void> } };
export async function count(name: string, step: number, ctx: Ctx): Promise<number> {
  const before = (await ctx.kv.get(name)) ?? 0;
  if (step > 0) await ctx.kv.set(name, before + step);
  return before + step;
}
`,
    questions: [
      { args: ["a", 1], world: { kv: { a: 5 } }, like: "any" },
      { args: ["b", 0], world: {}, like: "any" },
    ],
  });

  assert.deepEqual(sifted, alone);
  assert.match(String(sifted[0]?.[0]), /^6 after .*kv\.get.*kv\.set/);
});
