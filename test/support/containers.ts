import { test } from "node:test";
import { createContainers, type DockerSettings } from "../../src/adapters/docker/docker-sandbox.ts";
import { Engine } from "../../src/adapters/docker/engine.ts";
import type { Containers } from "../../src/ports/containers.ts";

/** The engine of this machine. */
export const engine = new Engine({ socket: "", env: process.env });

const notes = new Map<string, string>();

/** Containers of a workspace of its own on this machine's engine, whose image is made once. */
export function someContainers(
  overrides: Partial<DockerSettings> = {},
): Containers & AsyncDisposable {
  const made = createContainers({
    mode: "required",
    socket: "",
    env: process.env,
    image: "",
    runtime: "",
    warm: 2,
    most: 4,
    owner: `test-${process.pid}`,
    now: Date.now,
    notes: {
      note: (key) => notes.get(key) ?? null,
      setNote: (key, text) => void notes.set(key, text),
    },
    ...overrides,
  });
  if (made === null) throw new Error("they are off");
  return made;
}

/**
 * Runs tests that need an engine. Where there is none they are left out, unless HONE_REQUIRE_DOCKER
 * says that there must be one. `isMore` is what else they need.
 */
export async function withEngine(tests: () => void, isMore = true): Promise<void> {
  const unavailable = await engine.facts().then(
    () => null,
    (error: Error) => error.message,
  );
  if (unavailable === null && isMore) return tests();
  if (process.env["HONE_REQUIRE_DOCKER"] === "1") {
    test("a container engine answers", () => {
      throw new Error(unavailable ?? "no engine may be started here");
    });
  }
}

/** Ids of all containers with this owner. */
export async function containersOf(owner: string, of: Engine = engine): Promise<readonly string[]> {
  const filters = JSON.stringify({ label: [`hone.owner=${owner}`] });
  const found = await of.call("list", 10_000, (docker) =>
    docker.listContainers({ all: true, filters }),
  );
  return found.map(({ Id }) => Id);
}
