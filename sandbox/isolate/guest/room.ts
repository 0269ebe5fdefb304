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
  /**
   * While there is nothing else to do: makes a room that no program has seen, like the last one
   * that was opened for one use. A room takes longer to make than most calls take to run.
   */
  readonly prepare: () => void;
};

/** What two rooms have in common where one can stand in for the other. */
type Kind = { readonly memoryMb: number; readonly surface: string | null };

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
  let spare: { readonly room: Room; readonly kind: Kind } | null = null;
  let wanted: Kind | null = null;

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
  const makeRoom = (from: Kept, surface: string | null): Room => {
    from.uses += 1;
    kept.set(from.isolate, from);
    const context = from.isolate.createContextSync();
    const door = from.prelude.runSync(context, { reference: true }) as ivm.Reference<Door>;
    if (surface !== null) surfaceOf(from, surface).runSync(context);
    return { isolate: from.isolate, context, door };
  };
  const takeSpare = ({ memoryMb, surface }: Kind): Room | null => {
    const found = spare;
    spare = null;
    if (found === null) return null;
    if (found.kind.memoryMb === memoryMb && found.kind.surface === surface) return found.room;
    kept.delete(found.room.isolate);
    found.room.isolate.dispose();
    return null;
  };
  return {
    open: (memoryMb, reuse, surface) => {
      if (reuse) return makeRoom(takeIsolate(memoryMb, true), surface);
      wanted = { memoryMb, surface };
      return takeSpare(wanted) ?? makeRoom(takeIsolate(memoryMb, false), surface);
    },
    prepare: () => {
      if (spare !== null || wanted === null) return;
      spare = { room: makeRoom(makeIsolate(wanted.memoryMb), wanted.surface), kind: wanted };
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
export const ROOM_PARTS = [makeRooms, cross, tellingOf];
