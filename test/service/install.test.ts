import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { aFolder, hone, type Ended } from "../support/hone.ts";

type Answer = Readonly<Record<string, unknown>>;

/** A person with a workspace and a folder for units, and no manager that could be asked. */
async function aPerson(t: TestContext) {
  const dir = await aFolder(t);
  const env = { HOME: dir, XDG_CONFIG_HOME: path.join(dir, "config"), XDG_RUNTIME_DIR: "" };
  const units = path.join(dir, "config", "systemd", "user");
  const service = (...args: readonly string[]): Promise<Ended> =>
    hone(["--json", "--workspace", "tools", "service", ...args], { cwd: dir, env });
  const workspace = async (name: string): Promise<void> => {
    await mkdir(path.join(dir, name), { recursive: true });
    await writeFile(path.join(dir, name, "hone.yaml"), "docker: off\n");
  };
  await workspace("tools");
  return { dir, env, units, unit: path.join(units, "hone-tools.service"), service, workspace };
}

function answerOf({ code, stdout, stderr }: Ended): Answer {
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Answer;
}

const PERSON = ["-c", "user.name=A Person", "-c", "user.email=person@example.org"];

function git(cwd: string, args: readonly string[]): void {
  execFileSync("git", args, { cwd, stdio: "pipe" });
}

function complaintOf({ stderr, stdout }: Ended): string {
  return `${stdout}${stderr}`;
}

test("a service is written once; again, it is found as it should be", async (t) => {
  const { service, unit, units } = await aPerson(t);

  const first = answerOf(await service("install"));
  const second = answerOf(await service("install"));

  assert.deepEqual([first["change"], second["change"]], ["written", "unchanged"]);
  assert.deepEqual([first["file"], first["isStarted"]], [unit, false]);
  assert.deepEqual(readdirSync(units), ["hone-tools.service"]);
  const state = await service("status");
  assert.equal(state.code, 3, "nobody keeps it running here");
  assert.equal((JSON.parse(state.stdout) as Answer)["unit"], "current");
});

test("a dry run prints what would be written, and writes nothing", async (t) => {
  const { service, unit } = await aPerson(t);

  const { text } = answerOf(await service("install", "--dry-run"));
  await assert.rejects(readFile(unit), { code: "ENOENT" });
  await service("install");

  assert.equal(await readFile(unit, "utf8"), text);
});

test("a unit that is not hone's, or that a person has changed, stays as it is", async (t) => {
  const { service, unit, units } = await aPerson(t);
  await mkdir(units, { recursive: true });
  const theirs = "[Service]\nExecStart=/bin/true\n";
  await writeFile(unit, theirs);

  const over = await service("install");
  const away = await service("uninstall");

  assert.deepEqual([over.code, away.code], [5, 5]);
  assert.match(complaintOf(over), /is not hone's/);
  assert.equal(await readFile(unit, "utf8"), theirs);

  const { file } = answerOf(await service("install", "--name", "mine"));
  const changed = (await readFile(String(file), "utf8")).replace("4G", "8G");
  await writeFile(String(file), changed);
  const again = await service("install", "--name", "mine");
  assert.equal(again.code, 5);
  assert.match(complaintOf(again), /changed by hand.*systemctl --user edit mine\.service/);
  assert.equal(await readFile(String(file), "utf8"), changed);
});

test("a unit that hone wrote and would write differently now is written again", async (t) => {
  const { service, unit, dir } = await aPerson(t);
  await service("install");

  await writeFile(path.join(dir, "tools", "hone.yaml"), "docker: off\nmodel: { gguf: m.gguf }\n");
  const { unit: outdated } = JSON.parse((await service("status")).stdout) as Answer;
  const { change } = answerOf(await service("install"));

  assert.deepEqual([outdated, change], ["outdated", "replaced"]);
  assert.doesNotMatch(await readFile(unit, "utf8"), /MemoryMax/);
});

test("two workspaces of one name have two services", async (t) => {
  const { service, workspace, dir, env } = await aPerson(t);
  await workspace("others/tools");
  await service("install");

  const args = ["--json", "--workspace", "others/tools", "service", "install"];
  const taken = await hone(args, { cwd: dir, env });
  const named = await hone([...args, "--name", "hone-other"], { cwd: dir, env });

  assert.equal(taken.code, 5);
  assert.match(complaintOf(taken), /is the service of .*\/tools.*--name/);
  assert.equal(answerOf(named)["change"], "written");
});

test("uninstalling takes the unit away; again, there is nothing to take", async (t) => {
  const { service, units } = await aPerson(t);
  await service("install");

  const first = answerOf(await service("uninstall"));
  const second = answerOf(await service("uninstall"));

  assert.deepEqual([first["removed"], second["removed"]], [true, false]);
  assert.deepEqual(readdirSync(units), []);
});

test("a person is told how to start it, and that it ends when they log out", async (t) => {
  const { dir, env } = await aPerson(t);

  const { stderr } = await hone(["--workspace", "tools", "service", "install"], { cwd: dir, env });

  assert.match(
    stderr,
    /systemctl --user daemon-reload && systemctl --user enable --now hone-tools/,
  );
  assert.match(stderr, /loginctl enable-linger/);
});

test("a service's repository above it, and other work trees, may be written to as well", async (t) => {
  const { dir, env, workspace } = await aPerson(t);
  const repo = path.join(dir, "repo");
  await workspace("repo/tools");
  for (const args of [["init"], ["add", "."], [...PERSON, "commit", "-m", "all"]]) git(repo, args);
  git(repo, ["worktree", "add", path.join(dir, "beside")]);

  const args = ["--workspace", "repo/tools", "service", "install", "--dry-run"];
  const { stdout } = await hone(args, { cwd: dir, env });

  const [, written = ""] = /^ReadWritePaths=(.*)$/m.exec(stdout) ?? [];
  assert.deepEqual(written.split(" ").slice(0, 3), [
    path.join(repo, "tools"),
    `-${repo}`,
    `-${path.join(dir, "beside")}`,
  ]);
});
