import { engine } from "../support/containers.ts";
import { failing, fated, killing, struck, unverified } from "./engine-struck.ts";
import { inject, type Fault } from "./fault.ts";

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
