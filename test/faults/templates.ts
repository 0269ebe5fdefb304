import assert from "node:assert/strict";
import { improveOne } from "../../src/daemon/repairs/improving.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { aCopyOf, aSiteFolder, atTheEnd, INPUT, RIGHT } from "./site.ts";

type Templates = {
  /** The skill area1 fell short once: there is an incident. */
  readonly fallen: TestWorkspace;
  /** The same, repaired: the release is watched, and not yet on the person's branch. */
  readonly released: TestWorkspace;
};

let made: Promise<Templates> | null = null;

/** Workspaces to be copied by faults that destroy theirs; made once for each file of tests. */
export function templates(): Promise<Templates> {
  made ??= make();
  return made;
}

async function make(): Promise<Templates> {
  const { workspace } = await aSiteFolder(atTheEnd, { skills: 1 });
  await using hone = await workspace.open();
  await hone.operations.call({ skill: "area1", input: INPUT, expect: RIGHT });
  hone.house.store.checkpoint();
  const fallen = aCopyOf(atTheEnd, workspace).workspace;
  const [incident] = hone.house.store.incidents({ limit: 1 });
  assert.ok(incident !== undefined);
  await improveOne({ incident, failing: null, isAsked: true }, hone);
  return { fallen, released: workspace };
}
