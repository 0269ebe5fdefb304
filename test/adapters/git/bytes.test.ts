import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import * as fc from "../../support/property.ts";
import { SKILL, aGitWorkspace, release } from "../../support/git-workspace.ts";

const ATTRIBUTES =
  "* text=auto eol=lf ident\n*.ts text eol=crlf working-tree-encoding=UTF-16LE\n*.txt -text\n";

test("bytes go in and come out as they are, whatever .gitattributes says", async (t) => {
  const workspace = await aGitWorkspace(t, { files: { "README.md": "x\n" } });
  const repository = await workspace.open();
  const texts = {
    [SKILL]: "\uFEFF// a\r\nexport const a = '$Id$';\r\n\r\n",
    "skills/greet/mixed.ts": "a\rb\nc\r\n\td  ",
    "skills/greet/empty.txt": "",
  };
  workspace.commit({ ".gitattributes": ATTRIBUTES });
  await repository.adopt((await repository.followed())?.head ?? "");

  const commit = await release(repository, texts);

  const files = await repository.files(commit, "skills");
  const read = await Promise.all(
    files.map(async ({ path, blob }) => [path, await repository.text(blob)]),
  );
  assert.deepEqual(Object.fromEntries(read), texts);
  for (const [path, text] of Object.entries(texts)) {
    const bytes = execFileSync("git", ["cat-file", "blob", `hone:${path}`], { cwd: workspace.top });
    assert.deepEqual(bytes, Buffer.from(text));
  }
});

test("files of any length are written whole", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();
  const lengths = [0, 1, 15, 16, 2_047, 2_048, 262_143, 262_144, 3_000_000];
  const texts = lengths.map((length) => "abcdefg\n".repeat(length / 8 + 1).slice(0, length));

  const changes = texts.map((text, at) => [`data/${String(at)}.txt`, text] as const);
  const commit = await release(repository, Object.fromEntries(changes));

  const files = await repository.files(commit, "data");
  const read = await Promise.all(files.map((file) => repository.text(file.blob)));
  assert.deepEqual(read, texts);
  assert.equal(workspace.git("fsck", "--strict", "--no-dangling"), "");
});

test("a commit that removes everything has the empty tree", async (t) => {
  const workspace = await aGitWorkspace(t);
  const repository = await workspace.open();

  const commit = await release(repository, { [SKILL]: null });

  assert.deepEqual(await repository.files(commit, ""), []);
  assert.equal(workspace.git("fsck", "--strict", "--no-dangling"), "");
});

test("a person's bytes come out as they are, and what is no text is refused", async (t) => {
  const crlf = "\uFEFFa\r\nb\n";
  const files = { "a.ts": crlf, "b.bin": Uint8Array.of(0xff, 0xfe, 0) };
  const workspace = await aGitWorkspace(t, { files });
  const repository = await workspace.open();

  const [text, binary] = await repository.files(await repository.head(), "");

  assert.equal(await repository.text(text?.blob ?? ""), crlf);
  await assert.rejects(repository.text(binary?.blob ?? ""), /not UTF-8/);
});

test("other files keep their mode, their links and their odd names", async (t) => {
  const workspace = await aGitWorkspace(t, { files: { "run.sh": "x", [SKILL]: "y" } });
  execFileSync("sh", ["-c", "chmod +x run.sh; ln -s run.sh link; : > \"$(printf 'caf\\351')\""], {
    cwd: workspace.top,
  });
  workspace.commit({ "zoo-a": "1", "zoo/a": "2" });
  const repository = await workspace.open();
  await repository.adopt((await repository.followed())?.head ?? "");
  const listing = (): string =>
    execFileSync("git", ["ls-tree", "-r", "-z", "hone"], { cwd: workspace.top }).toString("latin1");
  const before = listing();

  await release(repository, { "skills/extra/x.txt": "1", "run.sh": "z" });
  await release(repository, { "skills/extra/x.txt": null, "run.sh": "x" });

  assert.equal(listing(), before);
  assert.match(before, /100755 blob/);
  assert.match(before, /120000 blob/);
  assert.match(before, /caf\xe9/);
  await assert.rejects(release(repository, { link: "x" }), /is not a file/);
  await assert.rejects(release(repository, { "link/x": "x" }), /is not a folder/);
  await assert.rejects(release(repository, { skills: "x" }), /is not a file/);
  await assert.rejects(release(repository, { a: "x", "a/b": "y" }), /both a file and a folder/);
});

test("hone writes no file that is something to git or to a file system", async (t) => {
  const repository = await (await aGitWorkspace(t)).open();
  const head = await repository.head();
  const names = [
    "",
    "/",
    "/a",
    "a/",
    "a//b",
    "..",
    "a/../b",
    "./a",
    ".git/config",
    "a/.git",
    "a/.GIT/x",
    "a/.gitattributes",
    "GIT~1",
    "a\\b",
    "a\nb",
    "a:b",
    "-x",
    "a b",
    "é",
    "con.",
    "a\0",
  ];

  for (const name of names) {
    await assert.rejects(repository.prepare(head, { [name]: "x" }, "x"), { code: "git-failed" });
  }
});

test("files set by prepare read back byte for byte", async (t) => {
  const repository = await (await aGitWorkspace(t)).open();
  const segment = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,12}[A-Za-z0-9_]$/);
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const content = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc
      .array(fc.constantFrom("\r", "\n", "\r\n", "\0", "\uFEFF", "\t", " ", "é"), { maxLength: 30 })
      .map((parts) => parts.join("")),
  );
  const changes = fc
    .dictionary(path, content, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
    .filter((files) => {
      const paths = Object.keys(files);
      return !paths.some((a) => paths.some((b) => b.startsWith(`${a}/`)));
    });

  await fc.assert(
    fc.asyncProperty(changes, async (files) => {
      const head = await repository.head();
      const placed = Object.fromEntries(
        Object.entries(files).map(([name, text]) => [`data/${name}`, text]),
      );
      const { commit } = await repository.prepare(head, placed, "data: x");
      const found = await repository.files(commit, "data");
      const read = await Promise.all(
        found.map(async (file) => [file.path, await repository.text(file.blob)]),
      );
      assert.deepEqual(Object.fromEntries(read), placed);
    }),
    { numRuns: 30 },
  );
});
