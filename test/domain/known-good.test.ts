import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { lastKnownGood } from "../../src/domain/known-good.ts";
import type { ReleaseState } from "../../src/domain/release.ts";

function release(commit: string, previous: string, state: ReleaseState) {
  return { commit, previous, state };
}

suite("the version that is known to be good", () => {
  test("is the active one where that is a person's commit, or was kept", () => {
    assert.equal(lastKnownGood("p", []), "p");
    assert.equal(lastKnownGood("r", [release("r", "p", "kept")]), "r");
  });

  test("is the one before all releases that are under watch", () => {
    const releases = [release("c", "b", "watching"), release("b", "a", "pending")];

    assert.equal(lastKnownGood("c", releases), "a");
  });

  test("is a kept one below a release under watch", () => {
    const releases = [release("c", "b", "watching"), release("b", "a", "kept")];

    assert.equal(lastKnownGood("c", releases), "b");
  });

  test("is found where the records lead in a circle", () => {
    const releases = [release("a", "b", "watching"), release("b", "a", "watching")];

    assert.equal(lastKnownGood("a", releases), "a");
  });
});
