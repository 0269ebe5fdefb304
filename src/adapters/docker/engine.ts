import { access } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import type Docker from "dockerode";
import { HoneError, messageOf } from "../../domain/errors.ts";

export type EngineSettings = {
  /** Path of the engine's socket; empty: DOCKER_HOST, else where Docker and Podman have theirs. */
  readonly socket: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What is known of an engine that answers. */
export type EngineFacts = {
  /** Such as `Docker 20.10.24`. */
  readonly name: string;
  /** The low-level runtime's version as the engine tells it, such as `1.1.5`; empty: it does not. */
  readonly runc: string;
};

/** How long an engine may take to say that it is there, in milliseconds. */
const ANSWER_MS = 3_000;

/** An answer counts for so long, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * A container engine behind a Unix socket. Every call has a deadline, and whatever goes wrong at
 * this border is `sandbox-unavailable`: it says nothing of the program that was to run.
 */
export class Engine {
  readonly #settings: EngineSettings;
  #docker: { readonly socket: string; readonly docker: Docker } | null = null;
  #seen: { readonly facts: EngineFacts; readonly atMs: number } | null = null;

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
      overdue.catch(() => undefined);
      clearTimeout(timer);
    }
  }

  /** What answers at the socket; throws `sandbox-unavailable` where nothing does. */
  async facts(): Promise<EngineFacts> {
    if (this.#seen !== null && performance.now() - this.#seen.atMs < FRESH_MS)
      return this.#seen.facts;
    this.#seen = null;
    const version = await this.call("version", ANSWER_MS, (docker) => docker.version());
    const facts = factsIn(version);
    this.#seen = { facts, atMs: performance.now() };
    return facts;
  }

  /** The client is loaded when there is something to talk to: it is large. */
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

/** The wall could not be put up. */
export function unavailable(what: string, cause?: unknown): HoneError {
  return new HoneError("sandbox-unavailable", what, {
    hint: "Start the container engine, or set `docker: off`; `hone doctor` shows what is there.",
    retryable: true,
    cause,
  });
}

async function socketOf({ socket, env }: EngineSettings): Promise<string> {
  const named = socket === "" ? (env["DOCKER_HOST"] ?? "") : socket;
  if (named !== "") {
    const file = named.replace(/^unix:\/\//, "");
    if (!path.isAbsolute(file)) throw unavailable(`${named} is no Unix socket: hone uses no other`);
    return (await isThere(file)) ? file : Promise.reject(unavailable(`there is no ${file}`));
  }
  for (const file of usualSockets(env)) if (await isThere(file)) return file;
  throw unavailable("there is no socket of a container engine");
}

function usualSockets(env: EngineSettings["env"]): readonly string[] {
  const runtime = env["XDG_RUNTIME_DIR"];
  const own = runtime === undefined ? [] : ["docker.sock", "podman/podman.sock"];
  return [
    "/var/run/docker.sock",
    path.join(homedir(), ".docker", "run", "docker.sock"),
    ...own.map((name) => path.join(runtime ?? "", name)),
    "/run/podman/podman.sock",
  ];
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}

/** What the engine said, without the client's decoration. */
function reasonOf(thrown: unknown): string {
  const { json, code } = thrown as {
    readonly json?: { message?: unknown };
    readonly code?: unknown;
  };
  if (typeof json?.message === "string") return json.message;
  return code === "ECONNREFUSED" || code === "ENOENT" ? "nobody answers" : messageOf(thrown).trim();
}

type Version = Awaited<ReturnType<Docker["version"]>>;

function factsIn({ Version: version, Components: parts }: Version): EngineFacts {
  const isPodman = parts.some(({ Name }) => /podman/i.test(Name));
  const runc = parts.find(({ Name }) => /^(runc|crun)$/i.test(Name))?.Version ?? "";
  return { name: `${isPodman ? "Podman" : "Docker"} ${version}`, runc };
}
