import type { ExecuteFrame, GuestCall, HostFrame, TellingOutcome } from "../protocol.ts";
import type { Channel } from "./channel.ts";
import { type Crossing, cross, type Room } from "./room.ts";

/** How a call ended. */
export type Ended = {
  /** The frame that says so. */
  readonly text: string;
  readonly returned: boolean;
  /** The isolate can go on. */
  readonly sound: boolean;
};

/** Readings at the start of what is measured. */
export type Meter = { readonly startMs: number; readonly cpuNs: bigint };

/** Runs one call: goes on whenever the host delivers, until it ends or its time is over. */
export function runCall(
  channel: Channel,
  room: Room,
  { program, timeoutMs }: ExecuteFrame,
  call: GuestCall,
): Ended {
  const meter = meterOf(room);
  const leftMs = (): number => timeoutMs - (performance.now() - meter.startMs);
  const ctx = program.takesCtx ? "ctx" : "";
  let crossing = cross(room, leftMs(), ["begin", call.question, ctx, call.now, call.seed]);
  for (;;) {
    const state = crossing.status === "answered" ? cross(room, 1_000, ["state"]) : crossing;
    if (state.status !== "answered") return endBadly(room, state, meter);
    if (state.text.startsWith("E")) return endWell(room, state.text.slice(1), meter);
    if (state.text.startsWith("A0:")) return endAs(room, { status: "never-settled" }, meter);
    const answer = askHost(channel, state.text);
    if (state.text.startsWith("S")) continue;
    if (answer.kind !== "deliver") return endAs(room, { status: "never-settled" }, meter);
    crossing = cross(room, leftMs(), ["resume", answer.answers, "", answer.now]);
  }
}

/** Hands the requests of a state to the host and waits. Without a host there is no more to do. */
function askHost(channel: Channel, state: string): HostFrame {
  const settled = state.startsWith("S");
  const requests = settled ? state.slice(1) : state.slice(state.indexOf(":") + 1);
  channel.write(`{"kind":"asks","settled":${settled},"requests":${requests}}`);
  const text = channel.read();
  if (text === null) process.kill(process.pid, "SIGKILL");
  return JSON.parse(text as string) as HostFrame;
}

function endWell(room: Room, report: string, meter: Meter): Ended {
  const returned = report.startsWith('"outcome":{"status":"returned"');
  return { text: endedText(room, report, meter, false), returned, sound: true };
}

/** Ends a call that did not settle; its logs and hits are told all the same. */
export function endAs(room: Room, outcome: TellingOutcome, meter: Meter, atLoad = false): Ended {
  const text = JSON.stringify(outcome);
  const report = cross(room, 100, ["report", text]);
  const members =
    report.status === "answered" ? report.text : `"outcome":${text},"logs":[],"hits":[]`;
  const sound = outcome.status !== "timed-out" && outcome.status !== "out-of-memory";
  return { text: endedText(room, members, meter, atLoad), returned: false, sound };
}

function endBadly(
  room: Room,
  crossing: Exclude<Crossing, { status: "answered" }>,
  meter: Meter,
): Ended {
  if (crossing.status !== "unhandled") return endAs(room, { status: crossing.status }, meter);
  return endAs(room, { status: "unhandled-rejection", error: crossing.error }, meter);
}

export function endedText(room: Room, members: string, meter: Meter, atLoad: boolean): string {
  const usage = JSON.stringify(usageOf(room, meter));
  return `{"kind":"ended",${members},"usage":${usage},"atLoad":${atLoad}}`;
}

export function meterOf({ isolate }: Room): Meter {
  return { startMs: performance.now(), cpuNs: isolate.isDisposed ? 0n : isolate.cpuTime };
}

/** An isolate that is gone tells neither time nor memory. */
function usageOf(
  { isolate }: Room,
  { startMs, cpuNs }: Meter,
): { readonly wallMs: number; readonly cpuMs: number; readonly heapBytes: number } {
  const wallMs = performance.now() - startMs;
  if (isolate.isDisposed) return { wallMs, cpuMs: wallMs, heapBytes: 0 };
  const heap = isolate.getHeapStatisticsSync();
  return {
    wallMs,
    cpuMs: Number(isolate.cpuTime - cpuNs) / 1e6,
    heapBytes: heap.used_heap_size + heap.externally_allocated_size,
  };
}

/** The functions of this file, which become the text of the guest. */
export const RUN_CALL_PARTS = [
  runCall,
  askHost,
  endWell,
  endAs,
  endBadly,
  endedText,
  meterOf,
  usageOf,
];
