import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HoneError } from "../../src/domain/errors.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Operations } from "../../src/ports/operations.ts";
import { VERB_NAMES } from "../../src/serve/http/verbs.ts";
import { ALLOWED, ask, openDoor, type Answer, type Door } from "../support/http-door.ts";
import { scriptedOperations } from "../support/scripted-operations.ts";

let door: Door;
let calls: JsonObject[];
let whileCalled: () => Promise<void>;

before(async () => {
  calls = [];
  whileCalled = async () => undefined;
  const scripted = scriptedOperations();
  const counted =
    (verb: "call" | "submit") =>
    async (request: object): Promise<JsonObject> => {
      calls.push(request as JsonObject);
      await whileCalled();
      return {
        ...(await (scripted[verb] as Operations["call"])(request as never)),
        nth: calls.length,
      };
    };
  const operations = {
    ...scripted,
    call: counted("call"),
    submit: counted("submit"),
  } as Operations;
  door = await openDoor({ operations });
});

after(async () => await door[Symbol.asyncDispose]());

function post(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const text = JSON.stringify(body);
  return ask(door, { method: "POST", path, headers: { ...ALLOWED, ...headers }, body: text });
}

function get(path: string): Promise<Answer> {
  return ask(door, { path, headers: ALLOWED });
}

test("what only reads is asked by GET too, with numbers and truth values as the verb takes them", async () => {
  const runs = await get("/v1/runs?skill=a-b&limit=7&before=run_1");
  const incidents = await get("/v1/incidents?all=true");
  const none = await get("/v1/skills");

  assert.deepEqual(JSON.parse(runs.body).request, { skill: "a-b", limit: 7, before: "run_1" });
  assert.equal(runs.headers["cache-control"], "no-store");
  assert.deepEqual(JSON.parse(incidents.body).request, { all: true });
  assert.deepEqual(JSON.parse(none.body).request, {});
  for (const wrong of [
    "/v1/runs",
    "/v1/runs?skill=s&skill=t",
    "/v1/runs?skill=s&limit=x",
    "/v1/skills?x=1",
    "/v1/incidents?all=1",
  ]) {
    assert.equal((await get(wrong)).status, 400, wrong);
  }
});

test("what changes something is asked by POST alone", async () => {
  for (const verb of ["call", "rollback", "approve", "pin", "cancel"]) {
    const { status, headers, body } = await get(`/v1/${verb}?skill=s&by=Ada`);
    assert.deepEqual([status, headers.allow, JSON.parse(body).status], [405, "POST", 405], verb);
  }
});

test("path tricks in the names of skills and commits lead nowhere", async () => {
  const tricks = [
    "..",
    ".",
    "../../etc/passwd",
    "a/../b",
    "/etc",
    "a\\b",
    "a\u0000b",
    "a\nb",
    "",
    "x".repeat(201),
  ];
  for (const skill of tricks) {
    for (const verb of ["log", "diff", "why", "runs", "improve"]) {
      const { status, body } = await post(`/v1/${verb}`, { skill });
      assert.equal(status, 400, `${verb} ${JSON.stringify(skill)}`);
      assert.equal(JSON.parse(body).code, "bad-input");
    }
    const query = new URLSearchParams({ skill }).toString();
    assert.equal((await get(`/v1/log?${query}`)).status, 400);
  }
  for (const commit of ["--output=/tmp/x", "-p", "a..b", "HEAD:README.md", "a b", "$(x)"]) {
    assert.equal((await post("/v1/evidence", { commit })).status, 400, commit);
    assert.equal((await post("/v1/diff", { skill: "s", from: commit })).status, 400, commit);
    assert.equal(
      (await post("/v1/pin", { skill: "s", version: commit, by: "Ada" })).status,
      400,
      commit,
    );
  }
  assert.equal(
    (await post("/v1/approve", { candidate: "c", by: "Ada\nHone-Reward: 1" })).status,
    400,
  );
  for (const path of [
    "/v1/%2e%2e/healthz",
    "/v1//status",
    "/v1/status/",
    "/v1/constructor",
    "/v1/__proto__",
    "/%00",
  ]) {
    assert.equal((await post(path, {})).status, 404, path);
  }
});

test("the same request with the same key is carried out once, and answered the same again", async () => {
  calls.length = 0;
  const body = { skill: "s", input: { n: 1 } };
  const key = { "idempotency-key": '"once"' };

  const first = await post("/v1/call", body, key);
  const again = await post("/v1/call", { input: { n: 1 }, skill: "s" }, key);
  const other = await post("/v1/call", { ...body, input: { n: 2 } }, key);
  const fresh = await post("/v1/call", body, { "idempotency-key": "another" });

  assert.equal(first.status, 200);
  assert.equal(again.body, first.body);
  assert.equal(again.headers["idempotency-replayed"], "true");
  assert.equal(first.headers["idempotency-replayed"], undefined);
  assert.equal(other.status, 422);
  assert.equal(JSON.parse(fresh.body).nth, 2);
  assert.equal(calls.length, 2);
  for (const wrong of ["", "x".repeat(300), '"a" "b"', "ü"]) {
    const answer = await post("/v1/call", body, {
      "idempotency-key": Buffer.from(wrong).toString("latin1"),
    });
    assert.equal(answer.status, 400, wrong);
  }
});

test("a request that is still carried out is not begun again with its key", async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  whileCalled = () => (begin(), promise);
  t.after(() => (whileCalled = async () => undefined));
  const key = { "idempotency-key": "slow" };

  const slow = post("/v1/call", { skill: "s", input: {} }, key);
  await begun;
  const meanwhile = await post("/v1/call", { skill: "s", input: {} }, key);
  resolve();

  assert.equal(meanwhile.status, 409);
  assert.equal(JSON.parse(meanwhile.body).retryable, true);
  assert.equal((await slow).status, 200);
});

test("a request that failed may be made again with its key", async () => {
  const key = { "idempotency-key": "failing" };

  const failed = await post("/v1/call", { skill: "fails with busy", input: {} }, key);
  calls.length = 0;
  await post("/v1/call", { skill: "fails with busy", input: {} }, key);

  assert.equal(failed.status, 503);
  assert.ok(Number(failed.headers["retry-after"]) > 0);
  assert.equal(calls.length, 1);
});

test("tasks that are submitted with a key have the same ids each time, so that a lost answer queues none twice", async () => {
  calls.length = 0;
  const tasks = [
    { skill: "s", input: {} },
    { skill: "s", input: {}, id: "mine" },
  ];
  await post("/v1/submit", { tasks }, { "idempotency-key": "batch" });
  // Another daemon, which never knew the answer.
  await using other = await openDoor({
    operations: {
      ...scriptedOperations(),
      submit: async (request) => (calls.push(request), { schemaVersion: 1 }),
    },
  });
  const headers = { ...ALLOWED, "idempotency-key": "batch" };
  await ask(other, {
    method: "POST",
    path: "/v1/submit",
    headers,
    body: JSON.stringify({ tasks }),
  });

  const [one, two] = calls.map(({ tasks: sent }) => (sent as JsonObject[]).map(({ id }) => id));
  assert.deepEqual(one, two);
  assert.equal(one?.[1], "mine");
  assert.match(String(one?.[0]), /^task_[0-9a-f]{24}_1$/);
});

test("the description names every verb, with what it takes and answers, and every reference leads somewhere", async () => {
  const { body, status } = await get("/openapi.json");
  const document = JSON.parse(body) as JsonObject & {
    paths: Record<string, Record<string, JsonObject>>;
  };

  assert.equal(status, 200);
  assert.match(String(document["openapi"]), /^3\.1\./);
  for (const verb of VERB_NAMES) {
    const described = document.paths[`/v1/${verb}`]?.["post"];
    assert.ok(String(described?.["summary"]).length > 10, `${verb} says what it does`);
    assert.equal(described?.["operationId"], verb);
  }
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((each) => each["operationId"]),
  );
  assert.equal(new Set(ids).size, ids.length);
  for (const [, target = ""] of body.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = target.split("/").reduce<unknown>((at, key) => (at as JsonObject)[key], document);
    assert.ok(found !== undefined, target);
  }
  const call = document.paths["/v1/call"]?.["post"]?.["requestBody"];
  assert.partialDeepStrictEqual(call, {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["skill", "input"],
          additionalProperties: false,
          properties: { input: { type: "object" } },
        },
      },
    },
  });
});

test("it is ready while it can read its ledger", async () => {
  await using broken = await openDoor({
    operations: {
      ...scriptedOperations(),
      budget: async () => {
        throw new HoneError("store-failed", "the disk is gone");
      },
    },
  });

  assert.deepEqual(JSON.parse((await ask(door, { path: "/readyz" })).body), { ok: true });
  const { status, body } = await ask(broken, { path: "/readyz" });
  assert.equal(status, 503);
  assert.ok(!body.includes("disk"), "who has no token learns no more than that");
});
