import { randomBytes } from "node:crypto";
import {
  NONCE_LENGTH,
  OPENING,
  type RunnerCommand,
  type RunnerReport,
} from "../../../sandbox/docker/protocol.ts";
import { runnerCommand, vmGuestText } from "../../../sandbox/docker/texts.ts";
import { unfitJson } from "../../domain/json-text.ts";
import { encodeFrame, FrameReader } from "../guest/frames.ts";
import { Container } from "./container.ts";
import { ContainerGuest } from "./container-guest.ts";
import type { Engine } from "./engine.ts";
import { unavailable } from "./unavailable.ts";
import { type ContainerSpec, passingUid, USUAL_MEMORY_MB } from "./hardening.ts";
import type { Piece } from "./streams.ts";

export type RunnerSpec = Pick<ContainerSpec, "image" | "labels" | "runtime" | "memoryMb">;

/** A start takes about 0.4 s; a loaded machine may need much longer. */
const READY_WITHIN_MS = 30_000;

/** Of the runner and its errors: what is kept to say why a container did not get ready. */
const LONGEST_STDERR = 4_096;

/** Memory of a program, in MB, that fits into a container of the usual size. */
const USUAL_PROGRAM_MB = 64;

/** A program's memory as a container needs it: beside it are two processes of Node. */
export function containerMemoryMb(programMb: number): number {
  return programMb <= USUAL_PROGRAM_MB ? USUAL_MEMORY_MB : programMb + 192;
}

/**
 * A container in which the runner waits: one child is ready, others follow as they are asked for.
 * Every report carries the container's nonce; the first that does not ends the container.
 */
export class RunnerContainer implements AsyncDisposable {
  readonly startedAtMs = performance.now();
  readonly #nonce = randomBytes(NONCE_LENGTH / 2).toString("hex");
  readonly #reader = new FrameReader();
  readonly #gone = new AbortController();
  #container: Container | null = null;
  #guest: ContainerGuest | null = null;
  #isUsed = false;
  #children = 0;
  #stderr = "";

  private constructor() {}

  /** Resolves when a program can be sent. Throws `sandbox-unavailable`; nothing is then left. */
  static async start(engine: Engine, spec: RunnerSpec): Promise<RunnerContainer> {
    const made = new RunnerContainer();
    const full = { ...spec, command: runnerCommand(), uid: passingUid() };
    const container = await Container.start(engine, full, (piece) => made.#hear(piece));
    made.#container = container;
    container.ended.then(
      (end) => made.#over((guest) => guest.containerEnded(end)),
      (error: unknown) => made.#over((guest) => guest.lost(error)),
    );
    const guest = made.#expect();
    const { memoryMb } = spec;
    const programMb = memoryMb <= USUAL_MEMORY_MB ? USUAL_PROGRAM_MB : memoryMb - 192;
    container.write(Buffer.from(OPENING));
    made.#tell({ kind: "begin", nonce: made.#nonce, guest: vmGuestText(), memoryMb: programMb });
    try {
      await ready(guest);
      return made;
    } catch (error) {
      await container.remove().catch(() => undefined);
      throw unavailable(`a container did not get ready: ${made.#stderr.trim()}`, error);
    }
  }

  get id(): string {
    return this.#container?.id ?? "";
  }

  /** Aborted once the container has ended. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** A child that has run nothing. */
  async guest(programMb: number): Promise<ContainerGuest> {
    const first = this.#guest;
    if (!this.#isUsed && first !== null) {
      this.#isUsed = true;
      return first;
    }
    const guest = this.#expect();
    this.#tell({ kind: "child", memoryMb: programMb });
    await ready(guest);
    return guest;
  }

  /** Removes the container, whatever goes on in it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#container?.remove();
  }

  #expect(): ContainerGuest {
    this.#children += 1;
    const guest = new ContainerGuest({
      say: (text) => this.#tell({ kind: "say", text }),
      killChild: () => this.#tell({ kind: "kill" }),
      destroy: () => this.#destroy(),
    });
    if (this.gone.aborted) guest.lost(unavailable("the container has ended"));
    this.#guest = guest;
    return guest;
  }

  #tell(command: RunnerCommand): void {
    this.#container?.write(encodeFrame(JSON.stringify(command)));
  }

  #hear({ stream, bytes }: Piece): void {
    if (stream === "stderr") {
      if (this.#stderr.length < LONGEST_STDERR) this.#stderr += bytes.toString("latin1");
      return;
    }
    const texts = this.#reader.push(bytes);
    if (texts === null) return this.#destroy();
    for (const text of texts) this.#take(text);
  }

  #take(text: string): void {
    const told = text.slice(NONCE_LENGTH);
    if (!text.startsWith(this.#nonce) || unfitJson(told) !== null) return this.#destroy();
    const report = JSON.parse(told) as RunnerReport;
    // What is said of a child that has been replaced comes too late.
    if (report.child !== this.#children) return;
    if (report.kind === "said") this.#guest?.take(report.text);
    else this.#guest?.childEnded(report.signal, report.code);
  }

  #destroy(): void {
    this.#guest?.kill("protocol");
    void this.#container?.remove().catch(() => undefined);
  }

  #over(tell: (guest: ContainerGuest) => void): void {
    this.#gone.abort();
    if (this.#guest !== null) tell(this.#guest);
  }
}

async function ready(guest: ContainerGuest): Promise<void> {
  const late = setTimeout(() => guest.kill("overdue"), READY_WITHIN_MS);
  const frame = await guest.receive();
  clearTimeout(late);
  if (frame?.kind === "ready") return;
  guest.kill("protocol");
  const { code, signal } = await guest.closed;
  throw unavailable(`a process in a container ended (${signal ?? `exit code ${code}`})`);
}
