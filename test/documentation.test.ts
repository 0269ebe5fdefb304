import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { VERB_NAMES } from "../src/serve/http/verbs.ts";
import { hone } from "./support/hone.ts";
import { ROOT } from "./support/imports.ts";

const pages = globSync(["README.md", "ARCHITECTURE.md", "docs/**/*.md"], { cwd: ROOT });

function textOf(page: string): string {
  return readFileSync(path.join(ROOT, page), "utf8");
}

test("every link of a page leads somewhere", () => {
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target = ""]) => path.join(path.dirname(page), target))
      .filter((target) => !existsSync(path.join(ROOT, target)))
      .map((target) => `${page} -> ${target}`),
  );

  assert.ok(pages.length > 5, "the pages were found");
  assert.deepEqual(broken, []);
});

test("every test that the threat model names is there", () => {
  const page = textOf("sandbox/README.md");
  const named = [...page.matchAll(/`(test\/[\w/.-]+)`/g)].map(([, file = ""]) => file);

  assert.ok(named.length > 20, "the table was read");
  assert.deepEqual(
    named.filter((file) => !existsSync(path.join(ROOT, file))),
    [],
  );
});

test("every command of the command line is in docs/commands.md, and no other", async () => {
  const { stdout } = await hone(["--help"], { cwd: ROOT });
  const [, listed = ""] = stdout.split("Commands:");
  const commands = [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => name);

  const rows = textOf("docs/commands.md")
    .split("\n")
    .filter((line) => line.startsWith("| `hone "));
  const described = rows.flatMap((row) => {
    const [, first = ""] = row.split(" | ")[0]?.split("| ") ?? [];
    return [...first.matchAll(/`hone ([a-z]+)/g)].map(([, name = ""]) => name);
  });

  assert.ok(commands.length > 10, "the commands were listed");
  assert.deepEqual([...new Set(described)].toSorted(), commands.toSorted());
});

test("every verb of the API is in docs/api.md, and no other", () => {
  const [, section = ""] = textOf("docs/api.md").split("## Verbs");
  const table = section.split("\n").filter((line) => /^\| (?!to |---)/.test(line));
  const named = table.flatMap((line) =>
    [...line.matchAll(/`(\w+)`/g)].map(([, verb = ""]) => verb),
  );

  assert.deepEqual(named.toSorted(), [...VERB_NAMES].toSorted());
});
