import type ivm from "isolated-vm";
import type { ExecuteFrame, HostFrame } from "../protocol.ts";
import { type Channel, type FileSystem, openChannel } from "./channel.ts";
import { cross, makeRooms, type PreparedRooms, type Room, withReserve } from "./room.ts";
import { keepVariants, type KeptRoom, runSift } from "./run-sift.ts";
import { endAs, endedText, type Ended, type Meter, meterOf, runCall } from "./run-call.ts";

/** What the host puts into the guest's text. */
export type GuestSettings = {
  /** Where isolated-vm is. */
  readonly isolatedVm: string;
  readonly prelude: string;
  readonly descriptor: number;
  readonly programName: string;
  readonly strictPrefix: string;
};

/** A program in its room, or how its load ended. */
type Loaded = { readonly room: Room; readonly ended: Ended | null };

/**
 * The guest process: executes what the host sends, one execution at a time, until the host is gone.
 * It never exits by itself, since that waits for running isolates: it is killed, or kills itself.
 */
function guest(load: NodeJS.Require, settings: GuestSettings): void {
  const vm = load(settings.isolatedVm) as typeof ivm;
  const channel = openChannel(load("node:fs") as FileSystem, settings.descriptor);
  const rooms = withReserve(makeRooms(vm, settings.prelude));
  const surfaces = new Map<number, string>();
  const kept: KeptRoom = { number: -1, text: "", room: null, made: "" };
  const serve = (): void => {
    const text = channel.read();
    if (text === null) process.kill(process.pid, "SIGKILL");
    const frame = JSON.parse(text as string) as HostFrame;
    if (frame.kind === "surface") surfaces.set(frame.number, frame.text);
    if (frame.kind === "variants") keepVariants({ channel, rooms, settings, kept }, frame);
    if (frame.kind === "execute") {
      const surface = frame.surface === null ? null : (surfaces.get(frame.surface) ?? null);
      const sound = runExecution({ channel, rooms, settings }, frame, surface);
      if (sound && frame.fresh) rooms.prepare();
    }
    if (frame.kind === "sift") {
      const surface = frame.surface === null ? null : (surfaces.get(frame.surface) ?? null);
      runSift({ channel, rooms, settings, kept }, frame, surface);
    }
    // A turn of the event loop lets the engine finish off what has been released.
    setImmediate(serve);
  };
  rooms.close(rooms.open(64, true, null), true);
  channel.write('{"kind":"ready"}');
  serve();
}

/** What every execution in this process uses. */
type Parts = {
  readonly channel: Channel;
  readonly rooms: PreparedRooms;
  readonly settings: GuestSettings;
};

/** Runs the calls in order, each told as it ends; false where the last left an isolate broken. */
function runExecution(parts: Parts, frame: ExecuteFrame, surface: string | null): boolean {
  const { channel, rooms } = parts;
  let loaded: Loaded | null = null;
  let sound = true;
  for (const call of frame.calls) {
    if (frame.fresh && loaded !== null) {
      rooms.close(loaded.room, false);
      loaded = null;
    }
    if (loaded === null) {
      const room = rooms.open(frame.memoryMb, frame.reuse, surface);
      loaded = loadProgram(parts, room, frame, call);
      if (loaded.ended === null) channel.write('{"kind":"began"}');
    }
    const ended = loaded.ended ?? runCall(channel, loaded.room, frame, call);
    sound = ended.sound;
    const stops = !sound || (frame.stopAtFirstThrow && !ended.returned);
    const isLast = stops || call === frame.calls.at(-1);
    // The host does not wait for what is left to clean up.
    channel.write(ended.text, ...(isLast ? ['{"kind":"done"}'] : []));
    if (isLast) break;
  }
  // A room that is not sound is left alone: the host ends this process.
  if (loaded !== null && sound) rooms.close(loaded.room, frame.reuse);
  return sound;
}

function loadProgram(
  { settings }: Parts,
  room: Room,
  { program, timeoutMs, outputBytes, witness }: ExecuteFrame,
  { now, seed }: { readonly now: number; readonly seed: number },
): Loaded {
  const meter = meterOf(room);
  const text =
    `${program.strict ? settings.strictPrefix : ""}${program.text}\n` +
    `;typeof ${program.entry} === "function" ? ${program.entry} : undefined\n` +
    `//# sourceURL=${settings.programName}`;
  const options = JSON.stringify({ longest: outputBytes, witness });
  const crossing = cross(room, timeoutMs, ["load", text, options, now, seed]);
  switch (crossing.status) {
    case "answered":
      return { room, ended: crossing.text === "" ? null : notLoaded(room, crossing.text, meter) };
    case "unhandled":
      return { room, ended: notLoaded(room, JSON.stringify(crossing.error), meter) };
    case "timed-out":
    case "out-of-memory":
      return { room, ended: endAs(room, { status: crossing.status }, meter, true) };
  }
}

function notLoaded(room: Room, error: string, meter: Meter): Ended {
  const members = `"outcome":{"status":"not-loaded","error":${error}},"logs":[],"hits":[]`;
  return { text: endedText(room, members, meter, true), returned: false, sound: true };
}

/** The functions of this file, which become the text of the guest. */
export const GUEST_PARTS = [guest, runExecution, loadProgram, notLoaded];
