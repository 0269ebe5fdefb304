import { randomUUID } from "node:crypto";
import { webSurfaceFor } from "../../../sandbox/isolate/web.ts";
import type { ContainersState, Containers } from "../../ports/containers.ts";
import type { CallResult, Execution, PoolState, Sandbox } from "../../ports/sandbox.ts";
import type { Store } from "../../ports/store.ts";
import { HoneError, messageOf } from "../../domain/errors.ts";
import { Believer } from "../guest/believe.ts";
import type { CallRecord } from "../guest/call-record.ts";
import { converse } from "../guest/conversation.ts";
import { frameOf, type Part, partOf } from "../guest/part.ts";
import { LONGEST_LIFE_MS } from "./container.ts";
import { CLOSE_WITHIN_MS, ContainerPool, inTime } from "./container-pool.ts";
import { Engine } from "./engine.ts";
import type { EngineSettings } from "./socket.ts";
import { buildImage, imageFor, type ImagePin, pinIn, type PinnedImage } from "./image.ts";
import { containerMemoryMb, type RunnerContainer } from "./runner-container.ts";
import { labelsOf, type Owner, sweep } from "./sweep.ts";

export type DockerSettings = EngineSettings & {
  readonly mode: Containers["mode"] | "off";
  /** An image with Node 24; empty: the one that hone makes. */
  readonly image: string;
  /** Where the digest of the image is kept. */
  readonly notes: Pick<Store, "note" | "setNote">;
  readonly runtime: string;
  readonly warm: number;
  readonly most: number;
  /** Of the workspace, the same at every start. */
  readonly owner: string;
  readonly now: () => number;
};

/** A note that says that there may be containers: a process that dies leaves it behind. */
const IN_USE = "containers";

/** How often guests are looked at, and orphans looked for, in milliseconds. */
const LOOK_EVERY_MS = 25;
const SWEEP_EVERY_MS = 60_000;

/**
 * The tier of containers, which may come and go with their engine. Nothing is asked of the engine
 * before there is work or somebody asks for the state. Null where it is off.
 */
export function createContainers(settings: DockerSettings): (Containers & AsyncDisposable) | null {
  const { mode } = settings;
  return mode === "off" ? null : new DockerContainers(mode, settings);
}

class DockerContainers implements Containers, AsyncDisposable {
  readonly mode: Containers["mode"];
  readonly sandbox: Sandbox;
  readonly #settings: DockerSettings;
  readonly #engine: Engine;
  readonly #owner: Owner;
  readonly #pool: ContainerPool;
  readonly #pin: ImagePin;
  #image: Promise<PinnedImage> | null = null;
  #sweeping: NodeJS.Timeout | null = null;
  /** This process has asked for a container: until its end there may be some. */
  #hasBegun = false;
  #tidying: Promise<void> = Promise.resolve();

  constructor(mode: Containers["mode"], settings: DockerSettings) {
    const { owner, warm, most } = settings;
    this.mode = mode;
    this.#settings = settings;
    this.#pin = pinIn(settings.notes);
    this.#engine = new Engine(settings);
    this.#owner = { owner, boot: randomUUID() };
    const spec = async (): Promise<{
      image: string;
      labels: Record<string, string>;
      runtime: string;
    }> => {
      this.#begin();
      const { id } = await this.#takeImage();
      const labels = labelsOf(this.#owner, settings.now() + LONGEST_LIFE_MS);
      return { image: id, labels, runtime: settings.runtime };
    };
    this.#pool = new ContainerPool({ engine: this.#engine, warm, most, spec });
    this.sandbox = new DockerSandbox(this.#pool, () => this[Symbol.asyncDispose]());
  }

  async state(): Promise<ContainersState> {
    try {
      const { name, runc } = await this.#engine.facts();
      const image = this.#settings.image === "" ? this.#pin.read()?.id : this.#settings.image;
      return { status: "ready", engine: name, runc, image: image ?? "" };
    } catch (error) {
      return { status: "unavailable", reason: messageOf(error) };
    }
  }

  async build(): Promise<string> {
    this.#image = null;
    const { id } = await buildImage(this.#engine, this.#pin);
    return id;
  }

  async image(): Promise<string> {
    return (await this.#takeImage()).id;
  }

  async warm(): Promise<void> {
    if ((await this.state()).status === "ready") this.#pool.warm();
  }

  async recover(): Promise<void> {
    if ((this.#settings.notes.note(IN_USE) ?? "") !== "") await this.#tidyRegularly();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
    if (this.#hasBegun) void this.#tidy();
    if (this.#sweeping !== null) clearInterval(this.#sweeping);
    await inTime(this.#tidying, CLOSE_WITHIN_MS);
    this.#engine.giveUp();
    await this.#tidying;
  }

  /** Before the first container: from now on there may be something to sweep. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#settings.notes.setNote(IN_USE, this.#owner.boot);
    void this.#tidyRegularly();
  }

  #tidyRegularly(): Promise<void> {
    this.#sweeping ??= setInterval(() => void this.#tidy(), SWEEP_EVERY_MS).unref();
    return this.#tidy();
  }

  /** Removes orphans, where an engine answers; where it does not, they are looked for again. */
  #tidy(): Promise<void> {
    this.#tidying = this.#tidying.then(() => this.#sweepUp());
    return this.#tidying;
  }

  async #sweepUp(): Promise<void> {
    const { notes, now } = this.#settings;
    this.#pool.refresh();
    try {
      const isEnd = this.#pool.isEmpty;
      await sweep(this.#engine, this.#owner, { now: now(), isEnd });
      if (this.#hasBegun && !isEnd) return;
      notes.setNote(IN_USE, "");
      if (this.#sweeping !== null) clearInterval(this.#sweeping);
      this.#sweeping = null;
    } catch (error) {
      if (!(error instanceof HoneError)) throw error;
    }
  }

  /** Found or made once; again where that failed. */
  #takeImage(): Promise<PinnedImage> {
    const { image: named } = this.#settings;
    this.#image ??= imageFor(this.#engine, { named, pin: this.#pin }).catch((error: unknown) => {
      this.#image = null;
      throw error;
    });
    return this.#image;
  }
}

class DockerSandbox implements Sandbox {
  readonly tier = "docker";
  readonly #pool: ContainerPool;
  readonly #believer = new Believer();
  readonly #dispose: () => Promise<void>;

  constructor(pool: ContainerPool, dispose: () => Promise<void>) {
    this.#pool = pool;
    this.#dispose = dispose;
  }

  async execute(execution: Execution, signal: AbortSignal): Promise<readonly CallResult[]> {
    await using use = new OneUse(this.#pool);
    return await this.#believer.execute(execution, use.run, signal);
  }

  pool(): PoolState {
    return this.#pool.state();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispose();
  }
}

/** The use of a container for one execution; another takes its place where it is lost. */
class OneUse implements AsyncDisposable {
  readonly #pool: ContainerPool;
  #container: RunnerContainer | null = null;

  constructor(pool: ContainerPool) {
    this.#pool = pool;
  }

  /** Runs calls in a child that has run nothing, until one breaks it. */
  readonly run = async (
    execution: Execution,
    records: readonly CallRecord[],
    signal: AbortSignal,
  ): Promise<Part> => {
    const { program, limits } = execution;
    const container = await this.#take(containerMemoryMb(limits.memoryMb), signal);
    const guest = await container.guest(limits.memoryMb);
    const stop = (): void => guest.kill("retired");
    signal.addEventListener("abort", stop, { once: true });
    const watch = setInterval(() => guest.check(performance.now()), LOOK_EVERY_MS);
    try {
      signal.throwIfAborted();
      const text = webSurfaceFor(program.text);
      if (text !== null) guest.send({ kind: "surface", number: 0, text });
      const frame = frameOf(execution, records, text === null ? null : 0);
      return partOf(await converse(guest, frame, records, signal), execution, records);
    } finally {
      clearInterval(watch);
      signal.removeEventListener("abort", stop);
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#container !== null) this.#pool.retire(this.#container);
  }

  async #take(memoryMb: number, signal: AbortSignal): Promise<RunnerContainer> {
    if (this.#container !== null && !this.#container.gone.aborted) return this.#container;
    if (this.#container !== null) this.#pool.retire(this.#container);
    this.#container = null;
    this.#container = await this.#pool.take(signal, memoryMb);
    return this.#container;
  }
}
