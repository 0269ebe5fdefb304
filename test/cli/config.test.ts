import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { suite, test, type TestContext } from "node:test";
import { aFolder, hone, type Ended } from "../support/hone.ts";

async function aWorkspaceWith(t: TestContext, settings: string): Promise<string> {
  const cwd = await aFolder(t);
  await writeFile(path.join(cwd, "hone.yaml"), settings);
  return cwd;
}

type Shown = { readonly key: string; readonly value: unknown; readonly origin: string };

suite("hone config", () => {
  test("shows each setting that is in force and where it was set", async (t) => {
    const cwd = await aWorkspaceWith(t, "improve: { budgetMs: 500 }\n");

    const env = { HONE_TASKS_PARALLEL: "9" };
    const { stdout } = await hone(["config", "show", "--origin", "--json"], { cwd, env });
    const short = await hone(["config"], { cwd, env });

    const { settings } = JSON.parse(stdout) as { settings: readonly Shown[] };
    const found = (key: string) => settings.find((each) => each.key === key);
    assert.deepEqual(
      ["improve.budgetMs", "tasks.parallel", "publish"].map((key) => [
        found(key)?.value,
        found(key)?.origin,
      ]),
      [
        [500, path.join(cwd, "hone.yaml")],
        [9, "HONE_TASKS_PARALLEL"],
        ["manual", "default"],
      ],
    );
    assert.match(short.stdout, /^KEY +VALUE\n/);
    assert.match(short.stdout, /\ntasks\.parallel +9\n/);
  });

  test("validate exits 0, or 2 with every problem of a source", async (t) => {
    const good = await aWorkspaceWith(t, "publish: auto\n");
    const bad = await aWorkspaceWith(t, "publsh: auto\ntasks: { parallel: none }\n");
    const never = 'schedules: [{ name: a, cron: "70 2 * * *", improve: "*" }]\n';
    const unscheduled = await aWorkspaceWith(t, never);

    const [valid, invalid, badCron]: readonly Ended[] = [
      await hone(["config", "validate", "--json"], { cwd: good }),
      await hone(["config", "validate"], { cwd: bad }),
      await hone(["config", "validate"], { cwd: unscheduled }),
    ];

    assert.deepEqual(JSON.parse(valid?.stdout ?? ""), {
      schemaVersion: 1,
      valid: true,
      files: [path.join(good, "hone.yaml")],
    });
    assert.equal(invalid?.code, 2);
    assert.match(invalid.stderr, /tasks\.parallel: .*did you mean publish\?/);
    assert.equal(badCron?.code, 2);
    assert.match(badCron.stderr, /schedule a: .* is no cron expression/);
  });

  test("path tells the files, weakest first, and schema is a JSON Schema", async (t) => {
    const cwd = await aWorkspaceWith(t, "");

    const paths = await hone(["config", "path", "--json"], { cwd });
    const schema = await hone(["config", "schema"], { cwd });

    const { files } = JSON.parse(paths.stdout) as { files: { file: string; exists: boolean }[] };
    assert.deepEqual(files.at(-1), { file: path.join(cwd, "hone.yaml"), exists: true });
    assert.equal(files.length, 3);
    assert.partialDeepStrictEqual(JSON.parse(schema.stdout), { type: "object" });
  });
});

suite("hone completion", () => {
  test("completes commands, options and the names of skills", async (t) => {
    const cwd = await aWorkspaceWith(t, "");
    for (const name of ["parse-price", "other"]) {
      await mkdir(path.join(cwd, "skills", name), { recursive: true });
    }
    const words = async (...line: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await hone(["complete", "--", ...line], { cwd });
      return stdout
        .split("\n")
        .filter((each) => !/^:?\d*$/.test(each))
        .map((each) => each.split("\t")[0] ?? "");
    };

    assert.deepEqual(await words("st"), ["start", "stop", "status"]);
    assert.deepEqual(await words("call", "par"), ["parse-price"]);
    assert.deepEqual(await words("logs", "--sk"), ["--skill"]);
    assert.ok((await words("config", "")).includes("validate"));
  });

  test("prints a script that its shell can read", async (t) => {
    const cwd = await aFolder(t);

    for (const shell of ["bash", "zsh", "fish", "pwsh"]) {
      const { code, stdout } = await hone(["completion", shell], { cwd });
      assert.equal(code, 0);
      assert.match(stdout, /hone complete/, shell);
      if (shell !== "bash") continue;
      const read = spawnSync("bash", ["-n"], { input: stdout, encoding: "utf8" });
      assert.deepEqual([read.status, read.stderr], [0, ""]);
    }
    assert.equal((await hone(["completion", "csh"], { cwd })).code, 2);
  });
});
