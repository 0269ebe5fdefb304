import assert from "node:assert/strict";
import { sha256 } from "../../src/daemon/sha256.ts";
import { socketOf } from "../../src/adapters/docker/socket.ts";
import { containersOf, engine } from "../support/containers.ts";
import { type EngineProxy, engineProxy, type Fate } from "../support/engine-proxy.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { inject, type Fault } from "./fault.ts";
import { improvementHolds } from "./improvement.ts";
import type { Person } from "./person.ts";
import { aSiteFolder, atTheEnd, Site, SKILLS } from "./site.ts";

/** The engine's calls in the order of a verification, and what a verdict needs. */
const STEPS = {
  "GET /version": "the gate docker: the question whether there is an engine",
  "POST /containers/create": "the gate docker: a container is made",
  "POST /containers/ID/attach": "the gate docker: a container is attached to",
  "POST /containers/ID/start": "the gate docker: a container is started",
} as const;

/** Calls whose failure may cost a verdict or none. */
const MORE_STEPS = {
  "POST /containers/ID/wait": "the gate docker: the end of a container is waited for",
  "GET /containers/json": "the sweep: containers are listed",
  "DELETE /containers/ID": "the end of a container: it is removed",
} as const;

type Strike = (proxy: EngineProxy, workspace: TestWorkspace) => Promise<Disposable> | Disposable;

const needed = Object.entries(STEPS).flatMap(([step, strikes]) =>
  (["refused", "cut"] as const).map((fate): Fault => ({
    name: `${step} is ${fate} whenever it is asked`,
    strikes,
    holds: () => unverified((proxy) => fated(proxy, (call) => (call === step ? fate : "passes"))),
  })),
);

const more = Object.entries({ ...STEPS, ...MORE_STEPS }).flatMap(([step, strikes]) =>
  (["refused", "cut"] as const).map((fate): Fault => {
    const once = !(step in MORE_STEPS);
    return {
      name: `${step} is ${fate} ${once ? "once" : "each time"}, and it goes on or not at all`,
      strikes,
      async holds() {
        await struck((proxy) => fated(proxy, failing(step, fate, once ? 1 : Infinity)));
      },
    };
  }),
);

export const faults = inject(import.meta.main && (await isToRun()), {
  kind: "docker",
  faults: [
    {
      name: "the engine is gone before anything is asked of it",
      strikes: "improve: the question whether there is an engine",
      holds: () => unverified((proxy) => fated(proxy, () => "cut")),
    },
    {
      name: "the engine hangs when it is asked whether it is there",
      strikes: "improve: the question whether there is an engine",
      holds: () => unverified((proxy) => fated(proxy, failing("GET /version", "hangs"))),
    },
    {
      name: "the engine hangs when a container is to start",
      strikes: "the gate docker: a container is started",
      holds: () =>
        unverified((proxy) => fated(proxy, failing("POST /containers/ID/start", "hangs"))),
    },
    {
      name: "the engine goes away as soon as a container runs",
      strikes: "the gate docker: in mid-verification",
      holds: () =>
        unverified((proxy) =>
          fated(proxy, (call, calls) => {
            if (calls.includes("POST /containers/ID/start")) return "cut";
            if (call === "POST /containers/ID/start") setImmediate(() => proxy.cutStreams());
            return "passes";
          }),
        ),
    },
    {
      name: "the engine goes away when a verification is over",
      strikes: "the gate docker: the container is removed",
      async holds() {
        await struck((proxy) =>
          fated(proxy, (_, calls) => (calls.includes("DELETE /containers/ID") ? "cut" : "passes")),
        );
      },
    },
    {
      name: "containers are killed, each one as soon as it runs",
      strikes: "the gate docker: in mid-verification",
      holds: () => unverified((_, workspace) => killing(workspace)),
    },
    {
      name: "the pinned image is missing, and none can be loaded",
      strikes: "the gate docker: the image is built",
      holds: () =>
        unverified((proxy) =>
          fated(proxy, (call) => {
            if (call.startsWith("GET /images/")) return "missing";
            return call === "POST /images/load" ? "refused" : "passes";
          }),
        ),
    },
    {
      name: "the building of the image is cut off",
      strikes: "the gate docker: the image is built",
      holds: () =>
        unverified((proxy) =>
          fated(proxy, (call) => {
            if (call.startsWith("GET /images/")) return "missing";
            return call === "POST /images/load" ? "cut" : "passes";
          }),
        ),
    },
    {
      name: "the image that somebody named is not there",
      strikes: "the gate docker: the image is looked for",
      holds: () =>
        unverified(
          (proxy) =>
            fated(proxy, (call) => (call.startsWith("GET /images/") ? "missing" : "passes")),
          { isNamed: true },
        ),
    },
    ...needed,
    ...more,
  ],
});

/** There is an engine, or there has to be one. */
async function isToRun(): Promise<boolean> {
  if (process.env["HONE_REQUIRE_DOCKER"] === "1") return true;
  return await engine.facts().then(
    () => true,
    () => false,
  );
}

/** While it is so, calls meet their fates; `calls` are those before. */
function fated(
  proxy: EngineProxy,
  fateOf: (call: string, calls: readonly string[]) => Fate,
): Disposable {
  const calls: string[] = [];
  proxy.fate = (call) => {
    const fate = fateOf(call, calls);
    calls.push(call);
    return fate;
  };
  return { [Symbol.dispose]: () => void (proxy.fate = () => "passes") };
}

function failing(step: string, fate: Fate, times = Infinity): (call: string) => Fate {
  let left = times;
  return (call) => {
    if (call !== step || left <= 0) return "passes";
    left -= 1;
    return fate;
  };
}

/** Kills every container of a workspace that runs, until it is disposed. */
function killing(workspace: TestWorkspace): Disposable {
  let isOver = false;
  const kill = async (): Promise<void> => {
    while (!isOver) {
      for (const id of await containersOf(sha256(workspace.dir))) {
        const killed = engine.call("kill", 10_000, (docker) => docker.getContainer(id).kill());
        await killed.catch(() => undefined);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  void kill();
  return { [Symbol.dispose]: () => void (isOver = true) };
}

/** No verdict and no release come of it; the next improvement is as it should be. */
async function unverified(strike: Strike, by: { isNamed?: boolean } = {}): Promise<void> {
  const settled = await struck(strike, by);
  if (settled instanceof Error) return;
  assert.equal(settled.result, "infra-error", settled.reason);
  assert.match(settled.reason, /^docker: /);
}

type Place = {
  readonly workspace: TestWorkspace;
  readonly person: Person;
  readonly proxy: EngineProxy;
  /** Digest of the image that hone makes. */
  readonly image: string;
};

let shared: Promise<Place> | null = null;
let used = 0;

/**
 * An improvement for which containers are required, while something is struck. What is released has
 * been in a container, and none is left.
 */
async function struck(
  strike: Strike,
  { isNamed = false }: { isNamed?: boolean } = {},
): ReturnType<typeof improvementHolds> {
  shared ??= place();
  const { workspace, person, proxy, image } = await shared;
  const sandbox = { socket: proxy.socket, warm: 0, image: isNamed ? image : "" };
  await using hone = await workspace.open({ docker: "required", sandbox });
  const site = new Site(workspace, person, hone, used++);
  const settled = await improvementHolds(async (_, attempt) => {
    using _struck = await strike(proxy, workspace);
    return await attempt();
  }, Promise.resolve(site));
  assertInContainers(workspace);
  await hone[Symbol.asyncDispose]();
  assert.deepEqual(await containersOf(sha256(workspace.dir)), [], "containers that are left");
  return settled;
}

async function place(): Promise<Place> {
  const folder = await aSiteFolder(atTheEnd, { skills: SKILLS });
  const proxy = await engineProxy(await socketOf({ socket: "", env: process.env }));
  atTheEnd.after(async () => await proxy[Symbol.asyncDispose]());
  await using hone = await folder.workspace.open({ docker: "required" });
  const image = (await hone.house.containers?.image()) ?? "";
  return { ...folder, proxy, image };
}

/** The last release was verified behind both walls. */
function assertInContainers(workspace: TestWorkspace): void {
  const gates = workspace.git("log", "-1", "--format=%(trailers:key=Hone-Gates,valueonly)", "hone");
  assert.match(gates, /\bdocker=pass\b/);
}
