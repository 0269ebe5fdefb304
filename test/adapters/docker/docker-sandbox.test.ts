import assert from "node:assert/strict";
import { test } from "node:test";
import { sandboxContract } from "../../contracts/sandbox.contract.ts";
import { hostileContract } from "../../contracts/sandbox-hostile.contract.ts";
import { containersOf, someContainers, withEngine } from "../../support/containers.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";

const make = (): Sandbox => someContainers().sandbox;

await withEngine(() => {
  sandboxContract("docker", make);
  hostileContract("docker", make);

  test("no container is left when all is done", async () => {
    assert.deepEqual(await containersOf(`test-${process.pid}`), []);
  });
});
