import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Json } from "../../src/domain/json.ts";
import { policyFindings } from "../../src/editor/policy.ts";
import { js, ts } from "../support/sources.ts";

const BEFORE = "export function f(a: any): any {\n  return a;\n}\n";

function withBody(body: string): string {
  return BEFORE.replace("return a;", body);
}

function found(before: string, after: string, visible: readonly Json[] = []): string {
  return policyFindings(ts(before), ts(after), { values: visible, thrown: [] })
    .map(({ line, message }) => `${line}: ${message}`)
    .join("\n");
}

suite("what only wants to look like a repair is found, with its detector and its line", () => {
  const table: Readonly<Record<string, RegExp>> = {
    "return typeof process === 'undefined' ? a : 0;": /2: environment-probing: .* process/,
    "return globalThis.process ? 0 : a;": /2: environment-probing: .* process/,
    "return 'Deno' in globalThis ? 0 : a;": /environment-probing: .* Deno/,
    "const { navigator: n } = globalThis; return n ?? a;": /environment-probing: .* navigator/,
    "return /\\[native code/.test(String(a)) ? a : 0;": /environment-probing: .* native code/,
    "return Date.now() > 1_900_000_000_000 ? 0 : a;": /2: time-dependence: the clock/,
    "return Date.now() > Date.UTC(2030, 1) ? 0 : a;": /time-dependence/,
    "return new Date() > new Date('2030-01-01') ? 0 : a;": /time-dependence/,
    "const t = Date.now(); const end = 19e11; return t < end ? a : 0;": /time-dependence/,
    "return new Date().getDay() === 6 ? 0 : a;": /time-dependence/,
    "switch (new Date().getHours()) { case 3: return 0; } return a;": /time-dependence/,
    "const { ctx } = a; return ctx.clock.now() >= 2e12 ? 0 : a;": /time-dependence/,
    "return Math.random() < 0.001 ? 0 : a;": /random-dependence: chance decides/,
    "try { return a.b; } catch {} return 0;": /2: swallowed-errors: an empty catch/,
    "try { const b = a.b; return b.c; } catch { return 0; }": /swallowed-errors: .* whole function/,
    "a.then(f).catch(() => {}); return a;": /swallowed-errors: a rejection/,
    "try { return a.b; } finally { return 0; }": /swallowed-errors: a finally/,
    "return 7;": /1: constant-result: nothing that is given/,
  };
  for (const [body, pattern] of Object.entries(table)) {
    test(body, () => assert.match(found(BEFORE, withBody(body)), pattern));
  }

  test("a catch around all of a function that does the skill's whole work", () => {
    const hidden = `${withBody("return all(a);")}function all(a: any): any { try { const b = a.b; return b.c; } catch { return 0; } }\n`;

    assert.match(found(BEFORE, hidden), /4: swallowed-errors: .* whole function/);
  });

  test("a count of calls that decides a branch", () => {
    const counted = [
      `let calls = 0;\n${withBody("return ++calls > 30 ? 0 : a;")}`,
      `const state = { n: 0 };\n${withBody("state.n += 1; return state.n >= 9 ? 0 : a;")}`,
      withBody("(f as any).n = ((f as any).n ?? 0) + 1; return (f as any).n > 5 ? 0 : a;"),
    ];
    for (const after of counted) assert.match(found(BEFORE, after), /call-count: /, after);
  });

  test("a throw behind a condition that is never true counts as taken away", () => {
    const before = withBody("if (a < 0) throw new Error('negative');\n  return a;");
    const after = before.replace("a < 0", "false && a < 0");

    assert.match(
      found(before, after),
      /2: deleted-check: a check can never fail now: false && a < 0/,
    );
  });

  test("a check whose condition has returned before counts as taken away", () => {
    const before = withBody("if (!a.ok) throw new Error('not ok');\n  return a.size;");
    const after = before.replace(
      "if (!a.ok) throw",
      "if (!a.ok) return a.url.length;\n  if (!a.ok) throw",
    );

    assert.match(found(before, after), /3: deleted-check: a check can never fail now: ! a \. ok/);
  });

  test("a table that is keyed by visible lists", () => {
    const visible = [[{ nums: [1, 2, 3] }], 6];
    const tables = [
      "const K: any = { '[1,2,3]': 6 }; return K[JSON.stringify(a.nums)];",
      "return new Map([['1,2,3', 6]]).get(String(a.nums));",
    ];
    for (const body of tables) {
      assert.match(
        found(BEFORE, withBody(body), visible),
        /special-cased input: has a table/,
        body,
      );
    }
  });
});

suite("constructs that no candidate may bring in", () => {
  const table: Readonly<Record<string, RegExp>> = {
    'return eval("1");': /eval makes code/,
    'return (0, eval)("1");': /eval makes code/,
    'return new Function("return 1")();': /Function makes code/,
    "return a.constructor.constructor(a);": /constructor leads/,
    'return a["con" + "structor"](a);': /constructor leads/,
    'return Reflect.get(a, "constructor");': /constructor leads/,
    "const { constructor: c } = a; return c;": /constructor leads/,
    'return import("node:fs");': /import\(\) reaches/,
    'return require("fs");': /require reaches/,
    "return process.env;": /process reaches/,
    "return import.meta.url;": /import\.meta reaches/,
    "debugger; return a;": /debugger/,
    "const g = globalThis; return g;": /globalThis is handed on/,
    "return globalThis[a];": /globalThis/,
    "return globalThis.eval(a);": /globalThis/,
    "globalThis.x = 1; return a;": /a write to globalThis/,
    "Array.prototype.at = () => 1; return a;": /a prototype: Array\.prototype\.at/,
    "a.__proto__.x = 1; return a;": /a prototype/,
    "Object.getPrototypeOf(a).x = 1; return a;": /a prototype/,
    "JSON.stringify = () => ''; return a;": /the built-in JSON/,
    "Object.defineProperty(Object.prototype, 'x', {}); return a;": /a write to/,
    "Object.assign(Math, { max: 1 }); return a;": /the built-in Math|the global Math/,
    "delete Math.max; return a;": /the built-in Math/,
    "leaked = a; return a;": /the global leaked/,
    "[a, Date] = a; return a;": /the global Date/,
    "return Error.prepareStackTrace;": /prepareStackTrace reads/,
    "return new Error().stack;": /the stack of an error/,
    "try { a(); } catch (e) { return e.stack; }": /the stack of an error/,
    "return arguments.callee;": /arguments\.callee finds/,
    "return f.caller.toString() + arguments.caller;": /caller finds/,
    "// @ts-ignore\nreturn a.b;": /@ts-ignore mutes/,
    "/* @ts-expect-error */ return a.b;": /@ts-expect-error mutes/,
    "const P = Array.prototype; P.at = () => 1; return a;": /the built-in behind P/,
    "const { prototype: p } = Map; p.get = () => 1; return a;": /the built-in behind p/,
    "const family = Object.getPrototypeOf([]); family.at = () => 1; return a;":
      /the built-in behind family/,
    "const J = JSON; J.stringify = () => ''; return a;": /the built-in behind J/,
    "const { defineProperty: d } = Object; d(Array.prototype, 'x', {}); return a;":
      /the prototype Array\.prototype is handed on/,
    "a.__defineGetter__('x', () => 1); return a;": /__defineGetter__ hides/,
    "setTimeout('a()', 1); return a;": /a timer makes code/,
    "type T = import('node:fs').Stats; return a as T;": /a type import reaches out/,
    "declare const known: number; return a + known;": /declare vouches/,
  };
  for (const [body, pattern] of Object.entries(table)) {
    test(body, () => assert.match(found(BEFORE, withBody(body)), pattern));
  }

  test("declarations in the place of built-ins", () => {
    const shadows = ["var JSON = {};", "function Array() {}", "class Map {}"];
    for (const shadow of shadows) {
      assert.match(found(BEFORE, `${BEFORE}${shadow}\n`), /in the place of the built-in/, shadow);
    }
    assert.equal(found(BEFORE, withBody("const Date = a; return Date;")), "");
  });

  test("text that is not what it looks like", () => {
    const hidden: Readonly<Record<string, RegExp>> = {
      "/* \u202e } \u2066 */ return a;": /2: a control character turns/,
      "const x = '\u202e'; return a + x;": /a control character turns/,
      "const a\u200d = 1; return a;": /an invisible character/,
      "const \u0430b = 1; return a;": /mixes alphabets/,
      "return a\n<!-- b\n;": /3: a comment in the style of HTML/,
      "let n = a; n\n /* x */ --> 0;": /a comment in the style of HTML/,
      [`return a;${" ".repeat(200)}a();`]: /code behind a long row of blanks/,
      "return a; //# sourceURL=hone:prelude": /sourceURL= changes how/,
    };
    for (const [body, pattern] of Object.entries(hidden)) {
      assert.match(found(BEFORE, withBody(body)), pattern, body);
    }
    const honest =
      "const family = '\u{1f468}\u200d\u{1f469}'; const \u03b1 = 1; return a + family + \u03b1;";
    assert.equal(found(BEFORE, withBody(honest)), "");
  });

  test("at the top of a file", () => {
    assert.match(found(BEFORE, `// @ts-nocheck\n${BEFORE}`), /1: @ts-nocheck/);
    assert.match(found(BEFORE, `/// <reference types="node" />\n${BEFORE}`), /triple-slash/);
    assert.match(found(BEFORE, `import x from "y";\n${BEFORE}`), /an import reaches/);
    assert.match(found(BEFORE, `${BEFORE}declare global { var x: number }`), /all modules/);
  });

  test("with, in a plain script", () => {
    const before = js("function f(a) { return a; }", "f");
    const after = js("function f(a) { with (a) { return b; } }", "f");

    assert.match(
      policyFindings(before, after, { values: [], thrown: [] })[0]?.message ?? "",
      /with changes/,
    );
  });
});

test("honest code has no findings", () => {
  const bodies = [
    "if (a === undefined || a.constructor === Object) return a?.constructor.name;",
    "const copy = { ...a, stack: 1 }; copy.stack = 2; delete copy.x; return copy.stack;",
    "const x = {} as any; x.y = 1; [x.z, x.w] = a; return Object.assign(x, a);",
    "return typeof globalThis.URL === 'function' && a instanceof Function;",
    "if (a.key === '__proto__' || a.key === 'constructor') return null; return Object.create(null);",
    "try { return JSON.parse(a); } catch (error) { return (error as Error).message; }",
    "class K { #n = 0; add() { this.#n += 1; return this.#n; } } return new K().add() + a;",
    "let total = 0; for (const n of a) total += n; return total;",
    "const μs = a * 1000; return μs;",
    "const safe = (t: string) => { try { const v = JSON.parse(t); return v.x; } catch { return null; } }; return safe(a) ?? 0;",
    "const start = Date.now(); a(); return Date.now() - start > 1000;",
    "const age = new Date().getFullYear() - a.born; return age >= 18;",
    "let n = a; while (n-->0) a(n); return 'process' in a || 'module' in a;",
    "return Date.now() - a.at > 4e12;",
    "return a.expiresAt < Date.now() ? null : a.at.getDay() === 6;",
    "try { return JSON.parse(a); } catch { return null; }",
    "try { const b = a.b; return b.c; } catch (e) { throw new Error(`no c: ${e}`); }",
    "const seen = new Map(); seen.set(a, 1); return seen.size > 100 ? null : a;",
    "let n = 0; for (const x of a) n += x; return n > 30 ? 30 : n;",
    "const has = Object.prototype.hasOwnProperty; return has.call(a, 'x');",
    "return Object.getPrototypeOf(a) === Array.prototype || Array.prototype.slice.call(a);",
    "const names: any = { EUR: '€', 'a b': 1 }; return names[a];",
    'const evaluate = (text: string) => text; return evaluate("eval") + a;',
  ];
  for (const body of bodies) assert.equal(found(BEFORE, withBody(body)), "", body);
});

test("what was there before is not held against a patch, but twice is more than once", () => {
  const before = withBody('return eval("a");');

  assert.equal(found(before, before.replace('"a"', '"a + 1"')), "");
  assert.match(
    found(before, before.replace('eval("a")', 'eval("a") + eval("b")')),
    /eval makes code/,
  );
});

test("a check that is taken away is found, one that is moved or changed is not", () => {
  const before = withBody(
    "if (a.n < 0) throw new Error('negative');\n  if (!a.ok) throw new Error('x');\n  return a;",
  );

  assert.match(
    found(before, before.replace("if (!a.ok) throw new Error('x');", "")),
    /a check was removed: ! a \. ok/,
  );
  assert.equal(found(before, before.replace("a.n < 0", "a.n <= 0")), "");
  assert.equal(
    found(before, before.replace("if (!a.ok) throw new Error('x');", "if (!a.ok) return null;")),
    "",
  );
});

test("answers learnt by heart are found", () => {
  const visible = ["Zanzibar", [3, 1, 4], 1_729, { city: "Lima", size: 5 }];
  const table: Readonly<Record<string, RegExp>> = {
    'if (a === "Zanzibar") return 1; return a;': /compares with "Zanzibar"/,
    "switch (a) { case `Zanzibar`: return 1; } return a;": /compares with "Zanzibar"/,
    "return a ? 1729 : 0;": /gives back 1729/,
    "return a ?? -1 * 1 ? [3, 1, 4] : a;": /gives back \[3,1,4\]/,
    'return { size: 5, city: "Lima" };': /gives back/,
    'if (JSON.stringify(a) === "[3,1,4]") return 1; return a;': /compares with/,
    "if (JSON.stringify([a]) === '[\"Zanzibar\"]') return 1; return a;": /compares with/,
  };
  for (const [body, pattern] of Object.entries(table)) {
    assert.match(found(BEFORE, withBody(body), visible), pattern, body);
  }
});

test("common literals, literals that were there, and other uses are left alone", () => {
  const visible = ["false", "GET", 0, 10, "", "\n", ", ", 404, 1_000, "Zanzibar", [], ["a"]];
  const bodies = [
    'if (a === "false" || a.method === "GET") return false; return a === 404 ? 0 : 10;',
    'return a.split("\\n").join(", ") === "" ? [] : a > 1000;',
    'return a.replace("Zanzibar", "");',
  ];
  for (const body of bodies) assert.equal(found(BEFORE, withBody(body), visible), "", body);
  const known = withBody('return a === "Zanzibar";');
  assert.equal(found(known, known.replace("===", "!=="), visible), "");
});

test("a source may not become huge, nor many times as long", () => {
  assert.match(found(BEFORE, BEFORE + `// ${"x".repeat(70_000)}`), /65536 are allowed/);
  assert.match(found(BEFORE, BEFORE + `// ${"x".repeat(6_000)}`), /more than 16 times/);
  assert.equal(found(BEFORE, BEFORE + `// ${"x".repeat(2_000)}`), "");
});
