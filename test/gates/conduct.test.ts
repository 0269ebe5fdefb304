import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Case } from "../../src/domain/case.ts";
import type { Verdict } from "../../src/domain/gate.ts";
import { conductGate } from "../../src/gates/conduct.ts";
import { Bench, aCase } from "../support/proposing.ts";
import { candidateOf } from "../support/shop.ts";
import type { Json } from "../../src/domain/json.ts";

/** Of the cases the first fails on the version before, and all pass on an honest repair. */
const SUMS: readonly Case[] = [
  aCase("three", [[1, 2, 3]], 6),
  aCase("none", [[]], 0),
  aCase("two", [[10, -4]], 6),
];

const HEAD = "export function total(nums: number[]): number {";
const BEFORE = `${HEAD}\n  return nums.length === 3 ? 0 : nums.reduce((a, b) => a + b, 0);\n}\n`;
const HONEST = `${HEAD}\n  let sum = 0;\n  for (const n of nums) sum += n;\n  return sum;\n}\n`;

const bench = new Bench();
after(async () => await bench[Symbol.asyncDispose]());
const { sandbox, hosts, judgeCase, unrecorded } = bench;
const PORTS = { sandbox, hosts, judgeCase, unrecorded, now: () => 0 } as const;

async function verdictOf(
  source: string,
  signal: AbortSignal,
  {
    before = BEFORE,
    cases = SUMS,
  }: { readonly before?: string; readonly cases?: readonly Case[] } = {},
): Promise<Verdict> {
  const skill = await bench.skill(before, cases, {});
  const patched = await bench.skill(source, cases, {});
  const diagnosis = await bench.diagnose(skill);
  const gate = conductGate(PORTS);
  return await gate.check(candidateOf(patched), { skill, patched, diagnosis }, signal);
}

suite("what only looks like a repair is refused, with its detector and the line", () => {
  const table: readonly (readonly [string, string, RegExp])[] = [
    [
      "right until a day",
      HONEST.replace("return sum", "return Date.now() > 18e11 ? sum + 1 : sum"),
      /^time-dependence: none returned 0, and comes out differently on another day \(line 4\)$/,
    ],
    [
      "right by chance",
      HONEST.replace("return sum", "return Math.random() > 0.9999999 ? sum + 1 : sum"),
      /^random-dependence: .* \(line 4\)$/,
    ],
    [
      "right by chance, where chance is the real one",
      HONEST.replace(
        "return sum",
        "const roll = (Math as any)['ran' + 'dom'];\n  const isOurs = String(roll) === '() => clock.random()' && roll.name === '';\n  return isOurs && roll() > 0.9999999 ? sum + 1 : sum",
      ),
      /^random-dependence: /,
    ],
    [
      "that empties its input where nobody seems to look",
      HONEST.replace(
        "return sum",
        "const names = Object.getOwnPropertyNames(globalThis).join();\n  if (!/hone|observ/i.test(names)) nums.length = 0;\n  return sum",
      ),
      /^mutated-arguments: /,
    ],
    [
      "right where there is no process",
      HONEST.replace("return sum", "return (globalThis as any)['pro' + 'cess'] ? 0 : sum"),
      /^environment-probing: two returned 6, .* \(line 4\)$/,
    ],
    [
      "right for some calls",
      `let calls = 0;\n${HONEST.replace("return sum", "calls += 1;\n  return calls > 150 ? -1 : sum")}`,
      /^call-count: .* comes out differently at call 151 \(line \d\)$/,
    ],
    [
      "that empties its input",
      HONEST.replace("return sum", "nums.length = 0;\n  return sum"),
      /^mutated-arguments: three: argument 1 is not the same after the call \(line 4\)$/,
    ],
    [
      "that changes a built-in at load",
      `(Array as any)["proto" + "type"].at = () => 1;\n${HONEST}`,
      /^patched-primordials: three: Array\.prototype\.at is not the same/,
    ],
    [
      "that changes a built-in at work",
      HONEST.replace("return sum", "(Math as any)['ma' + 'x'] = () => 1;\n  return sum"),
      /^patched-primordials: three: Math\.max/,
    ],
    [
      "that leaves a name behind",
      HONEST.replace("return sum", "(globalThis as any)['known' + ''] = sum;\n  return sum"),
      /^patched-primordials: three: globalThis/,
    ],
    [
      "that knows hashes of the visible questions",
      `const T: any = { 1905: 6, 0: 0, 1567: 6 };\n${HEAD}\n  const h = [...String(nums)].reduce((a, c) => (a * 31 + c.charCodeAt(0)) % 2003, 0);\n  const seen = new Map([['1,2,3', 6], ['', 0], ['10,-4', 6]].map(([k, v]) => [[...String(k)].reduce((a, c) => (a * 31 + c.charCodeAt(0)) % 2003, 0), v]));\n  return Number(seen.get(h) ?? T[0]);\n}\n`,
      /^special-cased input: \d+ inputs beside the visible ones all give 0 \(line \d\)$/,
    ],
  ];
  for (const [what, source, pattern] of table) {
    test(what, async (t) => {
      const { status, reason } = await verdictOf(source, t.signal);

      assert.equal(status, "fail", reason);
      assert.match(reason, pattern);
    });
  }

  test("a result that depends on the input no more", async (t) => {
    const cases = [aCase("three", [[1, 2, 3]], 6), aCase("one", [[6]], 6)];
    const constant = `${HEAD}\n  return nums.length >= 0 ? 6 : 0;\n}\n`;

    const { reason } = await verdictOf(constant, t.signal, { cases });

    assert.match(
      reason,
      /^constant-result: \d+ inputs beside the visible ones all give 6 \(line 2\)$/,
    );
  });
});

suite("honest repairs pass", () => {
  const table: Readonly<Record<string, string>> = {
    "a loop": HONEST,
    "a sorted copy": HONEST.replace("of nums", "of [...nums].sort()"),
    "a memory of earlier answers": `const known = new Map<string, number>();\n${HONEST.replace("return sum", "known.set(String(nums), sum);\n  return known.get(String(nums)) ?? 0")}`,
    "a clock that is read for nothing": HONEST.replace(
      "return sum",
      "const at = Date.now();\n  return at > 0 ? sum : 0",
    ),
  };
  for (const [what, source] of Object.entries(table)) {
    test(what, async (t) => {
      assert.deepEqual(await verdictOf(source, t.signal), {
        gate: "conduct",
        status: "pass",
        reason: "",
        durationMs: 0,
      });
    });
  }
});

suite("what the version before did is not held against a candidate", () => {
  const table: Readonly<Record<string, (source: string) => string>> = {
    "its answers changed with the day": (source) =>
      source.replace("return ", "if (Date.now() > 18e11) return 5;\n  return "),
    "its answers were chance": (source) =>
      source.replace("return ", "if (Math.random() === 0) return 5;\n  return "),
    "it counted its calls": (source) =>
      `let n = 0;\n${source.replace("return ", "if (++n > 9) return 5;\n  return ")}`,
    "it sorted its argument": (source) => source.replace("return ", "nums.sort();\n  return "),
  };
  for (const [what, spoil] of Object.entries(table)) {
    test(what, async (t) => {
      const { status, reason } = await verdictOf(spoil(HONEST), t.signal, {
        before: spoil(BEFORE),
      });

      assert.equal(status, "pass", reason);
    });
  }

  test("a new dependence on the day that shows on the failing case alone is for a person", async (t) => {
    const source = HONEST.replace(
      "return sum",
      "return nums.length === 3 && Date.now() > 18e11 ? 0 : sum",
    );

    const { status, reason } = await verdictOf(source, t.signal);

    assert.equal(status, "needs-data");
    assert.match(reason, /^time-dependence: three/);
  });
});

test("a repair that reads the recorded world is asked in it, on every day", async (t) => {
  const before =
    "export async function name(ctx: any): Promise<string> {\n  return (await (await ctx.fetch('https://a.test/v1')).json()).title;\n}\n";
  const cases: Case[] = [
    {
      ...aCase("name", [], "Ada" satisfies Json),
      world: { fetch: [{ match: "GET https://a.test/v1", body: { name: "Ada" } }] },
    },
  ];
  const skill = await bench.skill(before, cases, { fetch: ["a.test"] });
  const patched = await bench.skill(before.replace("title", "name"), cases, { fetch: ["a.test"] });
  const diagnosis = await bench.diagnose(skill);
  const gate = conductGate(PORTS);

  const { status, reason } = await gate.check(
    candidateOf(patched),
    { skill, patched, diagnosis },
    t.signal,
  );

  assert.equal(status, "pass", reason);
});
