import type { SiftFrame } from "../protocol.ts";
import type { Channel } from "./channel.ts";
import { type Crossing, cross, type Room, type Rooms } from "./room.ts";
import { makeSiftAnswers, type SiftAnswers } from "./sift-answers.ts";

type SiftParts = {
  readonly channel: Channel;
  readonly rooms: Rooms;
  readonly settings: { readonly programName: string };
  readonly kept: KeptRoom;
};

/**
 * The variants that the host told last, and a room with them which sifts have left as they found it:
 * the next sift of theirs goes on in it.
 */
export type KeptRoom = {
  number: number;
  text: string;
  room: Room | null;
  /** What the room was made for. */
  made: string;
};

/** What became of a few units: told, to be run again in smaller portions, or not to be known here. */
type Sifting = "told" | "again" | "starved" | "broke";

/**
 * Runs the units of a sift, a portion at a time in one context for as long as that stays as it was.
 * A portion that leaves something behind, or rejections that belong to nobody, is not believed: it is
 * run again in smaller ones, in a new context each, down to a single unit, which is.
 */
export function runSift(parts: SiftParts, frame: SiftFrame, surface: string | null): void {
  const { channel, rooms, kept } = parts;
  const total = frame.seats.length * frame.calls.length;
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  const careful = frame.from + frame.careful;
  const answers = makeSiftAnswers(channel);
  let room = openKept(parts, frame, surface);
  let most = 512;
  let next = frame.from;
  let patience = 5;
  while (next < total && performance.now() - startMs < frame.budgetMs) {
    room ??= openPlanned(parts, frame, surface);
    if (room === null) break;
    const portion = next < careful ? 1 : most;
    const asked = { from: next, most: portion, patience, answers };
    const done = siftPortion(channel, room, frame, asked);
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
  kept.room = room;
  kept.made = madeFor(frame, surface);
}

/** Takes note of the variants that the sifts to come are of. */
export function keepVariants(
  { rooms, kept }: SiftParts,
  { number, text }: { readonly number: number; readonly text: string },
): void {
  if (kept.room !== null) rooms.close(kept.room, true);
  kept.room = null;
  kept.number = number;
  kept.text = text;
}

/** The kept room with the plan laid in it, if it is one for this; else null. */
function openKept(
  { rooms, kept }: SiftParts,
  frame: SiftFrame,
  surface: string | null,
): Room | null {
  const { room } = kept;
  kept.room = null;
  if (room === null) return null;
  const isMeant = kept.number === frame.program.number && kept.made === madeFor(frame, surface);
  const plan = isMeant ? cross(room, frame.timeoutMs + 1_000, ["plan", "", planOf(frame)]) : null;
  if (plan?.status === "answered" && plan.text === "") return room;
  rooms.close(room, plan === null);
  return null;
}

function madeFor({ memoryMb }: SiftFrame, surface: string | null): string {
  return `${memoryMb} ${surface ?? ""}`;
}

function planOf(frame: SiftFrame): string {
  const { program, seats, calls, fuel, outputBytes, isAnswered, tellsAsked } = frame;
  const { takesCtx, strict } = program;
  const options = { takesCtx, strict, longest: outputBytes, isAnswered, tellsAsked };
  return JSON.stringify({ seats, calls, fuel, ...options });
}

/** A room in which the plan is laid; null where it cannot be: no unit of it can run. */
function openPlanned(
  { rooms, settings, kept }: SiftParts,
  frame: SiftFrame,
  surface: string | null,
): Room | null {
  const room = rooms.open(frame.memoryMb, true, surface);
  const text = `${kept.text}\n//# sourceURL=${settings.programName}`;
  const crossing = cross(room, frame.timeoutMs + 1_000, ["plan", text, planOf(frame)]);
  return crossing.status === "answered" && crossing.text === "" ? room : null;
}

type Portion = {
  readonly state: Sifting;
  readonly next: number;
  /** The room can go on; else whether its isolate can, with a new context. */
  readonly sound: boolean;
  readonly reuse: boolean;
};

type Asked = {
  readonly from: number;
  readonly most: number;
  readonly patience: number;
  readonly answers: SiftAnswers;
};

function siftPortion(
  channel: Channel,
  room: Room,
  frame: SiftFrame,
  { from, most, patience, answers }: Asked,
): Portion {
  const limitMs = frame.timeoutMs + 25;
  const cpuNs = room.isolate.cpuTime;
  const crossing = runUnits(room, frame, { from, most, patience, answers }, limitMs);
  // On a busy machine the clock goes on while nothing runs: that says nothing of a unit.
  const isStarved =
    crossing.status === "timed-out" && Number(room.isolate.cpuTime - cpuNs) / 1e6 < limitMs / 2;
  if (isStarved && patience > 0)
    return { state: "starved", next: from, sound: false, reuse: false };
  const forced = forcedBy(crossing);
  const isOne = most === 1;
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

/** Runs units until the portion or its slice of time is over; what they ask for is answered. */
function runUnits(
  room: Room,
  { seats, fuel }: SiftFrame,
  { from, most, answers }: Asked,
  limitMs: number,
): Crossing {
  const startMs = performance.now();
  // Each answer costs as much as a hundred turns of a loop, and has a loop or a call behind it.
  const mostSteps = Math.trunc(fuel / 100) + 20;
  let unit = -1;
  let steps = 0;
  let course = answers.start(0);
  let crossing = cross(room, limitMs, ["sift", "", "", from, most]);
  while (crossing.status === "answered" && crossing.text !== "") {
    const how = performance.now() - startMs < 25 ? "on" : "last";
    const colon = crossing.text.indexOf(":");
    let forced = "";
    if (colon > 0) {
      const asking = Number(crossing.text.slice(0, colon));
      const call = Math.trunc(asking / seats.length);
      if (asking !== unit) course = answers.start(call);
      steps = asking === unit ? steps + 1 : 1;
      unit = asking;
      if (steps > mostSteps) forced = '{"status":"spent"}';
      else {
        course = answers.after(course, call, crossing.text.slice(colon + 1));
        if (course.answers === null) forced = '{"status":"never-settled"}';
        else crossing = cross(room, limitMs, ["resume", course.answers, "", course.now]);
      }
    }
    if (crossing.status === "answered")
      crossing = cross(room, limitMs, ["sift", how, forced, from, most]);
  }
  return crossing;
}

/** How the unit that ran has ended, where the crossing did not end by itself. */
function forcedBy(crossing: Crossing): string {
  if (crossing.status === "timed-out") return '{"status":"timed-out"}';
  if (crossing.status !== "unhandled") return "";
  return `{"status":"unhandled-rejection","error":${JSON.stringify(crossing.error)}}`;
}

/** The functions of this file, which become the text of the guest. */
export const RUN_SIFT_PARTS = [
  runSift,
  keepVariants,
  openKept,
  madeFor,
  planOf,
  openPlanned,
  siftPortion,
  runUnits,
  forcedBy,
];
