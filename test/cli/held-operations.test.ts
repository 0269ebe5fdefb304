import assert from "node:assert/strict";
import { test } from "node:test";
import { waitForLock } from "../../src/adapters/sqlite/lock.ts";
import { heldOperations } from "../../src/cli/held-operations.ts";
import { terminalOn } from "../../src/cli/terminal.ts";
import { daySkill } from "../support/day/day-skills.ts";
import { aWorkspace } from "../support/workspace.ts";

/** As long as a daemon waits for the workspace when it starts. */
const PATIENCE_MS = 3_000;

test("whoever asks without end leaves the workspace to a daemon that is started (T15)", async (t) => {
  const skill = daySkill("page-count");
  const files = { "hone.yaml": "docker: off\n", ...skill.files("http://127.0.0.1:1") };
  const { dir } = await aWorkspace(t, files);
  const terminal = terminalOn({
    ...{ isJson: true, isQuiet: true, hasColour: false },
    ...{ out: process.stdout, err: process.stderr },
  });
  const common = { cwd: dir, env: {}, workspace: dir, isQuiet: true };
  await using held = heldOperations({
    ...{ ...common, terminal },
    signal: new AbortController().signal,
  });
  let answered = 0;
  let isEnding = false;
  const asking = (async () => {
    while (!isEnding) {
      await held.call({ skill: skill.name, input: skill.input(answered) });
      answered += 1;
    }
  })();
  while (answered < 3) await new Promise((resolve) => setTimeout(resolve, 20));

  const lock = await waitForLock(dir, PATIENCE_MS);
  const then = answered;
  lock[Symbol.dispose]();
  while (answered < then + 3) await new Promise((resolve) => setTimeout(resolve, 20));
  isEnding = true;
  await asking;

  assert.ok(answered > then, "afterwards it is answered as before");
});
