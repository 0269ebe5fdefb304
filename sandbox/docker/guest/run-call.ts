import type { Channel } from "../../isolate/guest/channel.ts";
import type { Door } from "../../isolate/prelude/realm.ts";
import type { ExecuteFrame, GuestCall, HostFrame } from "../../isolate/protocol.ts";

/** How a call ended. */
export type VmEnded = {
  /** The frame that says so. */
  readonly text: string;
  readonly returned: boolean;
};

/** Readings at the start of what is measured. */
type VmMeter = { readonly startMs: number; readonly cpu: NodeJS.CpuUsage };

/** Runs one call: goes on whenever the host delivers, until it ends. */
export async function runVmCall(
  { channel, turn }: { readonly channel: Channel; readonly turn: () => Promise<void> },
  door: Door,
  { program }: ExecuteFrame,
  call: GuestCall,
): Promise<VmEnded> {
  const meter = meterOf();
  const neverSettled = (): VmEnded => {
    const report = door("report", '{"status":"never-settled"}');
    return { text: endedText(report, meter, false), returned: false };
  };
  door("begin", call.question, program.takesCtx ? "ctx" : "", call.now, call.seed);
  for (;;) {
    await turn();
    const state = door("state");
    if (state.startsWith("E")) {
      const returned = state.startsWith('E"outcome":{"status":"returned"');
      return { text: endedText(state.slice(1), meter, false), returned };
    }
    if (state.startsWith("A0:")) return neverSettled();
    const answer = askDaemon(channel, state);
    if (state.startsWith("S")) continue;
    if (answer.kind !== "deliver") return neverSettled();
    door("resume", answer.answers, "", answer.now);
  }
}

/** Hands the requests of a state to the host and waits. Without a host there is no more to do. */
function askDaemon(channel: Channel, state: string): HostFrame {
  const settled = state.startsWith("S");
  const requests = settled ? state.slice(1) : state.slice(state.indexOf(":") + 1);
  channel.write(`{"kind":"asks","settled":${settled},"requests":${requests}}`);
  const text = channel.read();
  if (text === null) process.exit(0);
  return JSON.parse(text) as HostFrame;
}

export function endedText(members: string, { startMs, cpu }: VmMeter, atLoad: boolean): string {
  const { user, system } = process.cpuUsage(cpu);
  const usage = JSON.stringify({
    wallMs: performance.now() - startMs,
    cpuMs: (user + system) / 1_000,
    heapBytes: process.memoryUsage().heapUsed,
  });
  return `{"kind":"ended",${members},"usage":${usage},"atLoad":${atLoad}}`;
}

export function meterOf(): VmMeter {
  return { startMs: performance.now(), cpu: process.cpuUsage() };
}

/** The functions of this file, which become the text of the guest. */
export const VM_CALL_PARTS = [runVmCall, askDaemon, endedText, meterOf];
