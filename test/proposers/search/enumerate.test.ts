import assert from "node:assert/strict";
import test from "node:test";
import vm from "node:vm";
import { ts } from "ts-morph";
import { stripTypeScriptTypes } from "node:module";
import { enumerateEdits } from "../../../src/proposers/search/enumerate.ts";
import { OPERATORS } from "../../../src/proposers/search/operator-table.ts";
import type { Suspicion } from "../../../src/domain/incident.ts";

type Language = "ts" | "js";

function all(text: string, language: Language = "js", suspicions: readonly Suspicion[] = []) {
  const source = { text, language, entry: null };
  return enumerateEdits(source, { suspicions, offset: 0, limit: 1_000_000 });
}

function applied(text: string, edits: ReturnType<typeof all>[number]["edits"]): string {
  let result = "";
  let at = 0;
  for (const edit of edits) {
    assert.equal(edit.op, "splice");
    if (edit.op !== "splice") continue;
    assert.ok(edit.start >= at, "splices stand in order and do not overlap");
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

function texts(text: string, language: Language = "js"): string[] {
  return all(text, language).map(({ edits }) => applied(text, edits));
}

/** One wrong function, and what one edit should make of it. */
const REPAIRS: readonly (readonly [name: string, wrong: string, right: string])[] = [
  [
    "a default for null as well",
    'function f(a = "all") { return a.length; }',
    'function f(a = "all") { a ??= "all"; return a.length; }',
  ],
  [
    "a text cleaned at the start",
    "function f(a) { if (a.length > 2) return a.slice(2); return a.trimEnd(); }",
    "function f(a) { a = a.trim(); if (a.length > 2) return a.slice(2); return a.trimEnd(); }",
  ],
  ["comparison", "function f(a, b) { return a < b; }", "function f(a, b) { return a <= b; }"],
  ["equality", "function f(a) { return a === 1; }", "function f(a) { return a !== 1; }"],
  ["arithmetic", "function f(a) { return a + 2; }", "function f(a) { return a * 2; }"],
  [
    "grouped arithmetic",
    "function f(a, b) { return a * b * 2; }",
    "function f(a, b) { return (a + b) * 2; }",
  ],
  ["logical", "function f(a, b) { return a && b; }", "function f(a, b) { return a || b; }"],
  ["assignment", "function f(a) { a += 1; return a; }", "function f(a) { a -= 1; return a; }"],
  ["update", "function f(a) { a++; return a; }", "function f(a) { a--; return a; }"],
  ["operand order", "function f(a, b) { return a - b; }", "function f(a, b) { return b - a; }"],
  ["number", "function f(a) { return a * 9; }", "function f(a) { return a * 10; }"],
  [
    "off by one",
    "function f(a) { return a[a.length]; }",
    "function f(a) { return a[a.length - 1]; }",
  ],
  [
    "negate",
    "function f(a) { if (a.ok) return 1; return 2; }",
    "function f(a) { if (!a.ok) return 1; return 2; }",
  ],
  ["drop operand", "function f(a, b) { return a + b - 1; }", "function f(a, b) { return a + b; }"],
  [
    "narrow",
    "function f(a, b) { if (a > 0) { return 1; } return b > 0; }",
    "function f(a, b) { if (a > 0 && b > 0) { return 1; } return b > 0; }",
  ],
  ["identifier", "function f(a, b) { return a + a; }", "function f(a, b) { return a + b; }"],
  [
    "member",
    "function f(o) { return o.a + o.a + o.b; }",
    "function f(o) { return o.a + o.b + o.b; }",
  ],
  [
    "method",
    "function f(s) { return s.startsWith('x'); }",
    "function f(s) { return s.endsWith('x'); }",
  ],
  ["drop call", "function f(s) { return s.trim(); }", "function f(s) { return s; }"],
  [
    "add call",
    "function f(s) { return new Set(s); }",
    "function f(s) { return new Set(s.toLowerCase()); }",
  ],
  [
    "argument order",
    "function f(a, b) { return g(a, b); }",
    "function f(a, b) { return g(b, a); }",
  ],
  ["radix", "function f(a) { return parseInt(a); }", "function f(a) { return parseInt(a, 10); }"],
  ["wrap", "function f(a, b) { return a - b; }", "function f(a, b) { return Math.abs(a - b); }"],
  [
    "clamp",
    "function f(a) { const n = a * 2; return n; }",
    "function f(a) { const n = a * 2; return Math.max(n, 0); }",
  ],
  [
    "global",
    "function f(a) { return encodeURI(a); }",
    "function f(a) { return encodeURIComponent(a); }",
  ],
  ["nullish", "function f(a) { return a || 1; }", "function f(a) { return a ?? 1; }"],
  ["optional chain", "function f(a) { return a.b; }", "function f(a) { return a?.b; }"],
  ["fallback", "function f(a) { return a.b; }", "function f(a) { return a.b ?? []; }"],
  [
    "guard",
    "function f(a) { return a.b; }",
    "function f(a) { if (a == null) return null; return a.b; }",
  ],
  [
    "await",
    "async function f(a) { const r = a.json(); return r; }",
    "async function f(a) { const r = await a.json(); return r; }",
  ],
  [
    "gather",
    "async function f(a) { return a.map(async (x) => x); }",
    "async function f(a) { return await Promise.all(a.map(async (x) => x)); }",
  ],
  ["copy", "function f(a) { return a.sort(); }", "function f(a) { return [...a].sort(); }"],
  ["boolean", "function f() { return true; }", "function f() { return false; }"],
  [
    "string",
    'function f(a) { return a === "x" ? "y" : "z"; }',
    'function f(a) { return a === "y" ? "y" : "z"; }',
  ],
  [
    "jump",
    "function f(a) { for (const x of a) { if (x) break; } }",
    "function f(a) { for (const x of a) { if (x) continue; } }",
  ],
  [
    "else",
    "function f(a) { if (a) { a = 1; } if (a > 2) { a = 3; } return a; }",
    "function f(a) { if (a) { a = 1; } else if (a > 2) { a = 3; } return a; }",
  ],
  [
    "regex flag",
    "function f(s) { return s.replace(/a/, 'b'); }",
    "function f(s) { return s.replace(/a/g, 'b'); }",
  ],
  [
    "regex anchor",
    "function f(s) { return /\\d+/.test(s); }",
    "function f(s) { return /^\\d+$/.test(s); }",
  ],
  [
    "bare object",
    "function f() { const o = {}; return o; }",
    "function f() { const o = Object.create(null); return o; }",
  ],
  [
    "comparator",
    "function f(a) { return a.sort(); }",
    "function f(a) { return a.sort((a, b) => a - b); }",
  ],
  [
    "rounding",
    "function f(a) { return a * 100; }",
    "function f(a) { return Math.round(a * 100); }",
  ],
  [
    "unused result",
    "function f(a) { a.filter(Boolean); return a; }",
    "function f(a) { a = a.filter(Boolean); return a; }",
  ],
  [
    "forgotten sum",
    "function f(a) { let n = 0; for (const x of a) { g(x); } return n; }",
    "function f(a) { let n = 0; for (const x of a) { g(x); n += x; } return n; }",
  ],
  [
    "forgotten item",
    "function f(a) { const r = []; for (const x of a) { g(x); } return r; }",
    "function f(a) { const r = []; for (const x of a) { g(x); r.push(x); } return r; }",
  ],
  [
    "forgotten progress",
    "function f(n, d) { while (n > 0) { g(d); } return 1; }",
    "function f(n, d) { while (n > 0) { g(d); n -= d; } return 1; }",
  ],
  [
    "case of all results",
    'function f(a) { if (a) return "no"; return "yes"; }',
    'function f(a) { if (a) return "No"; return "Yes"; }',
  ],
  [
    "compared with each other's",
    "function f(a) { return a[0] === ' ' && a[1] === 'x'; }",
    "function f(a) { return a[0] === 'x' && a[1] === ' '; }",
  ],
  [
    "branches exchanged",
    "function f(a) { if (a > 1) { return 1; } else { return 2; } }",
    "function f(a) { if (a > 1) { return 2; } else { return 1; } }",
  ],
  [
    "operands exchanged across a product",
    "function f(a) { return a - 1 / 2; }",
    "function f(a) { return a / 2 - 1; }",
  ],
  [
    "loop start",
    "function f(a) { for (let i = 1; i < a.length; i++) g(a[i]); }",
    "function f(a) { for (let i = 0; i < a.length; i++) g(a[i]); }",
  ],
];

for (const [name, wrong, right] of REPAIRS) {
  test(`offers the repair: ${name}`, () => {
    assert.ok(texts(wrong).includes(right), right);
  });
}

test("offers the error that cases want, where a condition holds", () => {
  const text = "function f(a, most) { let n = 0; for (const x of a) { n += x; } return n; }";
  const source = { text, language: "js", entry: null } as const;
  const search = { suspicions: [], wantedErrors: ["too many"], offset: 0, limit: 1_000_000 };

  const after = enumerateEdits(source, search).map(({ edits }) => applied(text, edits));

  const wanted = 'if (n > most) throw new Error("too many");';
  assert.ok(after.some((one) => one.includes(`n += x; ${wanted} }`)));
  assert.ok(after.some((one) => one.includes(`${wanted} return n;`)));
});

const SAMPLE = `type Item = { id: number; tags?: string[] };
/** Docs. */
export async function pick(items: Item[], wanted: number, ctx: any): Promise<string[]> {
  const found: string[] = []
  let count = 0
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!
    if (item.id === wanted && count < 10) {
      found.push(\`\${item.id}-\${(item.tags as string[]).join(",")}\`)
      count++
    } else if (!item.tags) continue
    else {
      const res = await ctx.fetch("https://a.test/v1/" + encodeURIComponent(String(item.id)))
      const { name = "none" } = await res.json()
      if (/^[a-z]{2,4}$/i.test(name)) { found.push(name) }
    }
  }
  switch (count) { case 0: return []; default: break }
  const total = items.reduce((sum, { id }) => sum + id, 0) / 100
  const most = Math.max(...items.map((item) => item.id), 2 ** 3 - -total)
  return most > 3 ? found.sort((a, b) => (a < b ? -1 : 1)) : found.filter((x) => typeof x === "string")
}
`;

test("every edit of a typed source without semicolons leaves a source that parses", () => {
  const broken = all(SAMPLE, "ts").filter(({ edits }) => {
    const file = ts.createSourceFile("a.ts", applied(SAMPLE, edits), ts.ScriptTarget.Latest);
    return (file as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics.length > 0;
  });

  assert.deepEqual(
    broken.map(({ operator, edits }) => [operator, edits]),
    [],
  );
});

test("every edit, made in the program without types, leaves a program that compiles", () => {
  const program = stripTypeScriptTypes(SAMPLE).replace("export ", "       ");
  const broken = all(SAMPLE, "ts").flatMap(({ operator, edits }) => {
    try {
      void new vm.Script(`"use strict";${applied(program, edits)}`);
      return [];
    } catch (error) {
      return [[operator, String(error), edits]];
    }
  });

  assert.deepEqual(broken, []);
});

test("no two edits leave the same text, and none leaves it as it was", () => {
  const after = texts(SAMPLE, "ts");

  assert.equal(new Set(after).size, after.length);
  assert.ok(!after.includes(SAMPLE));
});

test("edits come the most likely first, with priors in (0,1], in batches of one list", () => {
  const source = { text: SAMPLE, language: "ts", entry: "pick" } as const;
  const whole = all(SAMPLE, "ts");
  const part = enumerateEdits(source, { suspicions: [], offset: 5, limit: 7 });

  assert.deepEqual(part, whole.slice(5, 12));
  assert.ok(whole.every(({ prior }) => prior > 0 && prior <= 1));
  assert.deepEqual(
    whole.map(({ prior }) => prior),
    whole.map(({ prior }) => prior).toSorted((a, b) => b - a),
  );
});

test("a change that uses what nothing used comes before its likes", () => {
  const text = "function f(a, b, c) { return a * b + a * b; }";

  const others = all(text).filter(({ operator }) => operator === "identifier");

  const [first] = others.map(({ edits }) => applied(text, edits));
  assert.match(first ?? "", /\bc \*|\* c\b/);
});

test("a change after which nothing uses a name comes behind its likes", () => {
  const text = "function f(a, b) { return a + b + b; }";

  const others = all(text).filter(({ operator }) => operator === "identifier");

  const order = others.map(({ edits }) => applied(text, edits));
  const [kept, lost] = ["a + a + b", "b + b + b"].map((sum) =>
    order.indexOf(`function f(a, b) { return ${sum}; }`),
  );
  assert.ok(kept !== undefined && lost !== undefined && kept >= 0 && kept < lost);
});

test("places that no failing run reached are left alone", () => {
  const text = "function f(a) { if (a) { return 1; } return 2; }";
  const at = (part: string, score: number): Suspicion => {
    const start = text.indexOf(part);
    return { start, end: start + part.length, line: 1, score };
  };
  const suspicions = [at("if (a) { return 1; }", 1), at("return 1;", 0), at("return 2;", 0.5)];

  const edits = all(text, "js", suspicions);

  const numbers = edits.filter(({ operator }) => operator === "number");
  assert.ok(numbers.length > 0);
  assert.ok(
    numbers.every(
      ({ edits: [edit] }) => edit?.op === "splice" && edit.start === text.indexOf("2;"),
    ),
  );
});

test("types, imports and comments are never touched", () => {
  const text =
    'import type { A } from "./a.ts";\ntype B = { n: 1 | 2 };\nexport const f = (b: B): number => b.n; // 1 < 2\n';
  const start = text.indexOf("(b: B)");

  for (const { edits } of all(text, "ts")) {
    assert.ok(
      edits.every(
        (edit) => edit.op === "splice" && edit.start > start && edit.end < text.indexOf("//"),
      ),
    );
  }
});

test("every operator of the table is used by some edit of ordinary code", () => {
  const code = `${REPAIRS.map(([, wrong]) => wrong).join("\n")}
async function g(a, b, ctx) { await Promise.all(a.map(f)); const res = await ctx.fetch("u\\nv"); for (const x of a) { b = x; }
if (a > b && b > 0 && res) { return true; } if (b) return false; "a b".split(" "); if (a === b) return; const s = a.trim(); f(s); let n = 0; n |= a & 3; n = a; if (a > 1) { n = -b; b = n; n++; } return Math.floor(n); }`;
  const source = { text: code, language: "js", entry: null } as const;
  const search = { suspicions: [], wantedErrors: ["no"], offset: 0, limit: 1_000_000 };
  const used = new Set(enumerateEdits(source, search).map(({ operator }) => operator));

  assert.deepEqual(
    Object.keys(OPERATORS).filter((name) => !used.has(name) && !name.startsWith("synthesise-")),
    [],
  );
});
