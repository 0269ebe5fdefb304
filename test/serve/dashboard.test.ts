import assert from "node:assert/strict";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gunzipSync, brotliDecompressSync } from "node:zlib";
import { dashboard } from "../../src/serve/http/dashboard.ts";
import { aFolder } from "../support/hone.ts";
import { ROOT } from "../support/imports.ts";
import { ALLOWED, openDoor } from "../support/http-door.ts";

const BUILT = path.join(ROOT, "src/serve/ui");

test("the whole dashboard is under 60 KB as it is sent", () => {
  const files = globSync("**/*.gz", { cwd: BUILT });
  const bytes = files.reduce((sum, file) => sum + readFileSync(path.join(BUILT, file)).length, 0);

  assert.ok(files.length > 3, "it was built: npm run prepare");
  assert.ok(bytes < 60_000, `${bytes} bytes`);
});

test("nothing in its files leads to another host", () => {
  const files = globSync("**/*.{html,css,js,svg}", { cwd: BUILT });
  const hosts = files.flatMap((file) => [
    ...readFileSync(path.join(BUILT, file), "utf8").matchAll(/\b(?:https?|wss?):\/\/[\w.-]+/g),
  ]);

  // Names of vocabularies, which nobody fetches.
  const foreign = hosts.map(([host]) => host).filter((host) => !host.endsWith("//www.w3.org"));
  assert.deepEqual(foreign, []);
});

test("every page is the same document, its files are for ever, and none runs inline", async (t) => {
  await using door = await openDoor({ mounts: [dashboard()] });
  const get = async (at: string, headers: Record<string, string> = {}): Promise<Response> =>
    await fetch(`http://${door.host}${at}`, { headers: { ...ALLOWED, ...headers } });
  t.diagnostic(door.host);

  const page = await get("/");
  const html = await page.text();

  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.equal(page.headers.get("cache-control"), "no-cache");
  const policy = page.headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.doesNotMatch(html, /<style|<script(?![^>]* src=)| on\w+=| style=/);
  for (const at of ["/skills", "/skills/a-b", "/incidents/inci_1", "/review", "/live"]) {
    assert.equal(await (await get(at)).text(), html);
  }
  const [, script = ""] = /src="([^"]+\.js)"/.exec(html) ?? [];
  const file = await get(script, { "accept-encoding": "br;q=0, gzip" });
  assert.equal(file.headers.get("content-encoding"), "gzip");
  assert.equal(file.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(file.headers.get("vary"), "accept-encoding");
  assert.equal(file.headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.equal(await file.text(), readFileSync(path.join(BUILT, script), "utf8"));
});

test("a compressed file is the file", () => {
  for (const file of globSync("assets/*.{js,css}", { cwd: BUILT })) {
    const bytes = readFileSync(path.join(BUILT, file));
    assert.deepEqual(gunzipSync(readFileSync(path.join(BUILT, `${file}.gz`))), bytes);
    assert.deepEqual(brotliDecompressSync(readFileSync(path.join(BUILT, `${file}.br`))), bytes);
  }
});

test("paths lead to the dashboard's own files and to nothing beside them", async (t) => {
  const dir = await aFolder(t);
  mkdirSync(path.join(dir, "ui"));
  writeFileSync(path.join(dir, "ui/index.html"), "the page");
  writeFileSync(path.join(dir, "secret"), "a secret");
  await using door = await openDoor({ mounts: [dashboard(path.join(dir, "ui"))] });

  for (const at of [
    "/../secret",
    "/%2e%2e/secret",
    "/assets/..%2f..%2fsecret",
    "/secret",
    "//secret",
  ]) {
    const answer = await fetch(`http://${door.host}${at}`, { headers: ALLOWED });
    assert.doesNotMatch(await answer.text(), /a secret/, at);
  }
});

test("a checkout in which nothing was built says what builds it", async (t) => {
  await using door = await openDoor({ mounts: [dashboard(path.join(await aFolder(t), "none"))] });

  const answer = await fetch(`http://${door.host}/`, { headers: ALLOWED });

  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /npm run prepare/);
});
