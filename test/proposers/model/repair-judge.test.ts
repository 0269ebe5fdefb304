import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Json } from "../../../src/domain/json.ts";
import type { Skill } from "../../../src/domain/skill.ts";
import { judgingRepairs } from "../../../src/proposers/model/repair-judge.ts";
import { repairPrompts } from "../../../src/proposers/model/repair-words.ts";
import { HoneError } from "../../../src/domain/errors.ts";
import { aTrace } from "../../support/ledger.ts";
import { aCase, Bench } from "../../support/proposing.ts";

const bench = new Bench();
after(() => bench[Symbol.asyncDispose]());

const NEVER = new AbortController().signal;
const SOURCE =
  "export function area(width: number, height: number): number {\n  return width + height;\n}\n";
const TASK = {
  language: "ts",
  entry: "area",
  source: SOURCE,
  cases: [
    { args: [2, 2], expect: 4 },
    { args: [3, 5], expect: 15 },
  ],
};

/** The prompt skill `hone-repair`, as far as a judge looks at it. */
async function aPrompt(name = "hone-repair"): Promise<Skill> {
  const skill = await bench.skill(SOURCE, [], {});
  return { ...skill, name, language: "prompt", source: "Mend it.\n\n{{task}}\n" };
}

async function judged(value: Json, task: Json = TASK, name = "hone-repair") {
  const { editor, sandbox, hosts, judgeCase } = bench;
  const { judgeCase: judge } = judgingRepairs({ judgeCase }, { editor, sandbox, hosts });
  const trace = aTrace({ outcome: { status: "returned", value } });
  return await judge(await aPrompt(name), aCase("one", ["evidence"], task), trace, NEVER);
}

function answer(code: string): string {
  return JSON.stringify({ reason: "", edits: [{ op: "body", target: "area", code }] });
}

test("an answer passes that is a plausible repair, and no other", async () => {
  const good = await judged(`Here it is:\n${answer("return width * height;")}`);
  const wrong = await judged(answer("return width - height;"));
  const talk = await judged("I would multiply them.");
  const heart = await judged(answer("return width === 3 && height === 5 ? 15 : 4;"));
  const untyped = await judged(answer('return "4" as string;'));

  assert.deepEqual([good.passed, good.reason], [true, "a plausible repair"]);
  assert.deepEqual([wrong.passed, wrong.reason], [false, "0 of 2 cases of the task pass"]);
  assert.match(talk.reason, /no patch/);
  assert.match(heart.reason, /refused: special-cased/);
  assert.match(untyped.reason, /refused/);
  assert.ok([wrong, talk, heart, untyped].every(({ passed }) => !passed));
});

test("code that never ends is only an answer that does not pass", async () => {
  const { passed } = await judged(answer("for (;;) width += 1;"));

  assert.equal(passed, false);
});

test("of other skills, and where a case has no task, the answer is compared as ever", async () => {
  const right = answer("return width * height;");

  assert.equal((await judged(right, TASK, "other")).passed, false);
  assert.equal((await judged("yes", "yes")).passed, true);
});

test("a workspace's words are used where nobody but a person can change them", async () => {
  const texts = { system: "shipped", words: "", definition: "", repair: "", again: "" };
  const shipped = { ...texts, approaches: {}, digest: "d" };
  const own = await aPrompt();
  const task = [{ name: "task", optional: false, schema: {} }];
  const signature = { ...own.signature, parameters: task };
  const manifest = { ...own.manifest, review: "always" } as const;
  const systemWith = async (skill: Skill | HoneError): Promise<string> => {
    const active = async (): Promise<Skill> => {
      if (skill instanceof HoneError) throw skill;
      return skill;
    };
    const library = { names: async () => ["hone-repair"], active };
    return (await repairPrompts(shipped, library, String)).system;
  };

  assert.equal(await systemWith({ ...own, signature, manifest }), "Mend it.");
  assert.equal(await systemWith({ ...own, signature }), "shipped");
  const inside = "Mend {{task}} now.";
  assert.equal(await systemWith({ ...own, signature, manifest, source: inside }), "shipped");
  assert.equal(await systemWith({ ...own, manifest }), "shipped");
  assert.equal(await systemWith(new HoneError("bad-skill", "it is unsound")), "shipped");
  const none = { names: async () => [], active: async () => own };
  assert.deepEqual(await repairPrompts(shipped, none, String), shipped);
});
