import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { BODY_BYTES } from "../../src/serve/http/app.ts";
import {
  ALLOWED,
  ask,
  askRaw,
  openDoor,
  TOKEN,
  type Answer,
  type Door,
} from "../support/http-door.ts";

const STATUS = { method: "POST", path: "/v1/status", body: "{}" } as const;

let door: Door;

before(async () => {
  door = await openDoor({
    mounts: [(app) => app.get("/mounted", (context) => context.text("mounted"))],
  });
});

after(async () => await door[Symbol.asyncDispose]());

test("the token opens the port; a missing or wrong one is told how to get it", async () => {
  const good = await ask(door, { ...STATUS, headers: ALLOWED });
  const { authorization: _, ...none } = ALLOWED;
  const wrong = [
    none,
    { ...ALLOWED, authorization: `Bearer x${TOKEN}` },
    { ...ALLOWED, authorization: "Bearer " },
    { ...ALLOWED, authorization: `Basic ${TOKEN}` },
    { ...none, cookie: `hone-${door.port}=${TOKEN}; token=${TOKEN}` },
    { ...none, "x-token": TOKEN },
  ];

  assert.equal(good.status, 200);
  assert.equal(JSON.parse(good.body).verb, "status");
  for (const headers of wrong) unauthorized(await ask(door, { ...STATUS, headers }));
  unauthorized(await ask(door, { ...STATUS, path: `/v1/status?token=${TOKEN}`, headers: none }));
});

test("without the token nothing is answered but the health and the way in", async () => {
  for (const path of [
    "/v1/events",
    "/v1/skills",
    "/mounted",
    "/",
    "/v1",
    "/x/../mounted",
    "//healthz",
  ]) {
    unauthorized(await ask(door, { path }));
  }
  assert.equal((await ask(door, { path: "/healthz" })).body, '{"ok":true}');
  assert.equal((await ask(door, { path: "/login" })).status, 200);
  assert.equal((await ask(door, { path: "/mounted", headers: ALLOWED })).body, "mounted");
});

test("DNS rebinding: a request that names another host is refused, whatever token it has", async () => {
  const { port } = door;
  const hosts = [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    `127.0.0.1:${port + 1}`,
    `localhost.:${port}`,
    `127.1:${port}`,
  ];
  for (const host of hosts) {
    const { status, body } = await ask(door, { ...STATUS, headers: { ...ALLOWED, host } });
    assert.equal(status, 421, host);
    assert.equal(JSON.parse(body).status, 421);
  }
  const head = `authorization: Bearer ${TOKEN}\r\nconnection: close\r\n\r\n`;
  const two = `GET /mounted HTTP/1.1\r\nhost: ${door.host}\r\nhost: evil.example\r\n${head}`;
  const absolute = `GET http://evil.example/mounted HTTP/1.1\r\nhost: ${door.host}\r\n${head}`;
  const none = `GET /mounted HTTP/1.0\r\n${head}`;
  for (const bytes of [two, absolute, none]) {
    assert.match(await askRaw(door, bytes), /^HTTP\/1\.1 (421|400) /);
  }
  assert.equal(
    (await ask(door, { ...STATUS, headers: { ...ALLOWED, host: `localhost:${port}` } })).status,
    200,
  );
});

test("cross-origin requests are refused, also those of another port of this machine", async () => {
  const { host, port } = door;
  const origins = [
    "https://evil.example",
    "null",
    `http://127.0.0.1:${port + 1}`,
    `http://localhost:${port}`,
    `https://${host}`,
  ];
  for (const origin of origins) {
    assert.equal(
      (await ask(door, { ...STATUS, headers: { ...ALLOWED, origin } })).status,
      403,
      origin,
    );
  }
  for (const site of ["cross-site", "same-site"]) {
    const headers = { ...ALLOWED, "sec-fetch-site": site };
    assert.equal((await ask(door, { ...STATUS, headers })).status, 403, site);
    assert.equal((await ask(door, { path: "/mounted", headers })).status, 403, site);
  }
  const preflight = await ask(door, {
    method: "OPTIONS",
    path: "/v1/call",
    headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
  });
  assert.equal(preflight.status, 403);
  assert.equal(preflight.headers["access-control-allow-origin"], undefined);
  const own = await ask(door, { ...STATUS, headers: { ...ALLOWED, origin: `http://${host}` } });
  assert.equal(own.status, 200);
});

test("a body of a kind that a foreign page may send unasked is refused", async () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
  ]) {
    const headers = { ...ALLOWED, "content-type": type };
    assert.equal((await ask(door, { ...STATUS, headers })).status, 415, type);
  }
  const headers = { ...ALLOWED, "content-type": "application/json; charset=utf-8" };
  assert.equal((await ask(door, { ...STATUS, headers })).status, 200);
});

test("oversized and malformed requests are refused, and the next one is answered", async () => {
  const large = `{"skill":"s","input":{"a":"${"x".repeat(BODY_BYTES)}"}}`;
  const declared = await ask(door, {
    method: "POST",
    path: "/v1/call",
    headers: ALLOWED,
    body: large,
  });
  const head = `host: ${door.host}\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\n`;
  const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
  const chunked = await askRaw(
    door,
    `POST /v1/call HTTP/1.1\r\n${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`,
  );
  const smuggled = await askRaw(
    door,
    `POST /v1/call HTTP/1.1\r\n${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  );
  const headers = await askRaw(
    door,
    `GET / HTTP/1.1\r\nhost: ${door.host}\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
  );
  const malformed = [
    "{",
    "[]",
    "null",
    "\u0000",
    '{"skill":"s","input":{},"more":1}',
    "[".repeat(9_000),
  ];

  assert.equal(declared.status, 413);
  assert.match(chunked, /^(HTTP\/1\.1 413 |$)/);
  assert.match(smuggled, /^HTTP\/1\.1 400 /);
  assert.match(headers, /^HTTP\/1\.1 431 /);
  for (const body of malformed) {
    const answer = await ask(door, { method: "POST", path: "/v1/call", headers: ALLOWED, body });
    assert.equal(answer.status, 400, body.slice(0, 40));
    assert.equal(JSON.parse(answer.body).code, "bad-input");
  }
  assert.equal((await ask(door, { ...STATUS, headers: ALLOWED })).status, 200);
});

test("a page may load and send to this door alone, runs no script of its own text, and is in no frame", async () => {
  const { headers } = await ask(door, { path: "/login" });
  const policy = String(headers["content-security-policy"]);

  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["x-frame-options"], "DENY");
  assert.equal(headers["cross-origin-resource-policy"], "same-origin");
  assert.equal(headers["referrer-policy"], "same-origin");
});

test("a link lets a browser in once: its cookie is strict, out of scripts' reach, and not the token", async () => {
  const { body } = await ask(door, {
    method: "POST",
    path: "/v1/login-link",
    headers: ALLOWED,
    body: "{}",
  });
  const link = new URL(JSON.parse(body).link as string);
  const first = await ask(door, { path: `${link.pathname}${link.search}` });
  const again = await ask(door, { path: `${link.pathname}${link.search}` });
  const set = String(first.headers["set-cookie"]);
  const cookie = set.split(";")[0] ?? "";

  assert.equal(link.origin, `http://${door.host}`);
  assert.match(set, /HttpOnly/);
  assert.match(set, /SameSite=Strict/);
  assert.ok(!set.includes(TOKEN) && !link.href.includes(TOKEN));
  assert.equal(again.status, 401);
  assert.equal(again.headers["set-cookie"], undefined);
  const page = { path: "/mounted", headers: { cookie } };
  assert.equal((await ask(door, page)).body, "mounted");
  const tampered = cookie.replace(/=\d/, "=9");
  unauthorized(await ask(door, { path: "/mounted", headers: { cookie: tampered } }));
});

test("the login form takes the token, of our own page only", async () => {
  const form = (origin: string, token: string): Promise<Answer> =>
    ask(door, {
      method: "POST",
      path: "/login",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(origin === "" ? {} : { origin }),
      },
      body: `token=${token}`,
    });
  const own = `http://${door.host}`;

  const good = await form(own, TOKEN);
  assert.equal(good.status, 303);
  assert.equal(good.headers.location, "/");
  const wrong = await form(own, "nonsense");
  assert.equal(wrong.status, 401);
  assert.equal(wrong.headers["set-cookie"], undefined);
  unauthorized(await form("", TOKEN));
  assert.equal((await form("https://evil.example", TOKEN)).status, 403);
  const page = await ask(door, { path: "/", headers: { accept: "text/html" } });
  assert.deepEqual([page.status, page.headers.location], [303, "/login"]);
});

test("what a cookie changes must come from our own page", async () => {
  const { body } = await ask(door, {
    method: "POST",
    path: "/v1/login-link",
    headers: ALLOWED,
    body: "{}",
  });
  const { search } = new URL(JSON.parse(body).link as string);
  const entered = await ask(door, { path: `/login${search}` });
  const cookie = String(entered.headers["set-cookie"]).split(";")[0] ?? "";
  const headers = { "content-type": "application/json", cookie };

  unauthorized(await ask(door, { ...STATUS, headers }));
  const own = { ...headers, origin: `http://${door.host}` };
  assert.equal((await ask(door, { ...STATUS, headers: own })).status, 200);
});

test("a slow sender is cut off, and the others are answered meanwhile", async () => {
  const began = Date.now();
  const slow = [
    askRaw(door, `GET /healthz HTTP/1.1\r\nhost: ${door.host}\r\nx-slow: `),
    askRaw(door, "G"),
    askRaw(door, ""),
  ];

  assert.equal((await ask(door, { path: "/healthz" })).status, 200);
  await Promise.all(slow);

  assert.ok(Date.now() - began < 30_000, "they were cut off");
});

test("a port that is taken leaves the socket, and says so", async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;

  await using other = await openDoor({ tcp: { host: "127.0.0.1", port, token: TOKEN } });

  assert.equal(other.serving.origin, null);
  assert.match(other.serving.problem, new RegExp(`port ${port}`));
});

test("the port is this machine's alone", async () => {
  assert.match(door.serving.origin ?? "", /^http:\/\/127\.0\.0\.1:\d+$/);
  await assert.rejects(fetch(`http://127.0.0.2:${door.port}/healthz`));
});

function unauthorized({ status, headers, body }: Answer): void {
  assert.equal(status, 401, body);
  assert.equal(headers["www-authenticate"], "Bearer");
  assert.equal(headers["content-type"], "application/problem+json");
  const problem = JSON.parse(body) as { code: string; hint: string };
  assert.equal(problem.code, "unauthorized");
  assert.match(problem.hint, /data\/run\/token/);
}
