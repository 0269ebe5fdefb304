import assert from "node:assert/strict";
import { test } from "node:test";
import { Container } from "../../../src/adapters/docker/container.ts";
import { Engine } from "../../../src/adapters/docker/engine.ts";
import { fakeEngine, type Reply } from "../../support/fake-engine.ts";

const SPEC = {
  image: "sha256:0",
  command: ["node"],
  labels: {},
  uid: 61_200,
  memoryMb: 256,
  runtime: "",
};

test("an engine that never answers is not waited for, whatever it is asked (B52)", async () => {
  await using fake = await fakeEngine(() => "nothing");
  const startedAt = performance.now();

  await assert.rejects(fake.engine.facts(), { code: "sandbox-unavailable" });
  await assert.rejects(
    fake.engine.call("list", 200, (docker) => docker.listContainers()),
    { code: "sandbox-unavailable", message: "the container engine: list: no answer within 200 ms" },
  );

  assert.ok(performance.now() - startedAt < 10_000);
});

test("what comes after the deadline all the same is given up", async () => {
  await using fake = await fakeEngine(() => ({ status: 200, json: {} }));
  const late = Promise.withResolvers<string>();
  const slow = new Promise<string>((resolve) => setTimeout(resolve, 300, "a stream"));

  await assert.rejects(fake.engine.call("attach", 50, () => slow, late.resolve));

  assert.equal(await late.promise, "a stream");
});

test("no socket, a socket without an engine and an address that is no socket are named", async () => {
  const where = (socket: string, env = {}): Promise<unknown> => new Engine({ socket, env }).facts();

  await assert.rejects(where("/nonexistent.sock"), { message: "there is no /nonexistent.sock" });
  await assert.rejects(where("", { DOCKER_HOST: "unix:///nonexistent.sock" }), {
    message: "there is no /nonexistent.sock",
  });
  await assert.rejects(where("", { DOCKER_HOST: "tcp://127.0.0.1:2375" }), /is no Unix socket/);
  await using fake = await fakeEngine(() => ({ status: 200, json: "nonsense" }));
  assert.deepEqual(await where(`unix://${fake.socket}`), { name: "Docker ", runc: "" });
});

test("a wait that returns while the container runs is not its end (B53)", async () => {
  const states = [
    { Running: true, Status: "running", ExitCode: 0 },
    { Running: false, Status: "exited", ExitCode: 3, OOMKilled: false },
  ];
  await using fake = await containerEngine(() => states.shift() ?? {});

  const container = await Container.start(fake.engine, SPEC, () => undefined);

  assert.deepEqual(await container.ended, { code: 3, isOutOfMemory: false });
});

test("a container that has closed its streams and lives on is killed", async () => {
  const running = { Running: true, Status: "running", ExitCode: 0 };
  const killed = { Running: false, Status: "exited", ExitCode: 137, OOMKilled: false };
  const states = [running, running, killed];
  await using fake = await containerEngine(() => states.shift() ?? {});

  const container = await Container.start(fake.engine, SPEC, () => undefined);

  assert.deepEqual(await container.ended, { code: 137, isOutOfMemory: false });
});

test("a container whose exit code is null has not succeeded (B55)", async () => {
  await using fake = await containerEngine(() => ({
    Running: false,
    Status: "exited",
    ExitCode: null,
  }));

  const container = await Container.start(fake.engine, SPEC, () => undefined);

  await assert.rejects(container.ended, { code: "sandbox-unavailable" });
});

test("a container that cannot be started is removed, and the reason is the engine's own", async () => {
  const asked: string[] = [];
  await using fake = await fakeEngine(
    (what) => {
      asked.push(what);
      if (what === "POST /containers/abc/start")
        return { status: 500, json: { message: "no space left on device" } };
      return usual(what, () => ({}));
    },
    (stream) => stream.end(),
  );

  await assert.rejects(
    Container.start(fake.engine, SPEC, () => undefined),
    { message: "the container engine: start a container: no space left on device" },
  );

  assert.equal(asked.at(-1), "DELETE /containers/abc");
  assert.deepEqual([...fake.engine.leftovers], []);
});

/** An engine with one container, which is told to have ended at once, by its wait and its stream. */
function containerEngine(state: () => object): ReturnType<typeof fakeEngine> {
  return fakeEngine(
    (what) => usual(what, state),
    (stream) => stream.end(),
  );
}

function usual(what: string, state: () => object): Reply {
  switch (what) {
    case "POST /containers/create":
      return { status: 201, json: { Id: "abc" } };
    case "POST /containers/abc/wait":
      return { status: 200, json: { StatusCode: 0 } };
    case "GET /containers/abc/json":
      return { status: 200, json: { State: state() } };
    default:
      return { status: 204 };
  }
}
