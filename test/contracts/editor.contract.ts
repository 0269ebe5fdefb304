import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { HoneError } from "../../src/domain/errors.ts";
import type { Editor } from "../../src/ports/editor.ts";
import { aSource, js, ts } from "../support/sources.ts";

/** What every editor keeps. The editor made lives as long as the suite. */
export function editorContract(name: string, make: () => Editor): void {
  suite(`editor contract: ${name}`, async () => {
    const editor = make();
    keepsBytes(editor);
    answersForBadSources(editor);
    answersEveryVerb(editor);
    test("ends with its last test, without a process left", async () => {
      await editor[Symbol.asyncDispose]();

      await assert.rejects(editor.inspect(aSource(), AbortSignal.timeout(60_000)), HoneError);
    });
  });
}

function keepsBytes(editor: Editor): void {
  for (const [kind, text] of [
    ["LF", aSource().text],
    ["CRLF", aSource("\r\n").text],
    ["a byte order mark", `\uFEFF${aSource("\r\n").text}`],
  ] as const) {
    test(`keeps the bytes outside an edit, in a file with ${kind}`, async (t) => {
      const source = ts(text);
      const from = text.indexOf("function toNumber");
      const body = { op: "body", target: "toNumber", code: "const clean = text;\nreturn +clean;" };

      const edited = await editor.apply(source, [body as never], t.signal);

      assert.equal(edited.status, "edited");
      assert.ok(edited.status === "edited" && edited.text.startsWith(text.slice(0, from)));
      assert.equal(edited.text.includes("\r\n"), text.includes("\r\n"));
      assert.equal(/[^\r]\n/.test(edited.text), /[^\r]\n/.test(text));
    });
  }
}

function answersForBadSources(editor: Editor): void {
  const nested = `export function f(a: number): number { return ${"(".repeat(30_000)}a${")".repeat(30_000)}; }`;
  for (const [what, text] of [
    ["is empty", ""],
    ["does not parse", "export function f( {"],
    ["is no code at all", "\u0000\uD800 ]]} */ ` ${"],
    ["is nested very deeply", nested],
  ] as const) {
    test(`answers every verb for a source that ${what}`, async (t: TestContext) => {
      const bad = { text, language: "ts", entry: "f" } as const;
      const good = aSource();

      const inspection = await editor.inspect(bad, t.signal);
      const edited = await editor.apply(bad, [{ op: "add", code: "const ok = ;" }], t.signal);
      const errors = await editor.newTypeErrors(good, bad, t.signal);
      const { sites } = await editor.instrument(bad, t.signal);
      await editor.policyFindings(good, bad, { values: [], thrown: [] }, t.signal);
      await editor.enumerate(bad, { suspicions: [], offset: 0, limit: 4 }, t.signal);
      await editor.syntaxRepairs(bad, 4, t.signal);

      assert.equal(inspection.status, "unsound");
      assert.equal(edited.status, "refused");
      assert.ok(errors.length > 0);
      assert.deepEqual(sites, []);
    });
  }

  test("rejects with the reason of an aborted signal", async () => {
    const reason = new Error("enough");

    await assert.rejects(editor.inspect(aSource(), AbortSignal.abort(reason)), reason);
  });
}

function answersEveryVerb(editor: Editor): void {
  test("finds the signature, and a program of the same length", async (t) => {
    const source = aSource();

    const inspection = await editor.inspect(source, t.signal);

    assert.equal(inspection.status, "sound");
    assert.ok(inspection.status === "sound");
    assert.deepEqual(
      inspection.signature.parameters.map(({ name, optional }) => [name, optional]),
      [
        ["text", false],
        ["scale", true],
      ],
    );
    assert.equal(inspection.program.text.length, source.text.length);
    assert.equal(inspection.program.entry, "readPrice");
  });

  test("hands out enumerated edits with programs that are what the edits leave behind", async (t) => {
    const source = js("function f(a) {\n  return a > 3 ? a * 2 : a + 1;\n}\n", "f");
    const everywhere = [{ start: 0, end: source.text.length, line: 1, score: 1 }];

    const mutations = await editor.enumerate(
      source,
      { suspicions: everywhere, offset: 0, limit: 12 },
      t.signal,
    );

    assert.ok(mutations.length > 5);
    for (const { edits, program } of mutations) {
      const edited = await editor.apply(source, edits, t.signal);
      assert.deepEqual(edited, { status: "edited", text: program.text });
    }
  });

  test("makes a source sound that cannot be read, the likeliest way first, and says what it took", async (t) => {
    const source = js("// adds\r\nfunction f(a, b) {\r\n  return add(a b);\r\n}\r\n", "f");

    const [first, ...others] = await editor.syntaxRepairs(source, 10, t.signal);

    assert.ok(first !== undefined && others.length > 0);
    assert.equal(first.text, source.text.replace("a b)", "a, b)"));
    assert.deepEqual([first.line, first.says], [3, "a `,` is missing after `a`"]);
    for (const { text, edits, program, cost } of [first, ...others]) {
      const edited = await editor.apply(source, edits, t.signal);
      assert.deepEqual(edited, { status: "edited", text });
      assert.equal((await editor.inspect({ ...source, text }, t.signal)).status, "sound");
      assert.equal(program.text, text);
      assert.ok(cost >= first.cost);
    }
  });

  test("knows no repair of a source that can be read, or that lacks more than tokens", async (t) => {
    const sound = await editor.syntaxRepairs(js("function f() {}", "f"), 10, t.signal);
    const other = await editor.syntaxRepairs(js("function g() {}", "f"), 10, t.signal);

    assert.deepEqual([sound, other], [[], []]);
  });
}
