import type { SiftFrame } from "../protocol.ts";
import type { Channel } from "./channel.ts";
import { type Crossing, cross, type Room, type Rooms } from "./room.ts";

type SiftParts = {
  readonly channel: Channel;
  readonly rooms: Rooms;
  readonly settings: { readonly programName: string };
};

/** What became of a few units: told, to be run again in smaller portions, or not to be known here. */
type Sifting = "told" | "again" | "starved" | "broke";

/**
 * Runs the units of a sift, a portion at a time in one context for as long as that stays as it was.
 * A portion that leaves something behind, or rejections that belong to nobody, is not believed: it is
 * run again in smaller ones, in a new context each, down to a single unit, which is.
 */
export function runSift(parts: SiftParts, frame: SiftFrame, surface: string | null): void {
  const { channel, rooms } = parts;
  const total = frame.seats.length * frame.calls.length;
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  const careful = frame.from + frame.careful;
  let room: Room | null = null;
  let most = 512;
  let next = frame.from;
  let patience = 5;
  while (next < total && performance.now() - startMs < frame.budgetMs) {
    room ??= openPlanned(parts, frame, surface);
    if (room === null) break;
    const portion = next < careful ? 1 : most;
    const done = siftPortion(channel, room, frame, { from: next, most: portion, patience });
    patience = done.state === "starved" ? patience - 1 : 5;
    if (done.state === "broke") {
      channel.write('{"kind":"broke"}');
      return;
    }
    most = done.state !== "told" ? Math.max(1, portion >> 3) : Math.min(512, most * 2);
    next = done.next;
    if (!done.sound) {
      rooms.close(room, done.reuse);
      room = null;
    }
  }
  const cpu = process.cpuUsage(startCpu);
  channel.write(`{"kind":"done","cpuMs":${(cpu.user + cpu.system) / 1_000}}`);
  if (room !== null) rooms.close(room, true);
}

/** A room in which the plan is laid; null where it cannot be: no unit of it can run. */
function openPlanned(
  { rooms, settings }: SiftParts,
  { program, seats, calls, fuel, outputBytes, memoryMb, timeoutMs }: SiftFrame,
  surface: string | null,
): Room | null {
  const room = rooms.open(memoryMb, true, surface);
  const text = `${program.text}\n//# sourceURL=${settings.programName}`;
  const { takesCtx, strict } = program;
  const plan = { seats, calls, fuel, takesCtx, strict, longest: outputBytes };
  const crossing = cross(room, timeoutMs + 1_000, ["plan", text, JSON.stringify(plan)]);
  return crossing.status === "answered" && crossing.text === "" ? room : null;
}

type Portion = {
  readonly state: Sifting;
  readonly next: number;
  /** The room can go on; else whether its isolate can, with a new context. */
  readonly sound: boolean;
  readonly reuse: boolean;
};

function siftPortion(
  channel: Channel,
  room: Room,
  { timeoutMs }: SiftFrame,
  {
    from,
    most,
    patience,
  }: { readonly from: number; readonly most: number; readonly patience: number },
): Portion {
  const limitMs = timeoutMs + 25;
  const cpuNs = room.isolate.cpuTime;
  const startMs = performance.now();
  let crossing = cross(room, limitMs, ["sift", "", "", from, most]);
  while (isPending(crossing) && performance.now() - startMs < 25)
    crossing = cross(room, limitMs, ["sift", "on", "", from, most]);
  // On a busy machine the clock goes on while nothing runs: that says nothing of a unit.
  const isStarved =
    crossing.status === "timed-out" && Number(room.isolate.cpuTime - cpuNs) / 1e6 < limitMs / 2;
  if (isStarved && patience > 0)
    return { state: "starved", next: from, sound: false, reuse: false };
  const forced = forcedBy(crossing);
  const isOne = most === 1;
  if (crossing.status === "unhandled" && !isOne)
    return { state: "again", next: from, sound: false, reuse: true };
  const report: Crossing =
    crossing.status === "out-of-memory" ? crossing : cross(room, 1_000, ["sifted", forced]);
  if (report.status !== "answered") {
    if (!isOne) return { state: "broke", next: from, sound: false, reuse: false };
    const members = `"from":${from},"to":${from + 1},"outcomes":[{"status":"out-of-memory"}],"of":[0],"used":[0]`;
    channel.write(`{"kind":"sifted",${members}}`);
    return { state: "broke", next: from + 1, sound: false, reuse: false };
  }
  const isClean = report.text.startsWith("C");
  const [, to] = /"to":(\d+)/.exec(report.text) as RegExpExecArray;
  const isSingle = Number(to) - from <= 1;
  if (!isClean && !isSingle) return { state: "again", next: from, sound: false, reuse: true };
  channel.write(`{"kind":"sifted",${report.text.slice(1)}}`);
  const interrupted = crossing.status === "timed-out";
  const sound = isClean && crossing.status === "answered";
  return { state: "told", next: Number(to), sound, reuse: !interrupted };
}

/** The unit that ran has had its turn; the next may begin. */
function isPending(crossing: Crossing): boolean {
  return crossing.status === "answered" && crossing.text === "pending";
}

/** How the unit that ran has ended, where the crossing did not end by itself. */
function forcedBy(crossing: Crossing): string {
  if (crossing.status === "timed-out") return '{"status":"timed-out"}';
  if (crossing.status !== "unhandled") return "";
  return `{"status":"unhandled-rejection","error":${JSON.stringify(crossing.error)}}`;
}

/** The functions of this file, which become the text of the guest. */
export const RUN_SIFT_PARTS = [runSift, openPlanned, siftPortion, isPending, forcedBy];
