import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { chmod, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { addressOf } from "../../src/serve/http/address.ts";
import { aFolder, hone } from "../support/hone.ts";
import { openDoor, TOKEN, type Door } from "../support/http-door.ts";

let door: Door;

before(async () => {
  door = await openDoor();
});

after(async () => await door[Symbol.asyncDispose]());

test("a command asks the daemon that HONE_HOST names, from any folder, with the token", async (t) => {
  const cwd = await aFolder(t);
  const file = path.join(cwd, "token");
  await writeFile(file, `${TOKEN}\n`, { mode: 0o600 });
  const ways = [
    { HONE_HOST: door.host, HONE_TOKEN: TOKEN },
    { HONE_HOST: `http://${door.host}/`, HONE_TOKEN_FILE: file },
    { HONE_HOST: `unix:${door.serving.socketPath}` },
  ];

  for (const env of ways) {
    const { code, stdout, stderr } = await hone(["why", "s", "--json"], { cwd, env });

    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout).request, { skill: "s" });
  }
});

test("a wrong token is no right (exit 4), an open token file is refused, nobody there is exit 3", async (t) => {
  const cwd = await aFolder(t);
  const file = path.join(cwd, "token");
  await writeFile(file, `${TOKEN}\n`);
  await chmod(file, 0o644);
  const other = createServer((_, response) => void response.end("<html>")).listen(0, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const ask = async (env: Record<string, string>): Promise<readonly [number | null, string]> => {
    const { code, stdout } = await hone(["status", "--json"], { cwd, env });
    return [code, (JSON.parse(stdout) as { error: { code: string } }).error.code];
  };

  assert.deepEqual(await ask({ HONE_HOST: door.host, HONE_TOKEN: "wrong" }), [4, "unauthorized"]);
  assert.deepEqual(await ask({ HONE_HOST: door.host, HONE_TOKEN_FILE: file }), [5, "refused"]);
  const absent = { HONE_HOST: door.host, HONE_TOKEN_FILE: path.join(cwd, "none") };
  assert.deepEqual(await ask(absent), [4, "unauthorized"]);
  const nobody = { HONE_HOST: "127.0.0.1:1", HONE_TOKEN: TOKEN };
  assert.deepEqual(await ask(nobody), [3, "daemon-unreachable"]);
  const stranger = { HONE_HOST: `127.0.0.1:${port}`, HONE_TOKEN: TOKEN };
  assert.deepEqual(await ask(stranger), [3, "daemon-unreachable"]);
  assert.deepEqual(await ask({ HONE_HOST: "ftp://x" }), [2, "usage"]);
});

test("hone dashboard prints a link that lets a browser in", async (t) => {
  const cwd = await aFolder(t);
  const env = { HONE_HOST: `unix:${door.serving.socketPath}` };

  const { stdout, code } = await hone(["dashboard"], { cwd, env });
  const entered = await fetch(stdout.trim());

  assert.equal(code, 0);
  assert.ok(stdout.startsWith(`http://${door.host}/login?code=`));
  assert.equal(entered.status, 200);
  assert.match(entered.headers.get("set-cookie") ?? "", /HttpOnly/);
});

test("where a daemon is can be written in several ways, and nonsense is said to be", () => {
  const tcp = (host: string, port: number): object => ({ kind: "tcp", host, port });

  assert.deepEqual(addressOf("unix:/run/hone.sock"), {
    kind: "unix",
    socketPath: "/run/hone.sock",
  });
  assert.deepEqual(addressOf("localhost"), tcp("localhost", 4663));
  assert.deepEqual(addressOf(":80"), tcp("127.0.0.1", 80));
  assert.deepEqual(addressOf("http://[::1]:4663/"), tcp("::1", 4663));
  for (const text of [
    "",
    "https://a:1",
    "a:0",
    "a:70000",
    "a b",
    "unix:relative",
    "http://a/path",
  ]) {
    assert.throws(() => addressOf(text), { code: "usage" }, text);
  }
});
