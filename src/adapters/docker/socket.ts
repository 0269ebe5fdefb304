import { access } from "node:fs/promises";
import { request } from "node:http";
import { homedir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { unavailable } from "./unavailable.ts";

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

/** The engine's socket; throws `sandbox-unavailable` where there is none. */
export async function socketOf({ socket, env }: EngineSettings): Promise<string> {
  const named = socket === "" ? (env["DOCKER_HOST"] ?? "") : socket;
  if (named !== "") {
    const file = named.replace(/^unix:\/\//, "");
    if (!path.isAbsolute(file)) throw unavailable(`${named} is no Unix socket: hone uses no other`);
    if (!(await isThere(file))) throw unavailable(`there is no ${file}`);
    return file;
  }
  for (const file of usualSockets(env)) if (await isThere(file)) return file;
  throw unavailable("there is no socket of a container engine");
}

/**
 * Who answers at the socket (`GET /version` of the Docker Engine API), without the client, which is
 * large: a daemon without work does not load it. Throws `sandbox-unavailable`.
 */
export async function versionAt(socketPath: string): Promise<EngineFacts> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signal = AbortSignal.timeout(ANSWER_MS);
  request({ socketPath, path: "/version", signal }, (response) => {
    const { statusCode } = response;
    if (statusCode !== 200) reject(new Error(`it answers ${statusCode} to /version`));
    text(response).then(resolve, reject);
  })
    .on("error", reject)
    .end();
  try {
    return factsIn(JSON.parse(await promise) as Version);
  } catch (cause) {
    const how = signal.aborted ? `does not answer within ${ANSWER_MS} ms` : "does not answer";
    throw unavailable(`the container engine at ${socketPath} ${how}`, cause);
  }
}

type Version = {
  readonly Version?: string;
  readonly Components?: readonly { readonly Name: string; readonly Version: string }[];
};

function factsIn({ Version: version = "", Components: parts = [] }: Version): EngineFacts {
  const isPodman = parts.some(({ Name }) => /podman/i.test(Name));
  const runc = parts.find(({ Name }) => /^(runc|crun)$/i.test(Name))?.Version ?? "";
  return { name: `${isPodman ? "Podman" : "Docker"} ${version}`, runc };
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
