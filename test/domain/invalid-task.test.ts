import assert from "node:assert/strict";
import { test } from "node:test";
import { isTasksFault } from "../../src/domain/invalid-task.ts";
import type { Run } from "../../src/domain/task.ts";
import { aRun, aTrace } from "../support/ledger.ts";

/** A run that asked for one URL and got one answer. */
function fetching(
  input: Run["input"],
  url: string,
  answer: {
    readonly status: number;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Run {
  const { status, body = "", headers = {} } = answer;
  const args = { url, method: "GET", headers: {}, body: null };
  const value = { status, headers, body, url, redirected: false };
  const step = {
    requests: [{ id: 1, kind: "fetch", args }],
    answers: [{ id: 1, status: "resolved" as const, value }],
    now: 1,
  };
  return aRun({ input, trace: aTrace({ steps: [step] }) });
}

const MISSING = fetching({ id: 99 }, "https://a.test/v1/items/99", { status: 404 });
const SERVED = fetching({ id: 1 }, "https://a.test/v1/items/1", { status: 200 });

test("a plain 404 for one input is the task's fault once the endpoint served another", () => {
  assert.equal(isTasksFault([MISSING], [SERVED]), true);
});

test("nothing is known before another run was served", () => {
  assert.equal(isTasksFault([MISSING], []), false);
  assert.equal(isTasksFault([], [SERVED]), false);
});

test("an input may be named in the query, and as it is written in a URL", () => {
  const missing = fetching({ q: "a b" }, "https://a.test/find?q=a+b&n=5", { status: 404 });
  const served = fetching({ q: "c" }, "https://a.test/find?n=5&q=c", { status: 200 });
  const path = fetching({ q: "a b" }, "https://a.test/x/a%20b", { status: 404 });
  const other = fetching({ q: "c" }, "https://a.test/x/c", { status: 200 });

  assert.equal(isTasksFault([missing], [served]), true);
  assert.equal(isTasksFault([path], [other]), true);
});

for (const [what, answer] of [
  ["a Location", { status: 404, headers: { Location: "/v2/items/99" } }],
  ["a successor link", { status: 404, headers: { link: '</v2>; rel="successor-version"' } }],
  ["another path in the body", { status: 404, body: '{"error":"moved to /v2/items/99"}' }],
  ["a 410", { status: 410 }],
] as const) {
  test(`an answer with ${what} says that the endpoint went away`, () => {
    const gone = fetching({ id: 99 }, "https://a.test/v1/items/99", answer);

    assert.equal(isTasksFault([gone], [SERVED]), false);
  });
}

test("a body that names the path asked for is a plain 404", () => {
  const body = "no such thing: /v1/items/99.";
  const missing = fetching({ id: 99 }, "https://a.test/v1/items/99", { status: 404, body });

  assert.equal(isTasksFault([missing], [SERVED]), true);
});

test("another endpoint, another host, or a path that no input names proves nothing", () => {
  const other = fetching({ id: 1 }, "https://a.test/v1/users/1", { status: 200 });
  const host = fetching({ id: 1 }, "https://b.test/v1/items/1", { status: 200 });
  const fixed = fetching({ id: 99 }, "https://a.test/v1/all", { status: 404 });
  const fixedServed = fetching({ id: 1 }, "https://a.test/v1/all", { status: 200 });

  assert.equal(isTasksFault([MISSING], [other, host]), false);
  assert.equal(isTasksFault([fixed], [fixedServed]), false);
});

test("every failing run must be at fault", () => {
  const gone = fetching({ id: 98 }, "https://a.test/v1/items/98", { status: 410 });

  assert.equal(isTasksFault([MISSING, gone], [SERVED]), false);
});
