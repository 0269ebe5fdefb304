import type ivm from "isolated-vm";
import type { Door } from "../prelude/realm.ts";
import type { TellingError } from "../protocol.ts";

/** An isolate with one context, prepared by the prelude. */
export type Room = {
  readonly isolate: ivm.Isolate;
  readonly context: ivm.Context;
  readonly door: ivm.Reference<Door>;
};

/** Makes rooms. A kept isolate serves again with a new context, so that nothing is left in it. */
export type Rooms = {
  readonly open: (memoryMb: number, reuse: boolean, surface: string | null) => Room;
  /** Gives up a room whose last call ended by itself. */
  readonly close: (room: Room, reuse: boolean) => void;
};

/** Rooms, one of them made before it is asked for. */
export type PreparedRooms = Rooms & {
  /** To be called while nobody waits. */
  readonly prepare: () => void;
};

/** What became of one crossing into the isolate. */
export type Crossing =
  | { readonly status: "answered"; readonly text: string }
  | { readonly status: "timed-out" | "out-of-memory" }
  | { readonly status: "unhandled"; readonly error: TellingError };

type Kept = {
  readonly isolate: ivm.Isolate;
  readonly memoryMb: number;
  readonly prelude: ivm.Script;
  readonly surfaces: Map<string, ivm.Script>;
  uses: number;
};

export function makeRooms(vm: typeof ivm, prelude: string): Rooms {
  const script = { filename: "hone:prelude" };
  let cachedData: ivm.ExternalCopy<ArrayBuffer> | undefined;
  const kept = new Map<ivm.Isolate, Kept>();
  let idle: Kept | null = null;

  const makeIsolate = (memoryMb: number): Kept => {
    const isolate = new vm.Isolate({ memoryLimit: memoryMb });
    const compiled =
      cachedData === undefined
        ? isolate.compileScriptSync(prelude, { ...script, produceCachedData: true })
        : isolate.compileScriptSync(prelude, { ...script, cachedData });
    // The cache is of hone's own text, made by this process: never anything from outside.
    cachedData ??= (compiled as { cachedData?: ivm.ExternalCopy<ArrayBuffer> }).cachedData;
    return { isolate, memoryMb, prelude: compiled, surfaces: new Map(), uses: 0 };
  };
  const takeIsolate = (memoryMb: number, reuse: boolean): Kept => {
    const found = idle;
    idle = null;
    if (found !== null && reuse && found.memoryMb === memoryMb) return found;
    found?.isolate.dispose();
    return makeIsolate(memoryMb);
  };
  const surfaceOf = (from: Kept, text: string): ivm.Script => {
    const known = from.surfaces.get(text);
    if (known !== undefined) return known;
    const compiled = from.isolate.compileScriptSync(text, { filename: "hone:surface" });
    from.surfaces.set(text, compiled);
    return compiled;
  };
  return {
    open: (memoryMb, reuse, surface) => {
      const from = takeIsolate(memoryMb, reuse);
      from.uses += 1;
      kept.set(from.isolate, from);
      const context = from.isolate.createContextSync();
      const door = from.prelude.runSync(context, { reference: true }) as ivm.Reference<Door>;
      if (surface !== null) surfaceOf(from, surface).runSync(context);
      return { isolate: from.isolate, context, door };
    },
    close: ({ isolate, context, door }, reuse) => {
      const from = kept.get(isolate);
      kept.delete(isolate);
      if (from === undefined) return;
      const heap = isolate.getHeapStatisticsSync();
      const roomy = heap.used_heap_size < from.memoryMb * 2 ** 19;
      if (!reuse || idle !== null || from.uses >= 200 || !roomy) return isolate.dispose();
      door.release();
      context.release();
      idle = from;
    },
  };
}

/**
 * The same, with one room in reserve that no program has seen, like the last that was opened for one
 * use: it takes longer to make a room than most calls take to run.
 */
export function withReserve({ open, close }: Rooms): PreparedRooms {
  let reserve: Room | null = null;
  let memoryMb = 0;
  let surface: string | null = null;
  return {
    close,
    open: (wantedMb, reuse, wantedSurface) => {
      if (reuse) return open(wantedMb, true, wantedSurface);
      const found = reserve;
      reserve = null;
      if (found !== null && wantedMb === memoryMb && wantedSurface === surface) return found;
      if (found !== null) close(found, false);
      memoryMb = wantedMb;
      surface = wantedSurface;
      return open(memoryMb, false, surface);
    },
    prepare: () => {
      if (memoryMb > 0) reserve ??= open(memoryMb, false, surface);
    },
  };
}

/**
 * Crosses into the isolate with texts. What went wrong is told by the clock and by the isolate's
 * own state, never by the text of an error: the skill can forge that.
 */
export function cross(room: Room, limitMs: number, args: Parameters<Door>): Crossing {
  if (limitMs <= 0) return { status: "timed-out" };
  const timeout = Math.ceil(limitMs);
  const startMs = performance.now();
  try {
    const text = room.door.applySync(undefined, args, { timeout }) as unknown;
    return { status: "answered", text: typeof text === "string" ? text : "" };
  } catch (thrown) {
    if (room.isolate.isDisposed) return { status: "out-of-memory" };
    if (performance.now() - startMs >= timeout - 1) return { status: "timed-out" };
    return { status: "unhandled", error: tellingOf(thrown) };
  }
}

/** isolated-vm hands over a copy of the error, made of texts. */
function tellingOf(thrown: unknown): TellingError {
  if (!(thrown instanceof Error))
    return { name: typeof thrown, message: String(thrown).slice(0, 4_000), stack: "" };
  const { name, message, stack } = thrown;
  const copied = message.startsWith("An object was thrown from supplied code");
  return {
    name: copied ? "Object" : name.slice(0, 100),
    message: copied ? "a value that is not an error" : message.slice(0, 4_000),
    stack: (stack ?? "").slice(0, 8_000),
  };
}

/** The functions of this file, which become the text of the guest. */
export const ROOM_PARTS = [makeRooms, withReserve, cross, tellingOf];
