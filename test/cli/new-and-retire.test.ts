import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { areaSkill } from "../support/area-skill.ts";
import { hone } from "../support/hone.ts";
import { aWorkspace } from "../support/workspace.ts";

test("`hone new` makes a skill of a file of examples, and `hone retire` lets it go", async (t) => {
  const { dir } = await aWorkspace(t, {
    ...areaSkill(),
    "hone.yaml": "docker: off\npublish: auto\n",
  });
  const examples = [2, 3, 5, 8, 13, 21].map((value) => ({ args: [value], expect: value * 3 }));
  const file = path.join(dir, "examples.jsonl");
  writeFileSync(file, examples.map((each) => `${JSON.stringify(each)}\n`).join(""));

  const nothing = await hone(["new"], { cwd: dir });
  const asked = await hone(
    ["new", "thrice", "--description", "Three times a number.", "--examples", file, "--json"],
    { cwd: dir },
  );

  assert.match(nothing.stdout, /Nothing recurs/);
  assert.equal(asked.code, 0, asked.stdout + asked.stderr);
  const { candidate } = JSON.parse(asked.stdout);
  assert.equal((await hone(["approve", candidate], { cwd: dir })).code, 0);
  const called = await hone(["call", "thrice", "--input", '{"value":7}', "--json"], { cwd: dir });
  assert.equal(JSON.parse(called.stdout).value, 21);
  const status = await hone(["status"], { cwd: dir });
  assert.match(status.stdout, /thrice .*0 of 0 runs reach 1|thrice .*runs wanting/);
  const kept = await hone(["retire", "thrice"], { cwd: dir });
  assert.equal(kept.code, 5, kept.stdout);
  const gone = await hone(["retire", "thrice", "--reason", "not wanted"], { cwd: dir });
  assert.equal(gone.code, 0, gone.stderr);
  assert.equal((await hone(["rollback", "thrice"], { cwd: dir })).code, 0);
  const back = await hone(["skills", "test", "thrice"], { cwd: dir });
  assert.equal(back.code, 0, back.stdout);
});
