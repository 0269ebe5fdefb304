import { fileURLToPath } from "node:url";
import { CHANNEL_PARTS } from "./guest/channel.ts";
import { GUEST_PARTS, type GuestSettings } from "./guest/guest.ts";
import { ROOM_PARTS } from "./guest/room.ts";
import { RUN_CALL_PARTS } from "./guest/run-call.ts";
import { RUN_SIFT_PARTS } from "./guest/run-sift.ts";
import { SIFT_ANSWERS_PARTS } from "./guest/sift-answers.ts";
import { preludeText } from "./prelude/prelude-text.ts";
import { GUEST_DESCRIPTOR, PROGRAM_NAME, STRICT_PREFIX } from "./protocol.ts";

/**
 * The program of a guest process, to be read from its standard input. It is sent as text because
 * `--jitless` takes WebAssembly away, and with it Node's own type stripping: the text is that of the
 * functions as they are loaded here, without their types.
 */
export function guestText(): string {
  const settings: GuestSettings = {
    isolatedVm: fileURLToPath(import.meta.resolve("isolated-vm")),
    prelude: preludeText(),
    descriptor: GUEST_DESCRIPTOR,
    programName: PROGRAM_NAME,
    strictPrefix: STRICT_PREFIX,
  };
  const parts = [
    CHANNEL_PARTS,
    ROOM_PARTS,
    RUN_CALL_PARTS,
    SIFT_ANSWERS_PARTS,
    RUN_SIFT_PARTS,
    GUEST_PARTS,
  ].flat();
  return `"use strict";\n${parts.map(String).join("\n")}\nguest(require, ${JSON.stringify(settings)});`;
}
