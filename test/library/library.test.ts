import assert from "node:assert/strict";
import { test } from "node:test";
import { openLibrary } from "../../src/library/library.ts";
import type { Library } from "../../src/ports/library.ts";
import type { Repository } from "../../src/ports/repository.ts";
import { aGitWorkspace, release, type GitWorkspace } from "../support/git-workspace.ts";
import { aSkill } from "../support/shop.ts";

const HEADER = "---\nname: greet\ndescription: greets\n---\n";
const FILES = { "skills/greet/SKILL.md": HEADER, "skills/greet/skill.ts": "one" };

/** No UTF-8. */
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);

test("a skill is loaded once, and again when its content has changed", async (t) => {
  const { library, repository, inspected } = await aLibrary(t);
  await library.active("greet");
  await library.active("greet");
  assert.deepEqual(inspected, ["one"]);

  const commit = await release(repository, { "skills/greet/skill.ts": "two" });

  const { source, version } = await library.active("greet");
  assert.deepEqual([source, version], ["two", commit]);
  assert.deepEqual(inspected, ["one", "two"]);
});

test("content that comes back has the commit that brought it back as its version", async (t) => {
  const { library, repository } = await aLibrary(t);
  const first = await library.active("greet");
  await release(repository, { "skills/greet/skill.ts": "two" });
  await library.active("greet");

  const back = await release(repository, { "skills/greet/skill.ts": "one" });

  const again = await library.active("greet");
  assert.deepEqual([again.source, again.version], ["one", back]);
  assert.notEqual(again.version, first.version);
});

test("a picture in the folder is none of hone's business", async (t) => {
  const { workspace, library, repository } = await aLibrary(t);
  workspace.commit({ "skills/greet/logo.png": PICTURE });
  await repository.adopt(workspace.git("rev-parse", "HEAD"));

  const { files } = await library.active("greet");

  assert.deepEqual(Object.keys(files), ["SKILL.md", "skill.ts"]);
});

test("a file of a skill that is not text is a problem of that skill alone", async (t) => {
  const { workspace, library, repository } = await aLibrary(t);
  workspace.commit({
    "skills/other/SKILL.md": HEADER,
    "skills/other/skill.ts": "two",
    "skills/other/cases.jsonl": PICTURE,
  });
  await repository.adopt(workspace.git("rev-parse", "HEAD"));

  const loaded = await library.loadAll(await repository.head());

  const problems = loaded.map((one) => (one.status === "sound" ? [] : one.problems));
  assert.deepEqual(problems, [[], ["cases.jsonl is not UTF-8 text"]]);
});

test("a commit elsewhere leaves the version as it is", async (t) => {
  const { library, repository } = await aLibrary(t);
  const before = await library.active("greet");

  await release(repository, { "skills/other/skill.ts": "other" });

  assert.equal((await library.active("greet")).version, before.version);
  assert.deepEqual(await library.names(), ["greet", "other"]);
});

test("an earlier version can be had with its own content", async (t) => {
  const { library, repository } = await aLibrary(t);
  const { version } = await library.active("greet");
  await release(repository, { "skills/greet/skill.ts": "two" });

  const old = await library.at("greet", version);

  assert.deepEqual([old?.source, old?.version], ["one", version]);
  assert.equal(await library.at("nobody", version), null);
});

test("what is not there and what cannot be loaded are told apart", async (t) => {
  const { library, repository } = await aLibrary(t);
  await release(repository, { "skills/broken/skill.ts": "x" });

  await assert.rejects(library.active("nobody"), { code: "not-found", hint: /greet/ });
  await assert.rejects(library.active("broken"), {
    code: "bad-skill",
    message: /SKILL\.md is missing/,
  });
  const loaded = await library.loadAll(await repository.head());
  assert.deepEqual(
    loaded.map(({ name, status }) => [name, status]),
    [
      ["broken", "unsound"],
      ["greet", "sound"],
    ],
  );
});

test("many who ask at the same time cause one loading", async (t) => {
  const { library, inspected } = await aLibrary(t);

  await Promise.all(Array.from({ length: 20 }, () => library.active("greet")));

  assert.deepEqual(inspected, ["one"]);
});

test("a loading that broke is tried again", async (t) => {
  const { library, failNext } = await aLibrary(t);
  failNext();

  await assert.rejects(library.active("greet"), /the editor is gone/);

  assert.equal((await library.active("greet")).source, "one");
});

/** A library on a real history, whose editor takes every text for a sound source. */
async function aLibrary(t: { after(release: () => unknown): void }): Promise<{
  readonly workspace: GitWorkspace;
  readonly repository: Repository;
  readonly library: Library;
  readonly inspected: string[];
  readonly failNext: () => void;
}> {
  const workspace = await aGitWorkspace(t, { files: FILES });
  const repository = await workspace.open();
  const inspected: string[] = [];
  let fails = false;
  const library = openLibrary({
    repository,
    rewardProblems: () => [],
    inspect: async ({ text }) => {
      if (fails) {
        fails = false;
        throw new Error("the editor is gone");
      }
      inspected.push(text);
      return { ...aSkill(), status: "sound" };
    },
  });
  return { workspace, repository, library, inspected, failNext: () => void (fails = true) };
}
