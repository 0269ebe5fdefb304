import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
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
    isJson: true,
    isQuiet: true,
    hasColour: false,
    out: process.stdout,
    err: process.stderr,
  });
  const common = { cwd: dir, env: {}, workspace: dir, isQuiet: true };
  await using held = heldOperations({
    ...common,
    terminal,
    signal: new AbortController().signal,
  });
  const asking = { answered: 0, isEnding: false };
  const more = async (than: number): Promise<void> => {
    while (asking.answered <= than) await pause(20);
  };
  const asked = (async () => {
    while (!asking.isEnding) {
      await held.call({ skill: skill.name, input: skill.input(asking.answered) });
      asking.answered += 1;
    }
  })();
  await more(3);

  const lock = await waitForLock(dir, PATIENCE_MS);
  const { answered } = asking;
  lock[Symbol.dispose]();
  await more(answered + 3);
  asking.isEnding = true;
  await asked;

  assert.ok(asking.answered > answered, "afterwards it is answered as before");
});
