import assert from "node:assert/strict";
import { test } from "node:test";
import { readState } from "../../../src/adapters/docker/container.ts";

test("a container has ended only where it is not running and has a number as its exit code", () => {
  const exited = { Running: false, Status: "exited", OOMKilled: false };

  assert.deepEqual(readState({ ...exited, ExitCode: 0 }), { code: 0, isOutOfMemory: false });
  assert.deepEqual(readState({ ...exited, ExitCode: 137, OOMKilled: true }), {
    code: 137,
    isOutOfMemory: true,
  });
  assert.equal(readState({ Running: true, Status: "running", ExitCode: 0 }), "running");
});

test("no exit code is never success, nor is a container that was only created (B53, B55)", () => {
  const strange = [
    { Running: false, Status: "exited", ExitCode: null },
    { Running: false, Status: "exited", ExitCode: "0" },
    { Running: false, Status: "exited" },
    { Running: false, Status: "created", ExitCode: 0 },
    { Status: "exited", ExitCode: 0 },
    {},
  ];

  for (const state of strange) {
    assert.throws(() => readState(state), { code: "sandbox-unavailable" });
  }
});
