import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { IncomingMessage, RequestListener } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  FETCH_BOUNDS,
  type FetchBounds,
  liveFetch,
} from "../../../src/adapters/capabilities/live-fetch.ts";
import type { Reply } from "../../../src/adapters/capabilities/answering.ts";
import type { FetchCall } from "../../../src/adapters/capabilities/request-args.ts";
import type { FetchAnswer } from "../../../src/domain/trace.ts";
import { webServer } from "../../support/web-server.ts";

const NEVER = new AbortController().signal;

function aCall(url: string, overrides: Partial<FetchCall> = {}): FetchCall {
  return { url, method: "GET", headers: {}, body: null, ...overrides };
}

function bounds(granted: readonly string[], overrides: Partial<FetchBounds> = {}): FetchBounds {
  return { granted, fetch, secrets: [], ...FETCH_BOUNDS, ...overrides };
}

function answerIn(reply: Reply): FetchAnswer {
  assert.ok(reply.status === "resolved", JSON.stringify(reply));
  return reply.value as FetchAnswer;
}

function rejectionIn(reply: Reply): Extract<Reply, { status: "rejected" }> {
  assert.ok(reply.status === "rejected", JSON.stringify(reply));
  return reply;
}

/** Answers with what it was asked. */
const echo: RequestListener = (request, response) => {
  void textOf(request).then((body) => {
    response.setHeader("X-Kind", "echo");
    response.appendHeader("Set-Cookie", "a=1").appendHeader("Set-Cookie", "b=2");
    response.end(
      JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }),
    );
  });
};

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks = await request.toArray();
  return Buffer.concat(chunks as Buffer[]).toString();
}

test("method, headers and body arrive as given, and the answer comes back whole", async () => {
  await using server = await webServer(echo);
  const call = aCall(`${server.origin}/x?q=1#part`, {
    method: "POST",
    headers: { "x-own": "yes", "content-type": "text/plain" },
    body: "h\u00e9llo",
  });

  const answer = answerIn(await liveFetch(call, bounds([server.host]), NEVER));

  const seen = JSON.parse(answer.body) as {
    [key: string]: unknown;
    headers: Record<string, string>;
  };
  assert.equal(answer.status, 200);
  assert.equal(answer.url, `${server.origin}/x?q=1`);
  assert.equal(answer.redirected, false);
  assert.equal(answer.headers["x-kind"], "echo");
  assert.equal(answer.headers["set-cookie"], "a=1, b=2");
  assert.deepEqual([seen["method"], seen["url"], seen["body"]], ["POST", "/x?q=1", "h\u00e9llo"]);
  assert.equal(seen.headers["x-own"], "yes");
});

test("headers that say where a request goes are not the guest's to choose", async () => {
  await using server = await webServer(echo);
  const call = aCall(server.origin, {
    headers: { host: "other.test", "transfer-encoding": "chunked" },
  });

  const { body } = answerIn(await liveFetch(call, bounds([server.host]), NEVER));

  assert.equal((JSON.parse(body) as { headers: { host: string } }).headers.host, server.host);
});

test("a host that is not granted is refused, and nobody is asked", async () => {
  let asked = 0;
  await using server = await webServer((_, response) => {
    asked += 1;
    response.end();
  });

  const reply = await liveFetch(aCall(server.origin), bounds(["api.test"]), NEVER);

  const { cause, message } = rejectionIn(reply);
  assert.equal(cause, "denied");
  assert.match(message, /fetch of http:\/\/127\.0\.0\.1:\d+ is not granted/);
  assert.equal(asked, 0);
});

test("a URL that is none is the caller's mistake", async () => {
  const reply = await liveFetch(aCall("no url"), bounds(["api.test"]), NEVER);

  assert.deepEqual(reply, {
    status: "rejected",
    name: "TypeError",
    message: "Invalid URL: no url",
    cause: "failed",
  });
});

test("a header that HTTP forbids is the caller's mistake", async () => {
  const call = aCall("http://127.0.0.1:9/", { headers: { "bad name": "x" } });

  assert.equal(rejectionIn(await liveFetch(call, bounds(["127.0.0.1:9"]), NEVER)).cause, "failed");
});

test("credentials in a URL are refused", async () => {
  const call = aCall("http://me:secret@127.0.0.1:9/");

  assert.equal(rejectionIn(await liveFetch(call, bounds(["127.0.0.1:9"]), NEVER)).cause, "failed");
});

test("a redirect within the grants is followed", async () => {
  await using server = await webServer((request, response) => {
    if (request.url === "/old") response.writeHead(301, { location: "/new?x=1" }).end("moved");
    else echo(request, response);
  });

  const answer = answerIn(
    await liveFetch(aCall(`${server.origin}/old`), bounds([server.host]), NEVER),
  );

  assert.deepEqual(
    [answer.status, answer.url, answer.redirected],
    [200, `${server.origin}/new?x=1`, true],
  );
});

test("a redirect that leaves the grants is answered as it is", async () => {
  await using away = await webServer(() => assert.fail("the other host must not be asked"));
  await using server = await webServer((_, response) => {
    response.writeHead(308, { location: `${away.origin}/v2` }).end("moved for good");
  });

  const answer = answerIn(
    await liveFetch(aCall(`${server.origin}/v1`), bounds([server.host]), NEVER),
  );

  assert.deepEqual([answer.status, answer.body, answer.redirected], [308, "moved for good", false]);
  assert.equal(answer.headers["location"], `${away.origin}/v2`);
});

test("a redirect to another protocol is answered as it is", async () => {
  await using server = await webServer((_, response) => {
    response.writeHead(302, { location: "file:///etc/passwd" }).end();
  });

  assert.equal(
    answerIn(await liveFetch(aCall(server.origin), bounds([server.host]), NEVER)).status,
    302,
  );
});

test("a post becomes a get after 303, and stays a post after 307", async () => {
  await using server = await webServer((request, response) => {
    const status = /^\/(30\d)$/.exec(request.url ?? "")?.[1];
    if (status === undefined) echo(request, response);
    else response.writeHead(Number(status), { location: "/end" }).end();
  });
  const after = async (status: number): Promise<unknown> => {
    const call = aCall(`${server.origin}/${status}`, { method: "POST", body: "x" });
    const { body } = answerIn(await liveFetch(call, bounds([server.host]), NEVER));
    const seen = JSON.parse(body) as { method: string; body: string };
    return [seen.method, seen.body];
  };

  assert.deepEqual(await after(301), ["GET", ""]);
  assert.deepEqual(await after(302), ["GET", ""]);
  assert.deepEqual(await after(303), ["GET", ""]);
  assert.deepEqual(await after(307), ["POST", "x"]);
  assert.deepEqual(await after(308), ["POST", "x"]);
});

test("what authorises a request stays with its origin", async () => {
  await using away = await webServer(echo);
  await using server = await webServer((request, response) => {
    if (request.url === "/here") echo(request, response);
    else response.writeHead(302, { location: request.url === "/a" ? "/here" : away.origin }).end();
  });
  const authorizationAfter = async (path: string): Promise<string | undefined> => {
    const call = aCall(server.origin + path, { headers: { Authorization: "Bearer t" } });
    const reply = await liveFetch(call, bounds([server.host, away.host]), NEVER);
    return (JSON.parse(answerIn(reply).body) as { headers: IncomingMessage["headers"] }).headers
      .authorization;
  };

  assert.equal(await authorizationAfter("/a"), "Bearer t");
  assert.equal(await authorizationAfter("/b"), undefined);
});

test("redirects end after five", async () => {
  let asked = 0;
  await using server = await webServer((request, response) => {
    asked += 1;
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end("there");
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });

  const there = await liveFetch(aCall(`${server.origin}/5`), bounds([server.host]), NEVER);
  const lost = await liveFetch(aCall(`${server.origin}/6`), bounds([server.host]), NEVER);

  assert.equal(answerIn(there).body, "there");
  assert.match(rejectionIn(lost).message, /more than 5 redirects/);
  assert.equal(asked, 12);
});

test("an answer that is too large is cut off, zipped or not", async () => {
  const most = 100_000;
  await using server = await webServer((request, response) => {
    if (request.url === "/zipped") {
      response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(most + 1)));
    } else response.end(Buffer.alloc(most + (request.url === "/over" ? 1 : 0), "x"));
  });
  const get = (path: string): Promise<Reply> =>
    liveFetch(aCall(server.origin + path), bounds([server.host], { bodyBytes: most }), NEVER);

  assert.equal(answerIn(await get("/exact")).body.length, most);
  assert.match(rejectionIn(await get("/over")).message, /larger than 100000 bytes/);
  assert.match(rejectionIn(await get("/zipped")).message, /larger than 100000 bytes/);
});

test("a body that never ends is cut off at five megabytes", async () => {
  await using server = await webServer((_, response) => {
    const chunk = Buffer.alloc(65_536);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });

  const { cause } = rejectionIn(
    await liveFetch(aCall(server.origin), bounds([server.host]), NEVER),
  );

  assert.equal(cause, "failed");
});

test("a server that does not answer in time is out of reach", async () => {
  await using server = await webServer(() => {});

  const reply = await liveFetch(
    aCall(server.origin),
    bounds([server.host], { timeoutMs: 50 }),
    NEVER,
  );

  assert.deepEqual(
    [rejectionIn(reply).cause, rejectionIn(reply).message],
    ["network", "fetch failed: no answer within 50 ms"],
  );
});

test("a body that stalls is out of reach too (B25)", async () => {
  await using server = await webServer((_, response) => void response.write("first"));

  const reply = await liveFetch(
    aCall(server.origin),
    bounds([server.host], { timeoutMs: 100 }),
    NEVER,
  );

  assert.equal(rejectionIn(reply).cause, "network");
});

test("a connection that is cut is a fault of the network", async () => {
  await using server = await webServer((request) => void request.socket.destroy());
  await using broken = await webServer((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half");
    setTimeout(() => response.destroy(), 10);
  });

  const cut = await liveFetch(aCall(server.origin), bounds([server.host]), NEVER);
  const half = await liveFetch(aCall(broken.origin), bounds([broken.host]), NEVER);

  assert.equal(rejectionIn(cut).cause, "network");
  assert.equal(rejectionIn(half).cause, "network");
});

test("a closed port is a fault of the network, and says so", async () => {
  const host = await closedHost();

  const reply = await liveFetch(aCall(`http://${host}/`), bounds([host]), NEVER);

  assert.deepEqual(
    [rejectionIn(reply).cause, rejectionIn(reply).message],
    ["network", "fetch failed: ECONNREFUSED"],
  );
});

test("an abort rejects with its reason", async () => {
  await using server = await webServer(() => {});
  const controller = new AbortController();
  const reason = new Error("stop");

  const reply = liveFetch(aCall(server.origin), bounds([server.host]), controller.signal);
  setTimeout(() => controller.abort(reason), 20);

  await assert.rejects(reply, reason);
});

/** A host on which nobody listens. */
async function closedHost(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}
