import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createRepository } from "../../src/adapters/git/create.ts";
import { loadConfig } from "../../src/config-file.ts";
import { initWorkspace } from "../../src/daemon/init-workspace.ts";
import { aFolder } from "../support/hone.ts";

const run = promisify(execFile);

test("an empty folder becomes a workspace with its own repository, all in the first commit", async (t) => {
  const dir = path.join(await aFolder(t), "new");

  const report = await initWorkspace(dir, { isEmpty: false, createRepository });

  assert.equal(report.repository, "created");
  assert.equal(report.publish, "auto");
  assert.deepEqual(report.kept, []);
  const { stdout: committed } = await run("git", ["ls-files"], { cwd: dir });
  for (const name of await readdir(path.resolve("skills"))) {
    for (const file of ["SKILL.md", "skill.ts", "cases.jsonl"]) {
      assert.match(committed, new RegExp(`^skills/${name}/${file}$`, "m"));
    }
    assert.match(committed, new RegExp(`^data/held-out/${name}\\.jsonl$`, "m"));
  }
  assert.match(committed, /^hone\.yaml$/m);
  assert.match(committed, /^rewards\/frugal\.ts$/m);
  assert.doesNotMatch(committed, /data\/run|built-in/);
  const { stdout: changed } = await run("git", ["status", "--porcelain"], { cwd: dir });
  assert.equal(changed, "");
});

test("a second time nothing is made and everything kept", async (t) => {
  const dir = await aFolder(t);
  const first = await initWorkspace(dir, { isEmpty: false, createRepository });
  await writeFile(path.join(dir, "hone.yaml"), "publish: manual\n");
  await writeFile(path.join(dir, "skills", "parse-price", "skill.ts"), "mine");

  const second = await initWorkspace(dir, { isEmpty: false, createRepository });

  assert.deepEqual(second.created, []);
  assert.deepEqual([first.publish, second.publish], ["auto", "manual"]);
  assert.deepEqual(second.kept.length, first.created.length - heldOutOf(first.created).length);
  assert.equal(await readFile(path.join(dir, "hone.yaml"), "utf8"), "publish: manual\n");
  assert.equal(await readFile(path.join(dir, "skills/parse-price/skill.ts"), "utf8"), "mine");
});

test("in somebody's repository nothing is committed, and publishing is left to people", async (t) => {
  const top = await aFolder(t);
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=Ada", "-c", "user.email=ada@x.test", ...args], { cwd: top });
  await git("init", "-q", "-b", "trunk");
  await git("commit", "-q", "--allow-empty", "-m", "first");
  const dir = path.join(top, "tools");
  await mkdir(path.join(dir, "skills", "slug"), { recursive: true });

  const report = await initWorkspace(dir, { isEmpty: false, createRepository });

  assert.equal(report.repository, "existing");
  assert.equal(report.publish, "manual");
  assert.equal((await git("rev-list", "--count", "HEAD")).stdout, "1\n");
  assert.equal((await git("symbolic-ref", "--short", "HEAD")).stdout, "trunk\n");
  assert.deepEqual((await readdir(path.join(dir, "skills", "slug"))).length, 0);
});

test("an empty workspace has the folders and no skills", async (t) => {
  const dir = await aFolder(t);

  await initWorkspace(dir, { isEmpty: true, createRepository });

  assert.deepEqual(await readdir(path.join(dir, "skills")), []);
  assert.ok(existsSync(path.join(dir, "data", "held-out")));
});

test("the new hone.yaml is valid, and so is every default in it once its comment sign is gone", async (t) => {
  const dir = await aFolder(t);
  await initWorkspace(dir, { isEmpty: true, createRepository });
  const sources = { workspaceDir: dir, env: { HOME: dir }, systemFile: path.join(dir, "none") };
  const asMade = await loadConfig(sources);

  const text = await readFile(path.join(dir, "hone.yaml"), "utf8");
  const [, defaults = ""] = text.split("publish: auto\n");
  const uncommented = `publish: auto\n${defaults.replace(/^# (?=\s*\w+:)/gm, "")}`;
  await writeFile(path.join(dir, "hone.yaml"), uncommented);
  const withAll = await loadConfig(sources);

  assert.deepEqual(withAll.config, asMade.config);
  assert.ok(Object.keys(withAll.origins).length > Object.keys(asMade.origins).length);
});

function heldOutOf(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.startsWith("data/held-out/"));
}
