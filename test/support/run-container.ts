import { Container, type ContainerEnd } from "../../src/adapters/docker/container.ts";
import type { Engine } from "../../src/adapters/docker/engine.ts";
import { passingUid, USUAL_MEMORY_MB } from "../../src/adapters/docker/hardening.ts";
import { labelsOf } from "../../src/adapters/docker/sweep.ts";
import { engine as usual, someContainers } from "./containers.ts";

export type Ran = {
  readonly end: ContainerEnd;
  readonly stdout: string;
  readonly stderr: string;
};

/** Digest of the image that hone makes, which is made where it is not there. */
export async function honesImage(): Promise<string> {
  await using containers = someContainers();
  return await containers.image();
}

export type Hearing = { stdout: string; stderr: string };

/** Starts a container with a script for Node in it, as hardened as those of programs. */
export async function startScript(
  image: string,
  script: string,
  {
    engine = usual,
    uid = passingUid(),
    hearing = { stdout: "", stderr: "" },
  }: {
    readonly engine?: Engine;
    readonly uid?: number;
    readonly hearing?: Hearing;
  } = {},
): Promise<Container> {
  const owner = { owner: `test-${process.pid}`, boot: "script" };
  const spec = {
    image,
    command: ["node", "--v8-pool-size=0", "-e", script],
    labels: labelsOf(owner, Date.now() + 600_000),
    uid,
    memoryMb: USUAL_MEMORY_MB,
    runtime: "",
  };
  return await Container.start(engine, spec, ({ stream, bytes }) => {
    hearing[stream] += bytes.toString();
  });
}

/** The same to its end; it is then removed. */
export async function runScript(image: string, script: string): Promise<Ran> {
  const hearing = { stdout: "", stderr: "" };
  const container = await startScript(image, script, { hearing });
  try {
    const end = await container.ended;
    return { end, ...hearing };
  } finally {
    await container.remove();
  }
}
