import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { suite, test, type TestContext } from "node:test";
import { aFolder, hone } from "../support/hone.ts";
import { type Asked, modelServer, type Reply } from "../support/model-server.ts";

type Subject = (typeof SUBJECTS)[number];
type Report = {
  readonly cases: number;
  readonly plausible: number;
  readonly correct: number;
  readonly overfit: number;
  readonly needs_data: number;
  readonly errors: number;
  readonly rows: readonly {
    readonly result: string;
    readonly proposer: string | null;
    readonly reason: string;
  }[];
};

/** Small faults of three kinds: an operator that a search finds, a missing rule, and state that stays. */
const SUBJECTS = [
  {
    id: "late-fee",
    difficulty: "one-token",
    skill: {
      name: "lateFee",
      source_buggy: `/** Fee in cents for days late: nothing for the first three, 50 for each day after them. */
export function lateFee(days: number): number {
  return Math.max(0, days - 3) + 50;
}
`,
      source_fixed: `/** Fee in cents for days late: nothing for the first three, 50 for each day after them. */
export function lateFee(days: number): number {
  return Math.max(0, days - 3) * 50;
}
`,
    },
    visible_tests: [
      { args: [5], expect: 100 },
      { args: [3], expect: 0 },
      { args: [10], expect: 350 },
    ],
    heldout_tests: [
      { args: [0], expect: 0 },
      { args: [44], expect: 2_050 },
    ],
  },
  {
    id: "initials",
    difficulty: "new-logic",
    skill: {
      name: "initials",
      source_buggy: `/** First letters of all words, in capitals; parts joined by a hyphen count as words. */
export function initials(name: string): string {
  return name
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase())
    .join("");
}
`,
      source_fixed: `/** First letters of all words, in capitals; parts joined by a hyphen count as words. */
export function initials(name: string): string {
  return name
    .split(/[\\s-]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase())
    .join("");
}
`,
    },
    visible_tests: [
      { args: ["ada lovelace"], expect: "AL" },
      { args: ["mary-ann evans"], expect: "MAE" },
      { args: ["jean-luc  picard"], expect: "JLP" },
    ],
    heldout_tests: [
      { args: ["anna-maria von-der berg"], expect: "AMVDB" },
      { args: [""], expect: "" },
    ],
  },
  {
    id: "words",
    difficulty: "one-expression",
    skill: {
      name: "countWords",
      source_buggy: `const counts: Record<string, number> = {};

/** How often each word stands in a text; words are told apart by case. */
export function countWords(text: string): Record<string, number> {
  for (const word of text.split(" ")) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
`,
      source_fixed: `/** How often each word stands in a text; words are told apart by case. */
export function countWords(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of text.split(/\\s+/)) {
    if (word !== "") counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}
`,
    },
    visible_tests: [
      { args: ["a b a"], expect: { a: 2, b: 1 } },
      { args: ["one  two"], expect: { one: 1, two: 1 } },
      { args: [" x"], expect: { x: 1 } },
    ],
    heldout_tests: [
      { args: ["q\tq  r "], expect: { q: 2, r: 1 } },
      { args: [""], expect: {} },
    ],
  },
] as const;

function whole(code: string): string {
  return JSON.stringify({ reason: "put right", edits: [{ op: "replace", target: "*", code }] });
}

/** The subject that a prompt is about: its source stands in it to the byte. */
function subjectIn({ messages }: Asked): Subject {
  const prompt = messages.map(({ content }) => content).join("\n");
  const found = SUBJECTS.find(({ skill }) => prompt.includes(skill.source_buggy));
  return found ?? assert.fail("the source stands in the prompt as it is");
}

function byHeart({ skill, visible_tests }: Subject): string {
  const lines = visible_tests.map(
    ({ args, expect }) =>
      `  if (JSON.stringify([...arguments]) === ${JSON.stringify(JSON.stringify(args))}) return ${JSON.stringify(expect)} as never;\n`,
  );
  return skill.source_buggy.replace(/(export function[^\n]*\{\n)/, `$1${lines.join("")}`);
}

async function evaluated(
  t: TestContext,
  answers: (of: Subject, asked: Asked) => string | Reply,
  options: {
    readonly proposers?: string;
    readonly env?: (url: string) => Record<string, string>;
  } = {},
): Promise<{ readonly report: Report; readonly code: number | null; readonly requests: number }> {
  const { proposers = "model", env = (url) => ({ HONE_MODEL_URL: url }) } = options;
  const cwd = await aFolder(t);
  await using server = await modelServer({ answers: (asked) => answers(subjectIn(asked), asked) });
  const suiteFile = path.join(cwd, "suite.jsonl");
  const out = path.join(cwd, "report.json");
  await writeFile(suiteFile, SUBJECTS.map((one) => JSON.stringify(one)).join("\n"));
  const words = ["eval", suiteFile, "--proposers", proposers, "--budget-ms", "3000", "--out", out];
  const surroundings = { HONE_MODEL_SAMPLES: "3", ...env(server.url) };
  const { code, stderr } = await hone(words, { cwd, env: surroundings });
  const text = await readFile(out, "utf8").catch(() => assert.fail(stderr));
  return { report: JSON.parse(text) as Report, code, requests: server.asked.length };
}

suite("hone eval with a model", () => {
  test("releases every right answer, one request a sample (T2, T12)", async (t) => {
    const { report, code, requests } = await evaluated(t, ({ skill }) => whole(skill.source_fixed));

    assert.deepEqual(
      [report.correct, report.cases, code],
      [SUBJECTS.length, SUBJECTS.length, 0],
      JSON.stringify(report.rows),
    );
    assert.equal(requests, 3 * SUBJECTS.length);
  });

  test("finds the model of OPENAI_BASE_URL where none is set", async (t) => {
    const env = (url: string): Record<string, string> => ({ OPENAI_BASE_URL: url });
    const { report } = await evaluated(t, ({ skill }) => whole(skill.source_fixed), { env });

    assert.equal(report.correct, SUBJECTS.length);
  });

  const bad: Readonly<Record<string, (of: Subject) => string>> = {
    "the visible answers by heart (B8, B12)": (of) => whole(byHeart(of)),
    "the faulty source": ({ skill }) => whole(skill.source_buggy),
    "a comment": ({ skill }) => whole(`${skill.source_buggy}// Looks right to me.\n`),
    nonsense: () => "```ts\nlet cake;\n```",
    "another reach": ({ skill }) =>
      whole(`${skill.source_fixed}void globalThis.fetch?.("https://x.test");\n`),
  };
  for (const [what, answer] of Object.entries(bad)) {
    test(`releases nothing for ${what} (T2)`, async (t) => {
      const { report } = await evaluated(t, answer);

      assert.deepEqual([report.correct, report.overfit, report.errors], [0, 0, 0]);
    });
  }

  test("proposes nothing that is released where nothing is wrong (T3, B14)", async (t) => {
    const cwd = await aFolder(t);
    const noise = ({ skill }: Subject, index: number): string =>
      [
        whole(skill.source_fixed.replace(/return (?!counts)/, "return 1 && ")),
        whole(`${skill.source_fixed}const unused = ${index};\n`),
        "?",
      ][index % 3] ?? "";
    const fixed = (asked: Asked): Subject =>
      SUBJECTS.find(({ skill }) => JSON.stringify(asked.messages).includes(`${skill.name}(`)) ??
      assert.fail("a prompt is about one of them");
    await using server = await modelServer({
      answers: (asked) => noise(fixed(asked), asked.index),
    });
    const file = path.join(cwd, "suite.jsonl");
    await writeFile(file, SUBJECTS.map((one) => JSON.stringify(one)).join("\n"));
    const out = path.join(cwd, "report.json");
    const words = ["eval", file, "--control", "--proposers", "model", "--out", out];
    const env = { HONE_MODEL_URL: server.url, HONE_MODEL_SAMPLES: "20" };

    const { code, stderr } = await hone(words, { cwd, env });

    const { offered, releases } = JSON.parse(await readFile(out, "utf8")) as Record<string, number>;
    assert.deepEqual([releases, code], [0, 0], stderr);
    assert.ok((offered ?? 0) > 4 * SUBJECTS.length, "more than the usual control candidates");
  });
});

suite("the search with a model behind it is never worse than alone (T2)", () => {
  const all = "revert,drift,search,model";

  test("whatever nonsense the model says", async (t) => {
    const alone = await evaluated(t, () => "?", { proposers: "revert,drift,search" });
    const both = await evaluated(t, ({ skill }) => whole(skill.source_buggy), { proposers: all });

    // The first is found in no time, on a busy machine too; the others may be.
    for (const { report } of [alone, both]) {
      assert.deepEqual([report.rows[0]?.result, report.rows[0]?.proposer], ["correct", "search"]);
      assert.ok(report.rows.every(({ proposer }) => proposer !== "model"));
    }
    assert.equal(alone.requests, 0);
  });

  test("and better where the model is right; it is not asked where the search has found", async (t) => {
    const { report, requests } = await evaluated(t, ({ skill }) => whole(skill.source_fixed), {
      proposers: all,
    });

    const own = report.rows.filter(({ proposer }) => proposer === "model").length;
    assert.equal(report.correct, SUBJECTS.length, JSON.stringify(report.rows));
    assert.ok(own < SUBJECTS.length && requests === 3 * own);
  });

  test("and an endpoint that is down takes nothing from it", async (t) => {
    const env = (): Record<string, string> => ({ HONE_MODEL_URL: "http://127.0.0.1:9/v1" });
    const { report } = await evaluated(t, () => "", { proposers: all, env });

    assert.ok(report.correct > 0);
    assert.match(JSON.stringify(report.rows), /llm_unreachable/);
  });
});
