import assert from "node:assert/strict";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { instrument } from "../../src/editor/instrument.ts";
import { inspect } from "../../src/editor/inspect.ts";
import type { Program } from "../../src/domain/skill.ts";
import type { SourceText } from "../../src/ports/editor.ts";
import { aSource, js, ts } from "../support/sources.ts";

/** What a program makes of a list of arguments, as text, and which sites it passed. */
function run(program: Program, calls: readonly unknown[][]): { told: string; hits: number[] } {
  const hits = new Set<number>();
  const context = createContext({ __hone_hit: (n: number) => void hits.add(n) });
  const text = `${program.strict ? '"use strict";' : ""}${program.text}
    ;${JSON.stringify(calls)}.map((args) => {
      try { return JSON.stringify([${program.entry}(...args)]); } catch (e) { return String(e); }
    }).join("\\n");`;
  return {
    told: String(runInContext(text, context, { timeout: 10_000 })),
    hits: [...hits].toSorted((a, b) => a - b),
  };
}

function programOf(source: SourceText): Program {
  const inspection = inspect(source);
  assert.ok(inspection.status === "sound", JSON.stringify(inspection));
  return inspection.program;
}

const SNIPPETS: readonly string[] = [
  "function f(a) { if (a > 1) return a\n else if (a) a = 2\n else return -a\n return a ** 2 }",
  "function f(a) { let n = 0\n for (let i = 0, b = ('x' in {}); i < a; i++) n += i\n while (n > 9) n--\n do n++; while (n < 3) return n }",
  "function f(a) { outer: for (const i of [1, 2, 3]) for (const j of [1, 2]) { if (i === j) continue outer; if (j > a) break outer } return a }",
  "function f(a) { switch (typeof a) { case 'number': let b = a; return b; default: return typeof undeclared } }",
  "function f(a) { 'use strict'; return this === undefined ? a : 0 }",
  "const o = { n: 5, get() { return this?.n } }\nfunction f(a) { return [o.get(), (0, o.get)?.(), o?.['get'](), o.x?.y.z(a), [o][0].get()] }",
  "const f = (a) => ({ a, b: a ? (x) => x : function () {}, name: (() => { const g = () => 1; return g.name })() })",
  "function f(a) { const g = () => {}, h = class {}; let k; k = function () {}; k ||= 1; return [g.name, h.name, k.name] }",
  "function f(a) { let x, y, z, o = {}; [x, y = a || 3, ...z] = [1, undefined, 4, 5]; ({ p: o.q, r: [o.s = 2] } = { p: a, r: [] }); for (o.t of [7]); return [x, y, z, o] }",
  "function f(a, b = a ?? 2, { c = b * 2, ...d } = {}) { return [a, b, c, d] }",
  "function f(a) { const s = new Set([...[a], a]); return [...s].map((v, i) => i ? v : `<${v}${v && '!'}>`) }",
  "class A { static s = 1 + 1; #p = 3; q = this.#p + 1; constructor(n) { this.n = n } has(o) { return #p in o && o.n > 0 } }\nclass B extends A { constructor(n) { super(n + 1) } has(o) { return super.has(o) || super['has'](o) } }\nfunction f(a) { const b = new B(a); return [b.has(b), b.q, A.s, new A(1) instanceof B] }",
  "function f(a) { function* g(n) { const got = yield n * 2; return (yield got) || n }\n return [...g(a)] }",
  "function f(a) { var o = { a: 1, b: 2, ['c' + a]: 3, __proto__: null }; delete o.a; delete o['b']; return [o, 'a' in o, void 0, !a, ~a, +a, -a, a++, --a] }",
  "function f(a) { try { if (!a) throw new TypeError('no ' + a)\n return a } catch ({ message }) { return message } finally { a = 1 } }",
  "function f(a) { return a\n  ? a > 1 && a < 5 || a === 7\n  : (a, 3) }",
  "function f(a) { const tag = (s, ...v) => s.raw.join('|') + v; return tag`x${a + 1}y${a}` + /[/]a/.test('/a') }",
  "function f(a) { var x = a\n;[1].forEach((v) => { x += v })\nreturn x }",
  "function f(a) { if (a) function g() { return 1 }\n if (a) ; else ;\n for (let n = 0; ; ) if (n++ > 3) break\n return a }",
  "function f(a) { return arguments.length + f.length + (() => arguments[0])() }",
  "function f(a) { label: { if (a) break label; a = 9 } return eval('a') }",
];

test("an instrumented program computes what the original does", () => {
  const calls = [[], [0], [1], [2], [7], [null], ["x"], [{ c: 1 }]];
  for (const text of SNIPPETS) {
    const source = js(text, "f");
    const { program, sites } = instrument(source);

    assert.equal(run(program, calls).told, run(programOf(source), calls).told, text);
    assert.ok(sites.length > 0, text);
  }
});

test("a strict program with types too", () => {
  const source = aSource("\r\n");
  const calls = [["$1,200.50"], ["€3", 2], ["?"], [""]];

  const instrumented = instrument(source);

  assert.equal(run(instrumented.program, calls).told, run(programOf(source), calls).told);
  const texts = instrumented.sites.map(({ start, end }) => source.text.slice(start, end));
  assert.ok(texts.some((text) => text.startsWith("if (!(sign in SIGNS))")));
  assert.ok(texts.includes("!(sign in SIGNS)"));
});

test("sites are numbered places of the source, and only what ran is hit", () => {
  const source = ts(
    'export function f(a: number): string {\n  if (a > 1) {\n    return "big";\n  }\n  return a ? "one" : "none";\n}\n',
  );
  const { program, sites } = instrument(source);

  const { hits } = run(program, [[1]]);

  const passed = hits
    .map((n) => sites[n])
    .map((site) => [site?.line, source.text.slice(site?.start, site?.end)]);
  assert.deepEqual(
    passed.filter(([, text]) => !String(text).startsWith("if")),
    [
      [5, 'return a ? "one" : "none";'],
      [2, "a > 1"],
      [5, 'a ? "one" : "none"'],
      [5, '"one"'],
    ],
  );
});

test("a source that does not parse comes back as it is, without sites", () => {
  const { program, sites } = instrument(js("function f( {", "f"));

  assert.equal(program.text, "function f( {");
  assert.deepEqual(sites, []);
});
