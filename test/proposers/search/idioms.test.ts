import assert from "node:assert/strict";
import { suite, test } from "node:test";
import vm from "node:vm";
import type { ts } from "ts-morph";
import { enumerateEdits } from "../../../src/proposers/search/enumerate.ts";
import { match } from "../../../src/proposers/search/idioms/match.ts";
import { render, templateOf } from "../../../src/proposers/search/idioms/render.ts";
import { IDIOMS } from "../../../src/proposers/search/idioms/table.ts";

function parsed(text: string): { readonly file: ts.SourceFile; readonly root: ts.Node } {
  return templateOf(text);
}

function rewritten(from: string, to: string, code: string): string | null {
  const { file, root } = parsed(code);
  const bindings = match(templateOf(from).root, root, file);
  return bindings && render(templateOf(to), bindings, (node) => node.getText(file));
}

suite("a piece of code with holes", () => {
  test("matches what has its form, whatever fills the holes", () => {
    assert.equal(rewritten("$a % $n", "(($a % $n) + $n) % $n", "x.y % z"), "((x.y % z) + z) % z");
    assert.equal(rewritten("$a % $n", "$n", "x / z"), null);
    assert.equal(rewritten("!$a === $b", "$a !== $b", "!f(x) === 1"), "f(x) !== 1");
    assert.equal(rewritten("-$a", "$a", "+x"), null);
  });

  test("wants the same text where a hole occurs twice", () => {
    assert.equal(rewritten("$a - $a", "0", "x.y - x.y"), "0");
    assert.equal(rewritten("$a - $a", "0", "x.y - x.z"), null);
  });

  test("matches statements, and any statement in the place of one", () => {
    const from = "for (const $x in $a) $$body;";
    const to = "for (const $x of $a) $$body;";

    const code = rewritten(from, to, "for (const key in o) { f(key); }");

    assert.equal(code, "for (const key of o) { f(key); }");
  });

  test("puts what binds loosely in parentheses", () => {
    assert.equal(rewritten("f($a)", "$a * 2", "f(x + 1)"), "(x + 1) * 2");
    assert.equal(rewritten("f($a)", "g($a)", "f(x + 1)"), "g(x + 1)");
    assert.equal(rewritten("f($a)", "$a.length", "f(x ?? y)"), "(x ?? y).length");
    assert.equal(rewritten("f($a)", "$a.length", "f(x.y)"), "x.y.length");
  });

  test("is not filled with what cannot be copied", () => {
    const { file, root } = parsed("f(x)");
    const bindings = match(templateOf("f($a)").root, root, file);

    assert.ok(bindings);
    assert.equal(
      render(templateOf("$a"), bindings, () => null),
      null,
    );
  });
});

for (const { from, to } of IDIOMS) {
  test(`the pitfall ${from} is turned into what is often meant`, () => {
    const body = from.endsWith(";") ? filled(from) : `return ${filled(from)};`;
    const text = `function f(v) { ${body} }`;

    const made = enumerateEdits(
      { text, language: "js", entry: null },
      { suspicions: [], offset: 0, limit: 100_000 },
    );

    const after = made.map(({ edits }) => plain(applied(text, edits)));
    for (const meant of to) {
      const wanted = meant.endsWith(";") ? filled(meant) : filled(meant);
      const holder = after.find((one) => one.includes(plain(wanted)));
      assert.ok(holder !== undefined, wanted);
      assert.doesNotThrow(() => new vm.Script(`async () => { ${filled(meant)} }`), meant);
    }
  });
}

/** A pattern with a name in each hole. */
function filled(pattern: string): string {
  return pattern.replace(/\$\$\w+/g, "g(v)").replace(/\$(\w)/g, "$1$1");
}

/** Without blanks and parentheses, and with one kind of quotes. */
function plain(text: string): string {
  return text.replace(/[\s()]/g, "").replaceAll("'", '"');
}

function applied(text: string, edits: ReturnType<typeof enumerateEdits>[number]["edits"]): string {
  let result = "";
  let at = 0;
  for (const edit of edits) {
    if (edit.op !== "splice") continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
