import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import { type Engine, statusCodeOf } from "./engine.ts";
import { unavailable } from "./unavailable.ts";
import { type ContainerSpec, createOptions } from "./hardening.ts";
import { Demultiplexer, type Piece } from "./streams.ts";

/** How a container ended, as the engine tells it. */
export type ContainerEnd = {
  readonly code: number;
  readonly isOutOfMemory: boolean;
};

/** What a container says goes to `hear`. A container that says more than this is ended: 128 MiB. */
const MOST_OUTPUT_BYTES = 134_217_728;

/** Deadlines of calls, in milliseconds; a loaded machine takes seconds for what else takes 0.1 s. */
const CALL_MS = 20_000;
const REMOVE_MS = 8_000;
/** After one of its two signs, the end of its streams or of itself, the other has this long. */
const OTHER_SIGN_MS = 2_000;

/** A started container of one use. */
export class Container {
  readonly id: string;
  /** How it ended; rejects with `sandbox-unavailable` where the engine does not say. */
  readonly ended: Promise<ContainerEnd>;

  readonly #engine: Engine;
  readonly #stream: Duplex;
  readonly #hear: (piece: Piece) => void;
  #streamEnded: Promise<void> | null = null;
  #heardBytes = 0;
  #removal: Promise<void> | null = null;

  private constructor(
    id: string,
    {
      engine,
      stream,
      exited,
      hear,
    }: {
      readonly engine: Engine;
      readonly stream: Duplex;
      readonly exited: Promise<unknown>;
      readonly hear: (piece: Piece) => void;
    },
  ) {
    this.id = id;
    this.#engine = engine;
    this.#stream = stream;
    this.#hear = hear;
    this.ended = this.#watch(exited);
    this.ended.catch(() => undefined);
  }

  /** Starts a container. Throws `sandbox-unavailable`; there is then none. */
  static async start(
    engine: Engine,
    spec: ContainerSpec,
    hear: (piece: Piece) => void,
  ): Promise<Container> {
    const { id } = await engine.call(
      "create a container",
      CALL_MS,
      (docker, abortSignal) => docker.createContainer({ ...createOptions(spec), abortSignal }),
      (late) => void removeContainer(engine, late.id).catch(() => undefined),
    );
    try {
      const stream = await attach(engine, id);
      // Before the start, or the end of a short container is missed; by default it is told at once.
      const exited = exitOf(engine, id);
      await engine.call("start a container", CALL_MS, (docker, abortSignal) =>
        docker.getContainer(id).start({ abortSignal }),
      );
      return new Container(id, { engine, stream, exited, hear });
    } catch (error) {
      await removeContainer(engine, id).catch(() => undefined);
      throw error;
    }
  }

  write(bytes: Buffer): void {
    this.#stream.write(bytes);
  }

  endInput(): void {
    this.#stream.end();
  }

  /**
   * Ends it by force, and everything in it. Resolves when it is gone; throws `sandbox-unavailable`
   * where the engine does not answer, and then the next sweep removes it.
   */
  remove(): Promise<void> {
    this.#stream.destroy();
    this.#removal ??= removeContainer(this.#engine, this.id);
    return this.#removal;
  }

  async #watch(exited: Promise<unknown>): Promise<ContainerEnd> {
    await Promise.race([this.#streamEnd(), exited]);
    const first = await endOf(this.#engine, this.id);
    // What it has said before its end is still on its way; or its end is, where that is not near.
    const rest = first === "running" ? exited : this.#streamEnd();
    await Promise.race([rest, later(OTHER_SIGN_MS)]);
    const seen = first === "running" ? await endOf(this.#engine, this.id) : first;
    return seen === "running" ? await this.#kill(exited) : seen;
  }

  /** It has closed its streams and lives on: there is nothing more to hear of it. */
  async #kill(exited: Promise<unknown>): Promise<ContainerEnd> {
    await this.#engine.call("kill a container", CALL_MS, (docker) =>
      docker.getContainer(this.id).kill({ signal: "SIGKILL" }),
    );
    await Promise.race([exited, later(OTHER_SIGN_MS)]);
    const killed = await endOf(this.#engine, this.id);
    if (killed === "running") throw unavailable("a container could not be ended");
    return killed;
  }

  #streamEnd(): Promise<void> {
    this.#streamEnded ??= this.#listen();
    return this.#streamEnded;
  }

  #listen(): Promise<void> {
    const demultiplexer = new Demultiplexer();
    this.#stream.on("data", (chunk: Buffer) => {
      this.#heardBytes += chunk.length;
      const pieces = demultiplexer.push(chunk);
      if (pieces === null || this.#heardBytes > MOST_OUTPUT_BYTES) {
        void this.remove().catch(() => undefined);
        return;
      }
      for (const piece of pieces) this.#hear(piece);
    });
    return new Promise((resolve) => {
      const end = (): void => resolve();
      for (const sign of ["end", "close", "error"]) this.#stream.once(sign, end);
      this.#stream.on("error", end);
    });
  }
}

/** Removes a container by force; one that is not there is removed. A failure is remembered. */
export async function removeContainer(engine: Engine, id: string): Promise<void> {
  engine.leftovers.add(id);
  try {
    await engine.call("remove a container", REMOVE_MS, (docker, abortSignal) =>
      docker.getContainer(id).remove({ force: true, v: true, abortSignal }),
    );
  } catch (error) {
    const code = statusCodeOf(error);
    // Not there, or somebody else is removing it.
    if (code !== 404 && code !== 409) throw error;
  }
  engine.leftovers.delete(id);
}

async function attach(engine: Engine, id: string): Promise<Duplex> {
  const wanted = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true };
  const stream = await engine.call(
    "attach to a container",
    CALL_MS,
    (docker) => docker.getContainer(id).attach(wanted),
    (late) => void (late as unknown as Duplex).destroy(),
  );
  return stream as unknown as Duplex;
}

/** Resolves when it has exited, or when that cannot be heard any more: the engine is asked then. */
function exitOf(engine: Engine, id: string): Promise<unknown> {
  const waiting = engine.call("wait for a container", LONGEST_LIFE_MS, (docker, abortSignal) =>
    docker.getContainer(id).wait({ condition: "next-exit", abortSignal }),
  );
  return waiting.catch(() => undefined);
}

/** A container is not used for longer, in milliseconds. */
export const LONGEST_LIFE_MS = 3_600_000;

/** What the engine says; a container that has no exit code has not ended well, nor at all. */
async function endOf(engine: Engine, id: string): Promise<ContainerEnd | "running"> {
  const { State: state } = await engine.call(
    "inspect a container",
    CALL_MS,
    (docker, abortSignal) =>
      docker.getContainer(id).inspect({ abortSignal } as Docker.ContainerInspectOptions),
  );
  return readState(state);
}

/** Reads the state of a container. Throws `sandbox-unavailable` where it says nothing of its end. */
export function readState(state: {
  readonly Running?: unknown;
  readonly Status?: unknown;
  readonly ExitCode?: unknown;
  readonly OOMKilled?: unknown;
}): ContainerEnd | "running" {
  if (state.Running === true) return "running";
  const code = state.ExitCode;
  const isOver = state.Status === "exited" || state.Status === "dead";
  if (state.Running !== false || !isOver || typeof code !== "number" || !Number.isInteger(code)) {
    throw unavailable(`a container is ${String(state.Status)} and its exit code ${String(code)}`);
  }
  return { code, isOutOfMemory: state.OOMKilled === true };
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
