import assert from "node:assert/strict";
import * as fc from "../support/property.ts";
import { suite, test } from "node:test";
import { lineOf, type Case } from "../../src/domain/case.ts";
import { sameJson, type Json, type JsonObject } from "../../src/domain/json.ts";
import { DEFAULT_LIMITS } from "../../src/domain/skill.ts";
import { readCases } from "../../src/library/case-lines.ts";
import { readFrontMatter } from "../../src/library/front-matter.ts";
import { loadSkill, type LoadPorts } from "../../src/library/load-skill.ts";
import { aSkill } from "../support/shop.ts";

const { signature } = aSkill();

suite("front matter", () => {
  test("has a default for everything but name and description", () => {
    const { value, problems } = readFrontMatter("---\nname: a-b\ndescription: d\n---\nbody", "a-b");

    assert.deepEqual(problems, []);
    assert.deepEqual(value?.manifest, {
      kind: "function",
      capabilities: {},
      reward: { threshold: 1, parts: [{ use: "code", weight: 1, with: {} }] },
      limits: DEFAULT_LIMITS,
      review: "critical",
    });
  });

  test("names a key that is nearly one of its own, and lets foreign ones be", () => {
    const text = `---\nname: a\ndescription: d\nmetadata: { capabilites: {}, author: me }\n---\n`;

    const { problems } = readFrontMatter(text, "a");

    assert.deepEqual(problems, ["SKILL.md: metadata.capabilites: did you mean capabilities?"]);
  });

  test("refuses options that hold themselves", () => {
    const options = "metadata: { reward: { parts: [{ use: own, with: &all { it: *all } }] } }";

    const { value, problems } = readFrontMatter(
      `---\nname: a\ndescription: d\n${options}\n---\n`,
      "a",
    );

    assert.equal(value, null);
    assert.match(problems.join(), /circular/);
  });

  test("names every problem in one pass", () => {
    const text = `---
name: Not A Name
description: ""
metadata:
  kind: poem
  capabilities: { fetch: ["https://a.test/x"], files: true }
  limits: { timeoutMs: 5, memoryMb: 4000 }
  reward: { threshold: 2, parts: [] }
  review: never
---
`;

    const { value, problems } = readFrontMatter(text, "a");

    assert.equal(value, null);
    for (const place of [
      "name",
      "description",
      "metadata.kind",
      "metadata.capabilities.fetch.0",
      "metadata.capabilities",
      "metadata.limits.timeoutMs",
      "metadata.limits.memoryMb",
      "metadata.reward.threshold",
      "metadata.reward.parts",
      "metadata.review",
    ]) {
      assert.ok(
        problems.some((problem) => problem.startsWith(`SKILL.md: ${place}: `)),
        `${place} in ${problems.join("\n")}`,
      );
    }
  });

  test("may be written on Windows, with a byte-order mark", () => {
    const text = "\uFEFF---\r\nname: a\r\ndescription: d\r\n---\r\nbody\r\n";

    assert.equal(readFrontMatter(text, "a").value?.name, "a");
  });

  for (const [what, text, problem] of [
    ["is missing", "# a skill\n", /must begin with YAML front matter/],
    ["is no YAML", "---\nname: [a\n---\n", /front matter is no YAML/],
    ["names another folder", "---\nname: b\ndescription: d\n---\n", /the folder is "a"/],
    ["is a list", "---\n- a\n---\n", /front matter/],
  ] as const) {
    test(`says so when it ${what}`, () => {
      assert.match(readFrontMatter(text, "a").problems.join("\n"), problem);
    });
  }
});

suite("cases", () => {
  test("names every line that is no case, and goes on", () => {
    const lines = [
      "{no",
      '{"expect":1}',
      '{"input":{"text":"a"},"args":["a"],"expect":1}',
      '{"input":{"text":"a"}}',
      '{"input":{"text":"a"},"expect":1,"throws":"x"}',
      '{"input":{"text":"a","other":1},"expect":1}',
      '{"input":{"text":"a"},"expect":1,"extra":1}',
      '{"input":{"text":"a"},"reward":1.5}',
      '{"input":{"text":"a"},"expect":1,"capabilities":{"fetch":[{"match":"GET x","status":7}]}}',
      "",
      '{"name":"good","input":{"text":"a"},"expect":1}',
      '{"name":"good","args":["b"],"throws":"no"}',
    ];

    const { value, problems } = readCases(lines.join("\n"), "cases.jsonl", signature);

    const places = problems.map((problem) => problem.split(": ")[0]);
    const expected = Array.from({ length: 9 }, (_, at) => `cases.jsonl:${at + 1}`);
    assert.deepEqual(places, [...expected, "cases.jsonl"]);
    assert.match(problems.at(-1) ?? "", /two cases are named "good"/);
    assert.deepEqual(
      value?.map(({ args }) => args),
      [["a"], ["b"]],
    );
  });

  test("what is expected may be null or false, and is not mistaken for nothing", () => {
    const lines = '{"args":["a"],"expect":null}\n{"args":["b"],"expect":false}\n';

    const { value, problems } = readCases(lines, "cases.jsonl", signature);

    assert.deepEqual(problems, []);
    assert.deepEqual(
      value?.map(({ expectation }) => expectation),
      [
        { kind: "value", value: null },
        { kind: "value", value: false },
      ],
    );
  });

  test("a case written as a line is the same case when it is read", () => {
    fc.assert(
      fc.property(anyCase, (of) => {
        const { value, problems } = readCases(`${lineOf(of)}\n`, "cases.jsonl", signature);

        assert.deepEqual(problems, []);
        assert.equal(value?.length, 1);
        assert.ok(sameJson(value[0] as unknown as Json, of));
      }),
      { numRuns: 500 },
    );
  });

  test("lines end with LF or CRLF", () => {
    const { value, problems } = readCases(
      '{"args":["a"],"expect":1}\r\n\r\n{"args":["b"],"expect":2}\r\n',
      "cases.jsonl",
      signature,
    );

    assert.deepEqual([problems, value?.length], [[], 2]);
  });
});

suite("loading a skill", () => {
  const ports: LoadPorts = {
    inspect: async ({ text }) =>
      text === "unsound"
        ? { status: "unsound", problems: [{ line: 3, message: "no function" }] }
        : { ...aSkill(), status: "sound" },
    rewardProblems: () => [],
  };
  const load = async (files: Record<string, string>, t: { signal: AbortSignal }) =>
    await loadSkill({ name: "a", version: "v1", tree: "t", files }, ports, t.signal);
  const HEADER = "---\nname: a\ndescription: d\n---\n";

  test("names what is wrong with every file at once", async (t) => {
    const rewards = { ...ports, rewardProblems: () => ["SKILL.md: there is no reward x"] };
    const files = { "SKILL.md": HEADER, "skill.ts": "unsound", "cases.jsonl": "{no" };

    const folder = { name: "a", version: "v1", tree: "t", files };
    const loaded = await loadSkill(folder, rewards, t.signal);

    assert.equal(loaded.status, "unsound");
    assert.deepEqual(loaded.problems, [
      "SKILL.md: there is no reward x",
      "skill.ts:3: no function",
      "cases.jsonl:1: no JSON",
    ]);
  });

  test("names the files that are missing", async (t) => {
    const loaded = await load({}, t);

    assert.equal(loaded.status, "unsound");
    assert.deepEqual(loaded.problems, ["SKILL.md is missing", "skill.ts is missing"]);
  });

  test("names the bad cases of a sound source", async (t) => {
    const loaded = await load({ "SKILL.md": HEADER, "skill.ts": "x", "cases.jsonl": "{no\n" }, t);

    assert.equal(loaded.status, "unsound");
    assert.deepEqual(loaded.problems, ["cases.jsonl:1: no JSON"]);
  });

  test("keeps every file of the folder, and takes skill.js where there is no skill.ts", async (t) => {
    const files = { "SKILL.md": HEADER, "skill.js": "plain", "notes/a.md": "kept" };

    const loaded = await load(files, t);

    assert.equal(loaded.status, "sound");
    assert.deepEqual([loaded.skill.language, loaded.skill.source], ["js", "plain"]);
    assert.deepEqual(loaded.skill.files, files);
    assert.deepEqual(loaded.skill.cases, []);
  });
});

const json = fc.jsonValue();
const object = fc.dictionary(fc.string(), json) as fc.Arbitrary<JsonObject>;

/** Names of headers and skills: neither can be `__proto__`. */
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);

const anyRule = fc.record(
  {
    match: fc.string({ minLength: 1 }),
    status: fc.integer({ min: 100, max: 599 }),
    headers: fc.dictionary(name, fc.string()),
    body: json,
    times: fc.integer({ min: 1, max: 9 }),
    ticks: fc.integer({ min: 0, max: 9 }),
  },
  { requiredKeys: ["match"] },
);

const anyWorld = fc.record(
  {
    fetch: fc.array(anyRule, { maxLength: 3 }),
    kv: object,
    now: fc.integer(),
    seed: fc.integer(),
    skills: fc.dictionary(
      name,
      fc.array(fc.record({ input: json, result: json }), { maxLength: 2 }),
    ),
  },
  { requiredKeys: [] },
);

const anyCase: fc.Arbitrary<Case> = fc.record({
  name: fc.string({ minLength: 1 }),
  args: fc.array(json, { maxLength: 3 }),
  expectation: fc.oneof(
    fc.record({ kind: fc.constant("value" as const), value: json }),
    fc.record({ kind: fc.constant("throws" as const), message: fc.string() }),
    fc.record({
      kind: fc.constant("reward" as const),
      atLeast: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  ),
  world: anyWorld,
}) as fc.Arbitrary<Case>;

test("a case nested deeper than a skill can take is a problem of its line", () => {
  const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  const lines = [
    `{"input":{"text":"x"},"expect":${deep(64)}}`,
    `{"input":{"text":"x"},"expect":${deep(65)}}`,
    `{"input":{"text":${deep(5_000)}},"expect":1}`,
    `{"input":{"text":"x"},"expect":1,"capabilities":{"kv":{"k":${deep(5_000)}}}}`,
  ];

  const { problems } = readCases(lines.join("\n"), "cases.jsonl", signature);

  assert.deepEqual(
    problems,
    [2, 3, 4].map((at) => `cases.jsonl:${at}: is nested deeper than 64 levels`),
  );
});
