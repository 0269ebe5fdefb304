import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { resolved } from "../../../src/adapters/capabilities/answering.ts";
import { redacted } from "../../../src/adapters/capabilities/redact.ts";
import type { SecretHeader } from "../../../src/adapters/capabilities/secret-headers.ts";

const VALUE = `k/3+y=.:&<a>'"\\ %2fZ`;

function aSecret(value: string, as = "Bearer {}"): SecretHeader {
  return { name: "API_KEY", host: "api.test", header: "authorization", as, value };
}

function told(text: string, secret = aSecret(VALUE)): string {
  const reply = redacted(resolved(text), [secret]);
  assert.ok(reply.status === "resolved");
  return reply.value as string;
}

const every = (write: (code: number) => string, value = VALUE): string =>
  Array.from(value, (character) => write(character.charCodeAt(0))).join("");

const hex = (code: number, digits = 2): string => code.toString(16).padStart(digits, "0");

const NAMED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "/": "&sol;",
  "+": "&plus;",
  "=": "&equals;",
  ".": "&period;",
  ":": "&colon;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\\": "&bsol;",
  "%": "&percnt;",
};

/** Ways in which texts write other texts. */
const WRITINGS: Readonly<Record<string, (value: string) => string>> = {
  "as it is": (value) => value,
  "in a URL": encodeURIComponent,
  "in a URL, lower case": (value) =>
    encodeURIComponent(value).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  "in a URL, cases mixed": (value) => encodeURIComponent(value).replaceAll("%3A", "%3a"),
  "in a form": (value) => new URLSearchParams({ v: value }).toString().slice(2),
  "in a URL, every character": (value) => every((code) => `%${hex(code)}`, value),
  "in a URL in a URL": (value) => encodeURIComponent(encodeURIComponent(value)),
  "in JSON": (value) => JSON.stringify(value).slice(1, -1),
  "in JSON with solidus escaped": (value) =>
    JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/"),
  "in JSON, every character": (value) => every((code) => `\\u${hex(code, 4)}`, value),
  "in JSON, every character, capitals": (value) =>
    every((code) => `\\u${hex(code, 4).toUpperCase()}`, value),
  "in JSON in JSON": (value) => JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
  "in a script": (value) => every((code) => `\\x${hex(code)}`, value),
  "in a script, by code point": (value) => every((code) => `\\u{${hex(code)}}`, value),
  "in HTML, by name": (value) =>
    value.replaceAll(/[&/+=.:<>"'\\%]/g, (character) => NAMED[character] ?? ""),
  "in HTML, by number": (value) => every((code) => `&#${code};`, value),
  "in HTML, by number without semicolons": (value) =>
    value.replaceAll("&<", "&amp<").replaceAll('"', "&#34").replaceAll("=", "&#x3d"),
  "in HTML, by hex number": (value) => every((code) => `&#x${hex(code, 6)};`, value),
  "in HTML, capitals": (value) => every((code) => `&#X${hex(code).toUpperCase()};`, value),
  "in JSON in HTML": (value) =>
    JSON.stringify(value).slice(1, -1).replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
  "in lower case": (value) => value.toLowerCase(),
  "in capitals": (value) => value.toUpperCase(),
  "in hex": (value) => Buffer.from(value).toString("hex"),
  "in hex, capitals": (value) => Buffer.from(value).toString("hex").toUpperCase(),
  "in hex, bytes apart": (value) => every((code) => `${hex(code)} `, value),
  "in hex, with colons": (value) => every((code) => `${hex(code)}:`, value).slice(0, -1),
  "in hex, as numbers": (value) => every((code) => `0x${hex(code)}, `, value).slice(2),
};

/** The same in base64, with as many bytes before it. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64, for URLs": (text) => Buffer.from(text).toString("base64url"),
  "base64, in a URL": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
  "base64, in JSON": (text) => Buffer.from(text).toString("base64").replaceAll("/", "\\/"),
  "base64, wrapped": (text) =>
    Buffer.from(text)
      .toString("base64")
      .replaceAll(/.{10}/g, (line) => `${line}\r\n`),
};

suite("a secret that a server tells", () => {
  for (const [way, write] of Object.entries(WRITINGS)) {
    test(`is found ${way}, and nothing beside it is touched`, () => {
      assert.equal(
        told(`<${write(VALUE)}|end`)
          .trim()
          .replace(/[:, ]*\|/, "|"),
        "<[secret API_KEY]|end",
      );
    });
  }

  for (const [way, encode] of Object.entries(ENCODINGS)) {
    for (const before of ["", "u", "us", "use"]) {
      test(`is found in ${way}, ${before.length} bytes behind its start`, () => {
        const text = told(`token ${encode(`${before}${VALUE}`)} end`);

        assert.match(text, /^token \S{0,5}\[secret API_KEY\]\S{0,6}\s{0,2}\S{0,6} end$/);
      });
    }
  }

  test("is found in names of members, in lists and in what a failure says", () => {
    const escaped = VALUE.replaceAll("/", "%2f");
    const reply = redacted(resolved({ [escaped]: [escaped] }), [aSecret(VALUE)]);
    const failure = {
      status: "rejected",
      name: "TypeError",
      message: escaped,
      cause: "failed",
    } as const;

    assert.deepEqual(reply, resolved({ "[secret API_KEY]": ["[secret API_KEY]"] }));
    assert.deepEqual(redacted(failure, [aSecret(VALUE)]), {
      ...failure,
      message: "[secret API_KEY]",
    });
  });

  test("is found decoded, whole and in part, where it is itself an encoded name and password", () => {
    const basic = aSecret(Buffer.from("user:a-long/password").toString("base64"), "Basic {}");

    assert.equal(told("user:a-long/password", basic), "[secret API_KEY]");
    assert.equal(told("pw=a-long%2fpassword;", basic), "pw=[secret API_KEY];");
  });

  test("leaves a text without it as it came, escapes and all", () => {
    const text = `100% &amp; \\u002f %2F%zz &#; &#x; &nosuchname; \\u{} \\u{110000} \\`;

    assert.equal(told(text), text);
  });

  test("is told once where several forms of it overlap, and each time where it is repeated", () => {
    const plain = aSecret("abcdefgh12345678");

    assert.equal(told("abcdefgh12345678abcdefgh12345678", plain), "[secret API_KEY]".repeat(2));
  });

  const MB = 1024 * 1024;
  const long: Readonly<Record<string, string>> = {
    "its own beginnings": VALUE.slice(0, -1),
    itself: VALUE,
    "itself in a URL": encodeURIComponent(VALUE),
    "escapes of escapes": "%25252525252f",
    "references without an end": `&#${"0".repeat(13)}`,
    zeros: "0",
    "names without an end": `&${"a".repeat(50)}`,
    "its own hex": Buffer.from(VALUE.slice(0, -1)).toString("hex"),
  };
  for (const [what, part] of Object.entries(long)) {
    test(`is looked for in bounded time in 5 MB of ${what}`, () => {
      const before = performance.now();

      const text = told(part.repeat((5 * MB) / part.length));

      assert.ok(performance.now() - before < 20_000);
      assert.ok(!text.includes(VALUE));
    });
  }
});
