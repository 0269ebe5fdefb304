import { CHANNEL_PARTS } from "../isolate/guest/channel.ts";
import { preludeText } from "../isolate/prelude/prelude-text.ts";
import {
  GUEST_DESCRIPTOR,
  LONGEST_FRAME_BYTES,
  PROGRAM_NAME,
  STRICT_PREFIX,
} from "../isolate/protocol.ts";
import { VM_CALL_PARTS } from "./guest/run-call.ts";
import { VM_GUEST_PARTS, type VmGuestSettings } from "./guest/guest.ts";
import { OPENING } from "./protocol.ts";
import { RUNNER_PARTS, type RunnerSettings } from "./runner.ts";

/**
 * What a child is started with. Its own realm makes no code of texts, so that what leaks into a
 * context (the promise of an `import()`) is no way out; and Node lets it reach no file and no process.
 */
const CHILD_FLAGS = [
  "--disallow-code-generation-from-strings",
  "--permission",
  "--v8-pool-size=0",
  "--no-warnings",
  "--input-type=commonjs",
];

/** The command of a container: the runner's program is an argument, since its input are frames. */
export function runnerCommand(): readonly string[] {
  const settings: RunnerSettings = {
    flags: CHILD_FLAGS,
    opening: OPENING,
    longestFrame: LONGEST_FRAME_BYTES,
    descriptor: GUEST_DESCRIPTOR,
  };
  const text = `"use strict";\n${RUNNER_PARTS.map(String).join("\n")}\nrunner(require, ${JSON.stringify(settings)});`;
  return [
    "node",
    "--max-old-space-size=64",
    "--v8-pool-size=0",
    "--input-type=commonjs",
    "-e",
    text,
  ];
}

/** The program of a child, to be read from its standard input. */
export function vmGuestText(): string {
  const settings: VmGuestSettings = {
    prelude: preludeText(),
    descriptor: GUEST_DESCRIPTOR,
    programName: PROGRAM_NAME,
    strictPrefix: STRICT_PREFIX,
  };
  const parts = [CHANNEL_PARTS, VM_CALL_PARTS, VM_GUEST_PARTS].flat();
  return `"use strict";\n${parts.map(String).join("\n")}\nvmGuest(require, ${JSON.stringify(settings)});`;
}
