import assert from "node:assert/strict";
import { test } from "node:test";
import { follow } from "../../src/daemon/follow.ts";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { HoneError } from "../../src/domain/errors.ts";
import { aWorkspace, skillFiles } from "../support/workspace.ts";

const DOUBLE = skillFiles("double", {
  source: "export function double(n: number): number {\n  return n * 2;\n}\n",
  cases: [{ name: "two", input: { n: 1 }, expect: 2 }],
});

test("what keeps hone from looking at people's commits is told once and stands until it is over", async (t) => {
  const files = await aWorkspace(t, DOUBLE);
  await using workspace = await files.open();
  const broken = withoutAnEditor(workspace);
  files.commit({ "skills/double/cases.jsonl": "" });

  await follow(broken);
  await follow(broken);
  const during = await problems(workspace);
  await follow(workspace);
  const after = await problems(workspace);

  const told = workspace.house.store.events(0, 100).filter(({ kind }) => kind === "follow.failed");
  assert.equal(told.length, 1);
  assert.deepEqual(during, ["people's commits could not be looked at: the editor is out of reach"]);
  assert.deepEqual(after, []);
});

async function problems({ operations }: OpenWorkspace): Promise<unknown> {
  return (await operations.status())["problems"];
}

function withoutAnEditor(workspace: OpenWorkspace): OpenWorkspace {
  const loadAll = async (): Promise<never> => {
    throw new HoneError("editor-failed", "the editor is out of reach");
  };
  const library = { ...workspace.house.library, loadAll };
  return { ...workspace, house: { ...workspace.house, library } };
}
