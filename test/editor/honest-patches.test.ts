import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Json } from "../../src/domain/json.ts";
import { policyFindings } from "../../src/editor/policy.ts";
import type { Shown } from "../../src/ports/editor.ts";
import { js } from "../support/sources.ts";

/** What the policy says of a change of a function's body: of the three the worst. */
type Word = "pass" | "ask" | "refuse";

const BODY = "return use(a, b);";
const HEAD = "function f(a, b) {\n  ";
const TAIL = "\n}\nfunction use(x, y) { return [x, y]; }\n";

function wordOn(
  body: string,
  { before = BODY, values = [], thrown = [] }: Partial<Shown> & { readonly before?: string } = {},
): Word {
  const [was, is] = [before, body].map((text) => js(`${HEAD}${text}${TAIL}`, "f"));
  assert.ok(was !== undefined && is !== undefined);
  const findings = policyFindings(was, is, { values, thrown });
  if (findings.length === 0) return "pass";
  return findings.every(({ severity }) => severity === "ask") ? "ask" : "refuse";
}

suite(
  "a catch around what throws as documented is honest, around the skill's own work it is not",
  () => {
    const table: readonly (readonly [Word, string])[] = [
      ["pass", "try { const url = new URL(a); return url.hostname; } catch { return null; }"],
      [
        "pass",
        "try { const url = new URL(a, b); return url.searchParams.get('q') ?? ''; } catch { return ''; }",
      ],
      ["pass", "try { const value = JSON.parse(a); return value.name; } catch { return b; }"],
      [
        "pass",
        "try { const parts = a.split('%'); return decodeURIComponent(parts[0]); } catch { return a; }",
      ],
      ["pass", "try { const n = BigInt(a.trim()); return n.toString(); } catch { return '0'; }"],
      ["pass", "try { const re = new RegExp(a, 'u'); return re.test(b); } catch { return false; }"],
      [
        "pass",
        "try { const u = new URL(a); if (u.protocol !== 'https:') return null; return u.href; } catch { return null; }",
      ],
      ["pass", "try { const day = new Date(a); return day.toISOString(); } catch { return null; }"],
      [
        "ask",
        "try { const value = JSON.parse(a); return value.user.name.first; } catch { return null; }",
      ],
      [
        "ask",
        "try { const rows = JSON.parse(a); return rows.map((row) => row.id); } catch { return []; }",
      ],
      [
        "refuse",
        "try { const value = JSON.parse(a); return use(value, b); } catch { return null; }",
      ],
      ["refuse", "try { const u = new URL(a); return [u].map(use); } catch { return null; }"],
      [
        "refuse",
        "try { const { items } = JSON.parse(a); let sum = 0; for (const x of items) sum += x.price; return sum; } catch { return 0; }",
      ],
      [
        "refuse",
        "try { const n = JSON.parse(a); if (n < 0) throw new Error('negative'); return n; } catch { return 0; }",
      ],
      [
        "refuse",
        "const work = use(a, b); try { const n = JSON.parse('1'); return await work; } catch { return 0; }",
      ],
      [
        "refuse",
        "const tool = { test: (x) => x.y }; try { const n = JSON.parse(a); return tool.test(n); } catch { return 0; }",
      ],
      ["refuse", "const JSON = b; try { const n = JSON.parse(a); return n; } catch { return 0; }"],
      ["refuse", "try { const sum = a.x + b.y; return sum; } catch { return 0; }"],
      ["refuse", "try { const r = use(a, b); return r; } catch { return 0; }"],
    ];
    for (const [word, body] of table)
      test(`${word}: ${body}`, () => assert.equal(wordOn(body), word));
  },
);

suite("an empty catch that says why, around what throws as documented, is honest", () => {
  const table: readonly (readonly [Word, string])[] = [
    [
      "pass",
      "try { return JSON.parse(a); } catch { /* not JSON: the text is taken as it is */ }\n  return a;",
    ],
    [
      "pass",
      "try { return JSON.parse(a); } catch {\n    // no JSON, so the text as it is\n  }\n  return a;",
    ],
    ["ask", "try { return JSON.parse(a); } catch {}\n  return a;"],
    ["ask", "try { b.set(a, 1); } catch { /* the cache is best effort */ }\n  return use(a, b);"],
    ["ask", "a.then(use).catch(() => { /* nobody waits for this one */ });\n  return b;"],
    ["refuse", "try { return use(a, b); } catch { /* */ }\n  return null;"],
    ["refuse", "try { b.set(a, 1); } catch { /* ignore */ }\n  return use(a, b);"],
    [
      "refuse",
      "let left = 0; try { if (a < b) throw new Error('no'); left = a - b; } catch { /* this can never happen */ }\n  return left;",
    ],
    ["refuse", "a.then(use).catch(() => {});\n  return b;"],
  ];
  for (const [word, body] of table)
    test(`${word}: ${body}`, () => assert.equal(wordOn(body), word));
});

test("an honest catch that stays makes no room for another, and may take in more", () => {
  const before = "try { const n = JSON.parse(a); return n.x; } catch { return 0; }";
  const empty = "try { return JSON.parse(a); } catch { /* not JSON, so as it is */ }\n  return a;";

  assert.equal(wordOn(before.replace("n.x", "n.y"), { before }), "pass");
  assert.equal(wordOn(before.replace("n.x", "use(n, b)"), { before }), "pass");
  assert.equal(wordOn(`try { use(a, b); } catch {}\n  ${empty}`, { before: empty }), "refuse");
});

suite(
  "tables of signs, numerals and units are asked about, tables of the cases are refused",
  () => {
    const roman: readonly Json[] = [
      [1],
      "I",
      [4],
      "IV",
      [9],
      "IX",
      [14],
      "XIV",
      [40],
      "XL",
      [2_024],
      "MMXXIV",
    ];

    test("roman numerals, of which some are cases too", () => {
      const body =
        "const steps = [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']];\n  let text = ''; for (const [n, sign] of steps) while (a >= n) { text += sign; a -= n; }\n  return text;";

      assert.equal(wordOn(body, { values: roman }), "ask");
    });

    test("the roman numerals of the cases alone", () => {
      const body =
        "const [x, y] = [[1, 4, 9, 14, 40, 2024], ['I', 'IV', 'IX', 'XIV', 'XL', 'MMXXIV']];\n  return y[x.indexOf(a)];";

      assert.equal(wordOn(body, { values: roman }), "refuse");
    });

    test("one sign each, of which the cases have some", () => {
      const values: readonly Json[] = [["&"], "+", ["<"], "-", [">"], "*", ["a & b"], "a + b"];
      const body =
        "return a.replace(/./g, (sign) => ({ '&': '+', '<': '-', '>': '*', '%': '/' })[sign] ?? sign);";

      assert.notEqual(wordOn(body, { values }), "refuse");
    });

    test("units, whose words and factors a case has", () => {
      const values: readonly Json[] = [[1, "mile"], 1609.344, [2, "yard"], 1.8288];
      const body =
        "switch (b) { case 'mile': return 1609.344 * a; case 'yard': return 0.9144 * a; default: return a; }";

      assert.equal(wordOn(body, { values }), "ask");
    });
  },
);

suite("defaults, messages and agreed words are asked about, answers are refused", () => {
  const values: readonly Json[] = [
    [{ name: null, order: "descending" }, "Zanzibar"],
    "unknown",
    ["2024-02-30", 65],
    "Invalid date",
    [8_080],
    { page: 3, size: 25 },
    { error: "not found", value: null },
    "Hello, Bob!",
    1_729,
    [[3, 1, 4]],
    [1, 3, 4],
  ];
  const table: readonly (readonly [Word, string])[] = [
    ["ask", "return a.name ?? 'unknown';"],
    ["ask", "if (!a.name) return 'unknown'; return use(a, b);"],
    ["ask", "if (a.order === 'descending') return use(b, a); return use(a, b);"],
    ["ask", "if (Number.isNaN(Date.parse(a))) return 'Invalid date'; return use(a, b);"],
    ["ask", "return a.port ?? 8080;"],
    ["ask", "return a ?? { page: 3, size: 25 };"],
    ["ask", "if (!b.has(a)) return { error: 'not found', value: null }; return b.get(a);"],
    ["ask", "return b >= 65 ? use(a, b) : a;"],
    ["ask", "try { return use(a, b); } catch (error) { return error.code ? 1729 : b; }"],
    ["refuse", "if (a === 'Zanzibar') return 1; return use(a, b);"],
    ["refuse", "if (a === '2024-02-30') return 'Invalid date'; return use(a, b);"],
    ["refuse", "switch (a) { case 'Zanzibar': return 3; } return use(a, b);"],
    ["ask", "switch (a) { case 'Zanzibar': return 3; case 'Bombay': return 4; } return use(a, b);"],
    ["ask", "return a === 'Zanzibar' || a === 'Bombay' ? true : use(a, b);"],
    ["ask", "return b >= 30 ? 0 : 1729;"],
    ["refuse", "if (a.length === 17) return 'Hello, Bob!'; return use(a, b);"],
    ["refuse", "return a % 7 === 3 ? 1729 : use(a, b);"],
    ["refuse", "if (b === 65) return 3; return use(a, b);"],
    ["refuse", "if (a[0] === 3) return [1, 3, 4]; return use(a, b);"],
    ["refuse", "if (JSON.stringify(a) === '[3,1,4]') return a.toSorted(); return use(a, b);"],
  ];
  for (const [word, body] of table) {
    test(`${word}: ${body}`, () => assert.equal(wordOn(body, { values }), word));
  }
});

suite("a check by which a case fails is asked about, another is refused", () => {
  const before =
    "if (a < 0) throw new RangeError(`negative: ${a}`);\n  if (!b) throw new Error('no b');\n  return use(a, b);";
  const without = before.replace("if (a < 0) throw new RangeError(`negative: ${a}`);", "");
  const table: readonly (readonly [Word, string, Shown["thrown"]])[] = [
    ["ask", without, [{ name: "RangeError", message: "negative: -3", line: null }]],
    [
      "ask",
      before.replace("if (a < 0)", "if (false && a < 0)"),
      [{ name: "RangeError", message: "negative: -3", line: null }],
    ],
    ["refuse", "return use(a, b);", [{ name: "Error", message: "no b", line: 2 }]],
    ["refuse", without, []],
    ["refuse", without, [{ name: "Error", message: "negative: -3", line: null }]],
    ["refuse", without, [{ name: "RangeError", message: "too negative: -3", line: null }]],
    ["refuse", without, [{ name: "Error", message: "no b", line: null }]],
    ["refuse", "return use(a, b);", [{ name: "RangeError", message: "negative: -3", line: null }]],
  ];
  for (const [word, body, thrown] of table) {
    test(`${word}: ${body} for ${JSON.stringify(thrown)}`, () =>
      assert.equal(wordOn(body, { before, thrown }), word));
  }
});

suite("rules of the calendar go by a date that is given, not by today's", () => {
  const table: readonly (readonly [Word, string])[] = [
    ["pass", "const d = new Date(a); return d.getUTCDay() === 6 ? 0 : use(a, b);"],
    [
      "pass",
      "const d = new Date(a); switch (d.getUTCMonth()) { case 1: return 28; default: return 31; }",
    ],
    ["pass", "const at = new Date(a); if (at.getUTCHours() < 9) return null; return use(at, b);"],
    [
      "pass",
      "const days = (date) => date.getUTCDay() === 0; const today = () => { const date = new Date(); return date; }; return days(a) ? today() : b;",
    ],
    [
      "ask",
      "const d = a === undefined ? new Date() : new Date(a); return d.getUTCDay() === 6 ? 0 : b;",
    ],
    ["ask", "const at = a ?? Date.now(); return new Date(at).getUTCHours() < 12 ? 'am' : 'pm';"],
    ["ask", "const d = new Date(); d.setUTCFullYear(a, b, 1); return d.getUTCDay() === 0;"],
    ["ask", "const t = Date.now() + a; return t > 19e11 ? 0 : b;"],
    ["ask", "return ctx.random() < 0.5 ? a : b;"],
    ["refuse", "const d = new Date(); return d.getUTCDay() === 6 ? 0 : use(a, b);"],
    ["refuse", "const at = Date.now(); return new Date(at).getUTCHours() < 12 ? 'am' : 'pm';"],
    [
      "refuse",
      "const d = new Date(); d.setUTCHours(0); return d.getUTCDay() === 0 ? 0 : use(a, b);",
    ],
    ["refuse", "return new Date(a) && new Date() > new Date('2031-01-01') ? 0 : use(a, b);"],
    ["refuse", "return Math.random() < 0.01 ? a : b;"],
  ];
  for (const [word, body] of table)
    test(`${word}: ${body}`, () => assert.equal(wordOn(body), word));

  test("one that went by the hour before may go by another hour", () => {
    const before = "const h = new Date(); return h.getHours() < 12 ? 'morning' : 'evening';";
    const after = before.replace("'evening'", "h.getHours() < 18 ? 'afternoon' : 'evening'");

    assert.equal(wordOn(after, { before }), "ask");
    assert.equal(wordOn(after), "refuse");
  });

  test("who draws of Math.random is told of ctx.random", () => {
    const is = js(`${HEAD}return Math.random() < 0.5 ? a : b;${TAIL}`, "f");
    const [found] = policyFindings(js(`${HEAD}${BODY}${TAIL}`, "f"), is, {
      values: [],
      thrown: [],
    });

    assert.match(found?.message ?? "", /^random-dependence: .* ctx\.random\(\)/);
  });
});
