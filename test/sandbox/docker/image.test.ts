import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { test } from "node:test";
import { imageArchive, imageFingerprint } from "../../../sandbox/docker/image/recipe.ts";
import { tar, tarSize, textEntry } from "../../../sandbox/docker/image/tar.ts";

test("an archive is read by tar, with long paths, folders, modes and nothing of whoever made it", async () => {
  const long = `${"folder/".repeat(20)}file`;
  const entries = [
    textEntry("empty/", "", 0o755),
    textEntry("run", "x".repeat(600), 0o711),
    textEntry(long, "ä", 0o644),
  ];

  const listed = await listing(tar(entries), ["--list", "--verbose", "--numeric-owner", "--utc"]);

  const lines = listed.trim().split("\n");
  assert.deepEqual(
    lines.map((line) => line.replace(/ +/g, " ")),
    [
      "drwxr-xr-x 0/0 0 1970-01-01 00:00 empty/",
      "-rwx--x--x 0/0 600 1970-01-01 00:00 run",
      `-rw-r--r-- 0/0 2 1970-01-01 00:00 ${long}`,
    ],
  );
  const chunks = await Array.fromAsync(tar(entries));
  assert.equal(Buffer.concat(chunks).length, tarSize(entries));
});

test("a path that no archive can carry is refused", async () => {
  await assert.rejects(Array.fromAsync(tar([textEntry("x".repeat(300), "", 0o644)])), /too long/);
});

test("the image has this Node, its libraries and the names of two users, and is the same each time", async () => {
  const first = await imageArchive(process.execPath);
  const second = await imageArchive(process.execPath);

  assert.deepEqual([second.digest, second.tag], [first.digest, first.tag]);
  const outer = await listing(first.read(), ["--list"]);
  const digest = first.digest.slice("sha256:".length);
  assert.deepEqual(outer.trim().split("\n"), [`${digest}.json`, "layer.tar", "manifest.json"]);
  const config = await listing(first.read(), ["--extract", "--to-stdout", `${digest}.json`]);
  assert.equal(createHash("sha256").update(config).digest("hex"), digest);
  assert.deepEqual((JSON.parse(config) as { config: { Env: string[] } }).config.Env, [
    "PATH=/usr/local/bin",
  ]);
});

test("the files of the image are told apart by their state without reading them", async () => {
  const first = await imageFingerprint(process.execPath);

  assert.equal(await imageFingerprint(process.execPath), first);
  assert.notEqual(await imageFingerprint("/bin/sh"), first);
});

/** What `tar` says of an archive. */
async function listing(archive: AsyncIterable<Buffer>, args: readonly string[]): Promise<string> {
  const child = spawn("tar", [...args, "--file", "-"], { stdio: ["pipe", "pipe", "inherit"] });
  const said = text(child.stdout);
  // With all that it was asked for, tar closes its input.
  await pipeline(Readable.from(archive), child.stdin).catch(() => undefined);
  return await said;
}
