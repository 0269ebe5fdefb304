import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import packageJson from "../../package.json" with { type: "json" };
import { aFolder, hone } from "../support/hone.ts";
import type { Ended } from "../support/hone.ts";

test("--version prints the version and nothing else (B77)", async (t) => {
  const cwd = await aFolder(t);

  const plain = await hone(["--version"], { cwd });
  const json = await hone(["--version", "--json"], { cwd });

  assert.deepEqual(plain, { code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  assert.deepEqual(documentOf(json), {
    schemaVersion: 1,
    version: packageJson.version,
    node: process.versions.node,
  });
});

test("--help tells every command on stdout and exits 0", async (t) => {
  const { code, stdout, stderr } = await hone(["--help"], { cwd: await aFolder(t) });

  assert.equal(code, 0);
  assert.equal(stderr, "");
  const words =
    "init call submit task run improve skills status incidents log diff why rollback approve reject verify eval demo doctor help";
  for (const word of words.split(" ")) assert.match(stdout, new RegExp(`^  ${word} `, "m"));
});

test("hone alone and `hone help` tell the same as --help, also of one command", async (t) => {
  const cwd = await aFolder(t);
  const same: readonly (readonly [readonly string[], readonly string[]])[] = [
    [[], ["--help"]],
    [["help"], ["--help"]],
    [
      ["help", "call"],
      ["call", "--help"],
    ],
    [
      ["help", "skills", "show"],
      ["skills", "show", "--help"],
    ],
  ];

  for (const [args, other] of same) {
    assert.deepEqual(await hone(args, { cwd }), await hone(other, { cwd }), args.join(" "));
  }
});

test("wrong usage exits 2 with one sentence and a hint on stderr", async (t) => {
  const cwd = await aFolder(t);
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["help", "statsu"], /^hone: There is no command statsu\n {6}Did you mean `hone status`\?\n$/],
    [["statsu"], /^hone: There is no command statsu\n {6}Did you mean `hone status`\?\n$/],
    [["call"], /^hone: missing required argument 'skill'\n/],
    [["call", "a", "b"], /^hone: too many arguments: .*\n {6}Give it with --input, /],
    [["status", "--nonsense"], /^hone: unknown option '--nonsense'/],
    [["eval", "x", "--jobs", "none"], /whole number of at least 1/],
    [["eval", "x", "--proposers", "search,magic"], /magic is none of revert, drift, search/],
    [["eval", "x", "--without", "pairs,luck"], /luck is none of localisation, synthesis, pairs/],
    [["call", "x", "--input", "{"], /^hone: --input is not JSON/],
    [["call", "x", "--input", "[1]"], /^hone: --input must be an object/],
    [["call", "x", "--expect", "nope"], /^hone: --expect is not JSON/],
  ];

  for (const [args, message] of wrong) {
    const ended = await hone(args, { cwd });

    assert.equal(ended.code, 2, args.join(" "));
    assert.equal(ended.stdout, "");
    assert.match(ended.stderr, message);
    assert.doesNotMatch(ended.stderr, /\n\s+at /);
  }
});

test("with --json an error is one object on stdout, wherever --json stands", async (t) => {
  const cwd = await aFolder(t);

  for (const args of [
    ["--json", "call"],
    ["call", "--json"],
    ["skills", "show", "--json"],
  ]) {
    const ended = await hone(args, { cwd });
    const { error } = documentOf(ended) as { error: Record<string, string> };

    assert.equal(ended.code, 2);
    assert.equal(ended.stderr, "");
    assert.deepEqual(Object.keys(error), ["code", "message", "hint"]);
    assert.equal(error["code"], "usage");
  }
});

test("without a workspace a command exits 6 and says how to make one", async (t) => {
  const cwd = await aFolder(t);

  const plain = await hone(["status"], { cwd });
  const json = await hone(["status", "--json"], { cwd });
  const named = await hone(["status", "--workspace", "nowhere"], { cwd });

  assert.equal(plain.code, 6);
  assert.match(plain.stderr, /^hone: No workspace: .*\n {6}Make one with `hone init`.*\n$/);
  assert.equal(json.code, 6);
  assert.equal((documentOf(json) as { error: { code: string } }).error.code, "not-found");
  assert.equal(named.code, 6);
});

test("a workspace is found from any folder in it, but not through the end of a repository", async (t) => {
  const cwd = await aFolder(t);
  await mkdir(path.join(cwd, "skills", "x"), { recursive: true });
  await mkdir(path.join(cwd, "other", ".git"), { recursive: true });
  await writeFile(path.join(cwd, "hone.yaml"), "nonsense: 1\n");

  const inside = await hone(["status"], { cwd: path.join(cwd, "skills", "x") });
  const beyond = await hone(["status"], { cwd: path.join(cwd, "other") });

  assert.match(inside.stderr, /nonsense is no setting/);
  assert.equal(beyond.code, 6);
});

test("a bad configuration is told in full, without a stack (B77)", async (t) => {
  const cwd = await aFolder(t);
  await writeFile(
    path.join(cwd, "hone.yaml"),
    "publsh: auto\nimprove:\n  budgetMS: 5\ntasks:\n  parallel: none\n",
  );

  for (const command of [["status"], ["run"], ["call", "x"]]) {
    const ended = await hone(command, { cwd });

    assert.equal(ended.code, 2);
    assert.equal(ended.stdout, "");
    assert.match(ended.stderr, /publsh is no setting, did you mean publish\?/);
    assert.match(ended.stderr, /improve\.budgetMS is no setting, did you mean budgetMs\?/);
    assert.match(ended.stderr, /tasks\.parallel: /);
    assert.doesNotMatch(ended.stderr, /\n\s+at |sonic boom/);
  }
});

test("a file that is no YAML is told with its line", async (t) => {
  const cwd = await aFolder(t);
  await writeFile(path.join(cwd, "hone.yaml"), "publish: auto\nimprove: {\n");

  const ended = await hone(["status"], { cwd });

  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /hone\.yaml is not a valid configuration: line \d+: /);
});

test("doctor shows every setting with its origin, and what is wrong", async (t) => {
  const cwd = await aFolder(t);
  const env = { HONE_TASKS_PARALLEL: "3" };

  const sound = await hone(["doctor", "--json"], { cwd, env });
  await writeFile(path.join(cwd, "hone.yaml"), "logLevel: loud\n");
  const unsound = await hone(["doctor", "--json"], { cwd });

  const { settings } = documentOf(sound) as { settings: { key: string; origin: string }[] };
  assert.equal(sound.code, 0);
  assert.equal(settings.find(({ key }) => key === "tasks.parallel")?.origin, "HONE_TASKS_PARALLEL");
  assert.equal(settings.find(({ key }) => key === "publish")?.origin, "default");
  assert.equal(unsound.code, 1);
  assert.match(unsound.stdout, /logLevel: /);
});

test("doctor tells a whole reason, and notes that git knows no name", async (t) => {
  const cwd = await aFolder(t);
  const settings = ["publsh", "proposrs", "braanch", "schedulez"].map((key) => `${key}: 1\n`);
  await writeFile(path.join(cwd, "hone.yaml"), settings.join(""));
  const env = { HOME: cwd, XDG_CONFIG_HOME: cwd, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "" };

  const { stdout } = await hone(["doctor"], { cwd, env });

  assert.match(stdout, /schedulez is no setting, did you mean schedules\?/);
  assert.match(stdout, /^git identity +note +git has no user\.name and no user\.email/m);
});

test("tasks that are no JSONL are named by their lines", async (t) => {
  const cwd = await aFolder(t);
  await writeFile(path.join(cwd, "hone.yaml"), "");
  await writeFile(path.join(cwd, "tasks.jsonl"), '{"skill":"x"}\n\n{"skill":\n[1]\n');

  const bad = await hone(["submit", "tasks.jsonl"], { cwd });
  const absent = await hone(["submit", "none.jsonl"], { cwd });

  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /line 3: .*; line 4 is no object/);
  assert.equal(absent.code, 6);
});

/** The one document on stdout. */
function documentOf({ stdout }: Ended): unknown {
  assert.equal(stdout.trimEnd().split("\n").length, 1, "one line, one object");
  return JSON.parse(stdout);
}
