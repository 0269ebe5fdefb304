import type { ContainerCreateOptions, DeviceRequest } from "dockerode";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { HoneError, messageOf } from "../../domain/errors.ts";
import type { ModelServer, StartedServer } from "../../ports/model-server.ts";
import { removeContainer } from "./container.ts";
import { Engine, statusCodeOf } from "./engine.ts";
import type { EngineSettings } from "./socket.ts";
import { Demultiplexer } from "./streams.ts";

export type ModelContainerSettings = EngineSettings & {
  readonly image: string;
  readonly args: readonly string[];
  /** `all`, `none`, how many, or ids with commas. */
  readonly gpus: string;
  /** Folder of the host where weights are kept. */
  readonly weights: string;
  readonly port: number;
  readonly innerPort: number;
  readonly network: "bridge" | "host";
  /** Of the workspace, the same at every start. */
  readonly owner: string;
  /** The file that its output is added to. */
  readonly log: string;
  readonly pullMs: number;
  readonly stopMs: number;
};

/** Not the label of a sandbox's containers, which are swept away. */
const LABEL = "hone.model";

const CALL_MS = 30_000;
const LOOK_EVERY_MS = 2_000;

/** A token for weights that need one, under the names that Hugging Face's client reads. */
const PASSED = ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"];

/**
 * A model server in a container with GPUs. What was left of an earlier one of this workspace is
 * removed before the next starts. Throws `sandbox-unavailable`.
 */
export function createModelContainer(settings: ModelContainerSettings): ModelServer {
  const engine = new Engine(settings);
  return {
    start: async (signal) => await start(engine, settings, signal),
    stop: async (place) => {
      if (place.kind === "container") await stop(engine, place.id, settings.stopMs);
    },
    isThere: async (place) => place.kind === "container" && (await endOf(engine, place.id)) === "",
  };
}

async function start(
  engine: Engine,
  settings: ModelContainerSettings,
  signal: AbortSignal,
): Promise<StartedServer> {
  await removeLeft(engine, settings.owner);
  const log = createWriteStream(settings.log, { flags: "a", mode: 0o600 });
  log.on("error", () => undefined);
  await requireImage(engine, settings, log);
  signal.throwIfAborted();
  await mkdir(settings.weights, { recursive: true });
  const { id } = await engine.call("create a container", CALL_MS, (docker) =>
    docker.createContainer(modelContainerOptions(settings)),
  );
  try {
    await engine.call("start a container", CALL_MS, (docker) => docker.getContainer(id).start());
    await follow(engine, id, log);
  } catch (error) {
    await removeContainer(engine, id).catch(() => undefined);
    throw noGpu(error) ?? error;
  }
  return { place: { kind: "container", id }, ended: watched(engine, id, log) };
}

/** How the container is made: GPUs, the folder of weights, one port for this machine alone. */
export function modelContainerOptions(settings: ModelContainerSettings): ContainerCreateOptions {
  const { image, args, weights, port, innerPort, network, owner, env } = settings;
  const inner = `${innerPort}/tcp`;
  return {
    Image: image,
    Cmd: [...args],
    Env: PASSED.flatMap((name) => (env[name] ? [`${name}=${env[name]}`] : [])),
    Labels: { [LABEL]: owner },
    ExposedPorts: { [inner]: {} },
    HostConfig: {
      NetworkMode: network,
      ...(network === "host"
        ? {}
        : { PortBindings: { [inner]: [{ HostIp: "127.0.0.1", HostPort: String(port) }] } }),
      DeviceRequests: deviceRequests(settings.gpus),
      Binds: [`${weights}:/root/.cache/huggingface`],
      // Workers hand tensors to each other in shared memory.
      ShmSize: 8 * 2 ** 30,
      SecurityOpt: ["no-new-privileges:true"],
      RestartPolicy: { Name: "no" },
      Init: true,
    },
  };
}

/** As `docker run --gpus` asks for them. */
function deviceRequests(gpus: string): DeviceRequest[] {
  if (gpus === "none") return [];
  const wanted = { Driver: "", Capabilities: [["gpu"]], Options: {} };
  if (gpus === "all") return [{ ...wanted, Count: -1 }];
  return /^\d+$/.test(gpus)
    ? [{ ...wanted, Count: Number(gpus) }]
    : [{ ...wanted, DeviceIDs: gpus.split(",") }];
}

async function requireImage(
  engine: Engine,
  { image, pullMs }: ModelContainerSettings,
  log: WriteStream,
): Promise<void> {
  try {
    await engine.call("inspect an image", CALL_MS, (docker) => docker.getImage(image).inspect());
    return;
  } catch (error) {
    if (statusCodeOf(error) !== 404) throw error;
  }
  log.write(`hone: pulling ${image}\n`);
  await engine.call(`pull ${image}`, pullMs, async (docker) => {
    const progress: NodeJS.ReadableStream = await docker.pull(image);
    await new Promise<void>((resolve, reject) => {
      docker.modem.followProgress(progress, (error) => (error ? reject(error) : resolve()));
    });
  });
}

async function follow(engine: Engine, id: string, log: WriteStream): Promise<void> {
  const stream = await engine.call("read a container's output", CALL_MS, (docker) =>
    docker.getContainer(id).logs({ follow: true, stdout: true, stderr: true }),
  );
  const demultiplexer = new Demultiplexer();
  (stream as unknown as Readable)
    .on("data", (chunk: Buffer) => {
      for (const { bytes } of demultiplexer.push(chunk) ?? []) log.write(bytes);
    })
    .on("error", () => undefined);
}

/** The engine may be restarted meanwhile, so it is asked again and again. */
async function watched(engine: Engine, id: string, log: WriteStream): Promise<string> {
  for (;;) {
    await pause(LOOK_EVERY_MS);
    const how = await endOf(engine, id).catch(() => "");
    if (how === "") continue;
    log.end();
    return how;
  }
}

/** How a container ended; empty: it runs. */
async function endOf(engine: Engine, id: string): Promise<string> {
  try {
    const { State: state } = await engine.call("inspect a container", CALL_MS, (docker) =>
      docker.getContainer(id).inspect(),
    );
    if (state.Running || state.Status === "created") return "";
    return state.OOMKilled ? "it ran out of memory" : `it ended with exit code ${state.ExitCode}`;
  } catch (error) {
    if (statusCodeOf(error) === 404) return "its container was removed";
    throw error;
  }
}

async function stop(engine: Engine, id: string, stopMs: number): Promise<void> {
  const seconds = Math.max(1, Math.ceil(stopMs / 1_000));
  await engine
    .call("stop a container", stopMs + CALL_MS, (docker) =>
      docker.getContainer(id).stop({ t: seconds }),
    )
    .catch((error: unknown) => {
      // It has ended, or is not there.
      if (![304, 404].includes(statusCodeOf(error) ?? 0)) throw error;
    });
  await removeContainer(engine, id);
}

async function removeLeft(engine: Engine, owner: string): Promise<void> {
  const filters = JSON.stringify({ label: [`${LABEL}=${owner}`] });
  const left = await engine.call("list containers", CALL_MS, (docker) =>
    docker.listContainers({ all: true, filters }),
  );
  await Promise.all(left.map(({ Id }) => removeContainer(engine, Id)));
}

/** What an engine says that knows no GPU: it has no driver that answers for this capability. */
function noGpu(error: unknown): HoneError | null {
  if (!/device driver|nvidia|CDI/i.test(messageOf(error))) return null;
  return new HoneError("sandbox-unavailable", `no GPU for the container: ${messageOf(error)}`, {
    hint: "Install the NVIDIA Container Toolkit, or set `model.serve.gpus: none`.",
    cause: error,
  });
}
