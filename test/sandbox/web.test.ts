import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runInThisContext } from "node:vm";
import * as fc from "../support/property.ts";
import ivm from "isolated-vm";
import { webSurfaceFor } from "../../sandbox/isolate/web.ts";

const NAMES = [
  "URL",
  "URLSearchParams",
  "TextEncoder",
  "TextDecoder",
  "structuredClone",
  "DOMException",
  "atob",
  "btoa",
  "Event",
  "EventTarget",
  "AbortController",
  "AbortSignal",
];
const isolate = new ivm.Isolate({ memoryLimit: 64 });
after(() => isolate.dispose());

/** A bare context in which the parts of the surface that the text mentions are installed. */
function contextFor(text: string): ivm.Context {
  const context = isolate.createContextSync();
  context.evalSync(webSurfaceFor(text) ?? "");
  return context;
}

/** Evaluates a function of plain data in the isolate and here; answers are JSON, errors names. */
function inBoth(source: string): (input: unknown) => readonly [guest: string, node: string] {
  const probe = `(text) => {
    try { return JSON.stringify({ value: (${source})(JSON.parse(text)) }); }
    catch (error) { return JSON.stringify({ thrown: error.name }); }
  }`;
  const context = contextFor(source);
  context.evalSync(`globalThis.probe = ${probe}`);
  const here = runInThisContext(probe) as (text: string) => string;
  return (input) => {
    const text = JSON.stringify(input);
    return [context.evalSync(`probe(${JSON.stringify(text)})`) as string, here(text)];
  };
}

function assertSame([guest, node]: readonly [string, string]): void {
  assert.equal(guest, node);
}

const describeUrl = `([url, base]) => {
  const u = new URL(url, base ?? undefined);
  return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port,
    u.pathname, u.search, u.hash, [...u.searchParams], String(u), JSON.stringify(u)];
}`;

test("a program that mentions no name of the web gets no script", () => {
  assert.equal(webSurfaceFor("function f(a) { return a.myURL + $atob + URLs; }"), null);
});

test("a mention of one name installs its part, and nothing that can be seen besides", () => {
  const bare = isolate.createContextSync();
  const before = new Set(namesIn(bare));

  const added = namesIn(contextFor(NAMES.join(" "))).filter((name) => !before.has(name));

  assert.deepEqual(added.toSorted(), NAMES.toSorted());
  assert.deepEqual(
    namesIn(contextFor("new URL(x)")).filter((name) => !before.has(name)),
    ["URL", "URLSearchParams"],
  );
});

test("installed names cannot be enumerated and keep their own names", () => {
  const context = contextFor(NAMES.join(" "));

  assert.equal(context.evalSync("Object.keys(globalThis).join()"), "");
  for (const name of NAMES) assert.equal(context.evalSync(`${name}.name`), name);
});

test("built-in prototypes are as they were", () => {
  const count = `[Object, Function, Array, String, Number, Promise, RegExp, Map, Set, Error, Math]
    .map((it) => [Reflect.ownKeys(it).length, Reflect.ownKeys(it.prototype ?? {}).length]).join()`;

  assert.equal(
    contextFor(NAMES.join(" ")).evalSync(count),
    isolate.createContextSync().evalSync(count),
  );
});

test("loading draws no random number", () => {
  const context = isolate.createContextSync();
  context.evalSync("let drawn = 0; Math.random = () => { drawn += 1; return 0; };");
  context.evalSync(webSurfaceFor(NAMES.join(" ")) ?? "");

  assert.equal(context.evalSync("drawn"), 0);
});

test("the surface loads where a hardened prelude took names away", () => {
  const context = isolate.createContextSync();
  context.evalSync(
    "for (const k of ['WebAssembly','SharedArrayBuffer','Atomics','WeakRef','FinalizationRegistry','console']) delete globalThis[k];",
  );
  context.evalSync(webSurfaceFor(NAMES.join(" ")) ?? "");

  assert.equal(
    context.evalSync("structuredClone(new URL('https://a.test/').href)"),
    "https://a.test/",
  );
});

test("URLs are read as Node reads them", () => {
  const both = inBoth(describeUrl);
  const urls = [
    "https://user:p%40ss@Example.COM:443/a/./b/../c?x=1&x=2#frag",
    "http://127.1/",
    "http://0x7f.0.0.1/",
    "http://[::1]:8080/x",
    "http://[2001:DB8::0:1]/",
    "https://a.test/?q=a b&r=ü%20+",
    "https://a.test/ü/%zz/ path",
    "HTTPS://A.test:0443//x//",
    "file:///C:/x/../y",
    "mailto:a@b.test",
    "data:text/plain,hi there",
    "javascript:alert(1)",
    "https://a.test\\b\\c",
    "  https://a.test/\t\n",
    "https:a.test",
    "https://",
    "https://a b.test/",
    "https://a.test:99999/",
    "/only/path",
    "",
    "https://münchen.test/",
  ];

  for (const url of urls) {
    assertSame(both([url, null]));
    assertSame(both([url, "https://base.test/dir/file?q#f"]));
  }
});

test("any URL is read as Node reads it", () => {
  const both = inBoth(describeUrl);
  const part = textOf(":/?#[]@!$&'()*+,;=%.-_~ab19 \\ü|^{}<>\"`");
  const url = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.tuple(fc.webUrl(), part).map(([base, rest]) => `${base}/${rest}`),
    part.map((rest) => `https://a.test/${rest}`),
  );
  const base = fc.option(fc.webUrl());

  fc.assert(
    fc.property(url, base, (url, base) => assertSame(both([url, base]))),
    { numRuns: 300 },
  );
});

test("URL parts can be set as in Node", () => {
  const both = inBoth(`([url, member, value]) => {
    const u = new URL(url);
    u[member] = value;
    return u.href;
  }`);
  const member = fc.constantFrom(
    "protocol",
    "username",
    "password",
    "host",
    "hostname",
    "port",
    "pathname",
    "search",
    "hash",
  );
  const value = textOf("abc019:/?#@%. =&");

  fc.assert(
    fc.property(fc.webUrl(), member, value, (...input) => assertSame(both(input))),
    { numRuns: 300 },
  );
});

test("search parameters are kept as in Node", () => {
  const both = inBoth(`([text, edits]) => {
    const p = new URLSearchParams(text);
    const seen = [];
    for (const [verb, name, value] of edits) {
      if (verb === "get") seen.push(p.get(name), p.getAll(name), p.has(name), p.has(name, value));
      else if (verb === "delete") p.delete(name);
      else if (verb === "sort") p.sort();
      else p[verb](name, value);
    }
    return [seen, String(p), [...p], p.size, [...p.keys()], [...p.values()]];
  }`);
  // Node itself misreads a broken escape next to a letter beyond ASCII ("%aaü").
  const text = textOf("ab=&+%20? ");
  const word = textOf("ab=&+% ü\u{1f600}");
  const verb = fc.constantFrom("append", "set", "delete", "get", "sort");

  fc.assert(
    fc.property(text, fc.array(fc.tuple(verb, word, word), { maxLength: 8 }), (...input) =>
      assertSame(both(input)),
    ),
    { numRuns: 300 },
  );
});

test("URLs have parse and canParse, and parameters write through", () => {
  const both = inBoth(`(text) => {
    const u = new URL("https://a.test/?x=1");
    u.searchParams.append("y", text);
    const seen = u.href;
    u.search = "?z=" + encodeURIComponent(text);
    return [seen, u.searchParams.get("z"), URL.canParse(text), URL.parse(text)?.href ?? null,
      new URLSearchParams({ a: 1, b: text }).toString(), new URLSearchParams([["k", text]]).toString(),
      u instanceof URL, Object.prototype.toString.call(u)];
  }`);

  for (const text of ["plain", "https://b.test/x", "a b&c=d", "ü"]) assertSame(both(text));
});

test("bytes are decoded in chunks as in Node", () => {
  const both = inBoth(`([label, options, chunks]) => {
    const decoder = new TextDecoder(label, options);
    const texts = chunks.map((chunk) => decoder.decode(new Uint8Array(chunk), { stream: true }));
    return [...texts, decoder.decode(), decoder.encoding, decoder.fatal, decoder.ignoreBOM];
  }`);
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(
      0xef,
      0xbb,
      0xbf,
      0xf0,
      0x9f,
      0x98,
      0x80,
      0xe2,
      0x82,
      0xac,
      0xc3,
      0xfe,
      0xff,
      65,
    ),
  );
  const options = fc.record({ fatal: fc.boolean(), ignoreBOM: fc.boolean() });
  const label = fc.constantFrom("utf-8", "utf8", "UTF-8", "utf-16le");

  fc.assert(
    fc.property(
      label,
      options,
      fc.array(fc.array(byte, { maxLength: 6 }), { maxLength: 6 }),
      (...input) => assertSame(both(input)),
    ),
    { numRuns: 400 },
  );
});

test("text is encoded as in Node, lone surrogates included", () => {
  const both = inBoth(`(codes) => {
    const text = String.fromCharCode(...codes);
    const encoder = new TextEncoder();
    const target = new Uint8Array(5);
    const { read, written } = encoder.encodeInto(text, target);
    return [[...encoder.encode(text)], read, written, [...target], encoder.encoding];
  }`);
  const code = fc.oneof(
    fc.integer({ min: 0, max: 0xffff }),
    fc.integer({ min: 0xd7ff, max: 0xe000 }),
    fc.integer({ min: 32, max: 127 }),
  );

  fc.assert(
    fc.property(fc.array(code), (codes) => assertSame(both(codes))),
    { numRuns: 300 },
  );
});

test("views and buffers are decoded alike, and unknown labels refused", () => {
  const both = inBoth(`(label) => {
    const bytes = new Uint8Array([104, 195, 188, 33]);
    const decoder = new TextDecoder(label);
    return [decoder.decode(bytes.buffer), decoder.decode(new DataView(bytes.buffer, 1)), decoder.decode()];
  }`);

  for (const label of ["utf-8", "latin1", "windows-1252", "no-such-label", " utf-8 "]) {
    assertSame(both(label));
  }
});

test("base64 goes both ways as in Node", () => {
  const both = inBoth(`([verb, text]) => verb === "atob" ? atob(text) : btoa(text)`);
  const verb = fc.constantFrom("atob", "btoa");
  const text = fc.oneof(
    textOf("QUJD+/=- \n\tü"),
    fc.string({ unit: "binary-ascii" }),
    fc.base64String(),
  );

  fc.assert(
    fc.property(verb, text, (...input) => assertSame(both(input))),
    { numRuns: 400 },
  );
});

test("plain data is cloned deeply", () => {
  const both = inBoth(`(value) => {
    const clone = structuredClone(value);
    return [clone, value === null || typeof value !== "object" || clone !== value];
  }`);

  fc.assert(
    fc.property(fc.jsonValue(), (value) => assertSame(both(value))),
    { numRuns: 200 },
  );
});

test("what JSON has no word for is cloned too, and functions are refused", () => {
  const both = inBoth(`() => {
    const cycle = { list: [1, , 3] };
    cycle.self = cycle;
    const clone = structuredClone(cycle);
    const all = structuredClone({
      map: new Map([[{ a: 1 }, new Set([1, "b"])]]), date: new Date(5), re: /x+/gi, big: 5n,
      bytes: new Uint8Array([1, 2, 3]), error: new RangeError("far"), nan: NaN, nothing: undefined,
      boxed: new String("s"),
    });
    const thrown = [() => {}, Symbol("s"), { f() {} }].map((bad) => {
      try { structuredClone(bad); return null; }
      catch (error) { return [error.name, error instanceof DOMException, error.code]; }
    });
    return [clone.self === clone, 1 in clone.list, clone.list.length, [...all.map.keys()], [...[...all.map.values()][0]],
      all.date.getTime(), String(all.re), String(all.big), [...all.bytes], all.error.name,
      all.error.message, all.error instanceof RangeError, all.nan, "nothing" in all, typeof all.boxed, thrown];
  }`);

  assertSame(both(null));
});

test("an abort reaches every listener once, with its reason", () => {
  const both = inBoth(`() => {
    const seen = [];
    const controller = new AbortController();
    const { signal } = controller;
    const follower = AbortSignal.any([signal, new AbortController().signal]);
    const gone = () => seen.push("gone");
    signal.addEventListener("abort", () => seen.push("first", follower.aborted));
    signal.addEventListener("abort", { handleEvent: (event) => seen.push(event.type) }, { once: true });
    signal.addEventListener("abort", gone);
    signal.removeEventListener("abort", gone);
    signal.onabort = (event) => seen.push(event.target === signal);
    follower.addEventListener("abort", () => seen.push("follower", follower.reason === signal.reason));
    seen.push(signal.aborted, signal.reason ?? "none");
    controller.abort();
    controller.abort("again");
    const { reason } = signal;
    try { signal.throwIfAborted(); } catch (error) { seen.push(error === reason); }
    return [seen, reason.name, reason.code, reason.message, reason instanceof DOMException, reason instanceof Error,
      AbortSignal.abort("why").reason, AbortSignal.abort().aborted, AbortSignal.any([AbortSignal.abort(7)]).reason,
      signal instanceof EventTarget, controller instanceof AbortController,
      Object.prototype.toString.call(signal)];
  }`);

  assertSame(both(null));
});

test("a signal cannot be made by hand", () => {
  assertSame(inBoth("() => new AbortSignal()")(null));
});

test("a signal's time-out uses the timers of its context", () => {
  const context = contextFor("AbortSignal");
  context.evalSync(
    "const set = []; globalThis.setTimeout = (run, ms) => { set.push([run, ms]); };",
  );

  context.evalSync(
    "const signal = AbortSignal.timeout(50); const before = signal.aborted; set[0][0]();",
  );

  assert.equal(
    context.evalSync("JSON.stringify([before, set[0][1], signal.aborted, signal.reason.name])"),
    JSON.stringify([false, 50, true, "TimeoutError"]),
  );
});

test("events are told to their target as in Node", () => {
  const both = inBoth(`() => {
    const seen = [];
    const target = new EventTarget();
    target.addEventListener("x", (event) => { seen.push(event.type, event.cancelable); event.preventDefault(); });
    target.addEventListener("x", (event) => event.stopImmediatePropagation(), { once: true });
    target.addEventListener("x", () => seen.push("late"));
    const first = target.dispatchEvent(new Event("x", { cancelable: true }));
    const second = target.dispatchEvent(new Event("x"));
    return [seen, first, second];
  }`);

  assertSame(both(null));
});

test("each name costs a small script, since an isolate loads it anew", () => {
  for (const name of NAMES) {
    const script = webSurfaceFor(name) ?? "";
    assert.ok(script.length > 0 && script.length < 150_000, `${name}: ${script.length} characters`);
  }
});

function namesIn(context: ivm.Context): string[] {
  const names = context.evalSync("JSON.stringify(Reflect.ownKeys(globalThis).map(String))");
  return JSON.parse(names as string) as string[];
}

function textOf(alphabet: string): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), maxLength: 12 });
}
