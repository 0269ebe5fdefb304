import type Docker from "dockerode";
import { HoneError, messageOf } from "../../domain/errors.ts";
import { type EngineFacts, type EngineSettings, socketOf, versionAt } from "./socket.ts";
import { unavailable } from "./unavailable.ts";

/**
 * A container engine behind a Unix socket. Every call has a deadline, and whatever goes wrong at
 * this border is `sandbox-unavailable`: it says nothing of the program that was to run.
 */
export class Engine {
  /** Ids of containers that could not be removed when they should have been. */
  readonly leftovers = new Set<string>();
  readonly #settings: EngineSettings;
  /** Calls that are under way. */
  readonly #calls = new Set<AbortController>();
  #docker: { readonly socket: string; readonly docker: Docker } | null = null;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
  }

  /**
   * Calls the engine. The signal that `work` is given ends its request; what comes after the
   * deadline all the same goes to `late`. Throws `sandbox-unavailable`, whose cause has the
   * engine's status code where it gave one.
   */
  async call<T>(
    what: string,
    withinMs: number,
    work: (docker: Docker, abortSignal: AbortSignal) => Promise<T>,
    late: (result: T) => void = () => undefined,
  ): Promise<T> {
    const { promise: overdue, reject } = Promise.withResolvers<never>();
    const ending = new AbortController();
    this.#calls.add(ending);
    ending.signal.addEventListener("abort", () => reject(new Error("it was given up")));
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${withinMs} ms`));
      ending.abort();
    }, withinMs).unref();
    try {
      const docker = await this.#open();
      const working = work(docker, ending.signal);
      void working.then(
        (result) => ending.signal.aborted && late(result),
        () => undefined,
      );
      return await Promise.race([working, overdue]);
    } catch (cause) {
      if (cause instanceof HoneError) throw cause;
      throw unavailable(`the container engine: ${what}: ${reasonOf(cause)}`, cause);
    } finally {
      this.#calls.delete(ending);
      overdue.catch(() => undefined);
      clearTimeout(timer);
    }
  }

  /** Gives up every call that is under way: nobody waits for an engine that hangs. */
  giveUp(): void {
    for (const call of this.#calls) call.abort();
  }

  /** What answers at the socket; throws `sandbox-unavailable` where nothing does. */
  async facts(): Promise<EngineFacts> {
    return await versionAt(await socketOf(this.#settings));
  }

  /** The client is loaded when there is work for it. */
  async #open(): Promise<Docker> {
    const socket = await socketOf(this.#settings);
    if (this.#docker?.socket === socket) return this.#docker.docker;
    const { default: Client } = await import("dockerode");
    const docker = new Client({ socketPath: socket });
    this.#docker = { socket, docker };
    return docker;
  }
}

/** The HTTP status that the engine refused a call with; null where it was something else. */
export function statusCodeOf(error: unknown): number | null {
  const { cause } = error as { readonly cause?: { readonly statusCode?: unknown } };
  return typeof cause?.statusCode === "number" ? cause.statusCode : null;
}

/** What the engine said, without the client's decoration. */
function reasonOf(thrown: unknown): string {
  const { json, code } = thrown as {
    readonly json?: { readonly message?: unknown } | null;
    readonly code?: unknown;
  };
  if (typeof json?.message === "string") return json.message;
  return code === "ECONNREFUSED" || code === "ENOENT" ? "nobody answers" : messageOf(thrown).trim();
}
