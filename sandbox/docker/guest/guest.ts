import type nodeVm from "node:vm";
import { type Channel, type FileSystem, openChannel } from "../../isolate/guest/channel.ts";
import type { Door } from "../../isolate/prelude/realm.ts";
import type { ExecuteFrame, HostFrame } from "../../isolate/protocol.ts";
import { endedText, meterOf, runVmCall, type VmEnded } from "./run-call.ts";

/** What the daemon puts into the guest's text. */
export type VmGuestSettings = {
  readonly prelude: string;
  readonly descriptor: number;
  readonly programName: string;
  readonly strictPrefix: string;
};

/** What every execution in this process uses. */
type Parts = {
  readonly channel: Channel;
  readonly settings: VmGuestSettings;
  /** A new context, prepared by the prelude. */
  readonly open: (surface: string | null) => Door;
  /** Resolves when everything that was due has run. */
  readonly turn: () => Promise<void>;
};

/**
 * A process that runs programs in contexts of plain Node, and does what the guest of the isolate
 * tier does. A context is no wall, and nothing relies on it: the wall is the container. Time is not
 * kept here; a call that takes too long is ended from outside, with this process.
 */
function vmGuest(load: NodeJS.Require, settings: VmGuestSettings): void {
  const vm = load("node:vm") as typeof nodeVm;
  const prelude = new vm.Script(settings.prelude, { filename: "hone:prelude" });
  const channel = openChannel(load("node:fs") as FileSystem, settings.descriptor);
  const surfaces = new Map<number, string>();
  let door: Door | null = null;
  const open = (surface: string | null): Door => {
    const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
      codeGeneration: { strings: true, wasm: false },
    });
    door = prelude.runInContext(context) as Door;
    if (surface !== null)
      new vm.Script(surface, { filename: "hone:surface" }).runInContext(context);
    return door;
  };
  const later = setImmediate;
  const turn = (): Promise<void> => new Promise((resolve) => void later(resolve));
  // The door reads the reason without running any of its code.
  process.on("unhandledRejection", (reason) => door?.("left", reason as string));
  const serve = async (): Promise<void> => {
    for (;;) {
      const text = channel.read();
      if (text === null) process.exit(0);
      const frame = JSON.parse(text) as HostFrame;
      if (frame.kind === "surface") surfaces.set(frame.number, frame.text);
      if (frame.kind === "execute") {
        const surface = frame.surface === null ? null : (surfaces.get(frame.surface) ?? null);
        await runVmExecution({ channel, settings, open, turn }, frame, surface);
      }
    }
  };
  channel.write('{"kind":"ready"}');
  void serve();
}

/** Runs the calls in order, each told as it ends. */
async function runVmExecution(
  parts: Parts,
  frame: ExecuteFrame,
  surface: string | null,
): Promise<void> {
  const { channel } = parts;
  let loaded: { readonly door: Door; readonly ended: VmEnded | null } | null = null;
  for (const call of frame.calls) {
    if (loaded === null || frame.fresh) {
      const door = parts.open(surface);
      loaded = { door, ended: await loadInto(parts, door, frame, call) };
      if (loaded.ended === null) channel.write('{"kind":"began"}');
    }
    const ended = loaded.ended ?? (await runVmCall(parts, loaded.door, frame, call));
    const stops = frame.stopAtFirstThrow && !ended.returned;
    const isLast = stops || call === frame.calls.at(-1);
    channel.write(ended.text, ...(isLast ? ['{"kind":"done"}'] : []));
    if (isLast) return;
  }
}

/** Evaluates the program; how that ended, where it did not get through. */
async function loadInto(
  { settings, turn }: Parts,
  door: Door,
  { program, outputBytes, witness }: ExecuteFrame,
  { now, seed }: { readonly now: number; readonly seed: number },
): Promise<VmEnded | null> {
  const meter = meterOf();
  const text =
    `${program.strict ? settings.strictPrefix : ""}${program.text}\n` +
    `;typeof ${program.entry} === "function" ? ${program.entry} : undefined\n` +
    `//# sourceURL=${settings.programName}`;
  const error = door("load", text, JSON.stringify({ longest: outputBytes, witness }), now, seed);
  await turn();
  const state = error === "" ? door("state") : "";
  const left = state.startsWith('E"outcome":{"status":"unhandled-rejection"');
  if (error === "" && !left) return null;
  const members = left
    ? state.slice(1).replace("unhandled-rejection", "not-loaded")
    : `"outcome":{"status":"not-loaded","error":${error}},"logs":[],"hits":[]`;
  return { text: endedText(members, meter, true), returned: false };
}

/** The functions of this file, which become the text of the guest. */
export const VM_GUEST_PARTS = [vmGuest, runVmExecution, loadInto];
