import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { buildImage } from "../../../src/adapters/docker/image.ts";
import {
  createModelContainer,
  modelContainerOptions,
  type ModelContainerSettings,
} from "../../../src/adapters/docker/model-container.ts";
import { askHealth } from "../../../src/adapters/model-server/ask-health.ts";
import { engine, withEngine } from "../../support/containers.ts";
import { fakeEngine } from "../../support/fake-engine.ts";
import { aFreePort } from "../../support/stand-in.ts";

const NEVER = new AbortController().signal;

test("a container gets the GPUs that are asked for, its weights, and one port of this machine alone", () => {
  const options = modelContainerOptions(settings({ env: { HF_TOKEN: "t", AWS_KEY: "k" } }));
  const of = (gpus: string): unknown =>
    modelContainerOptions(settings({ gpus })).HostConfig?.DeviceRequests;

  assert.deepEqual(options.Cmd, ["--model", "a/b"]);
  assert.deepEqual(options.Env, ["HF_TOKEN=t"]);
  assert.deepEqual(options.HostConfig?.Binds, ["/weights:/root/.cache/huggingface"]);
  assert.deepEqual(options.HostConfig?.PortBindings, {
    "8000/tcp": [{ HostIp: "127.0.0.1", HostPort: "8123" }],
  });
  assert.partialDeepStrictEqual(of("all"), [{ Count: -1, Capabilities: [["gpu"]] }]);
  assert.partialDeepStrictEqual(of("2"), [{ Count: 2 }]);
  assert.partialDeepStrictEqual(of("0,3"), [{ DeviceIDs: ["0", "3"] }]);
  assert.deepEqual(of("none"), []);
});

test("an engine that knows no GPU is told of in one sentence, and no container is left", async (t) => {
  const asked: string[] = [];
  await using fake = await fakeEngine((what) => {
    asked.push(what);
    if (what.endsWith("/start")) {
      const message = 'could not select device driver "" with capabilities: [[gpu]]';
      return { status: 500, json: { message } };
    }
    if (what.startsWith("GET /containers/json")) return { status: 200, json: [] };
    if (what.startsWith("DELETE")) return { status: 204 };
    return { status: what.startsWith("POST") ? 201 : 200, json: { Id: "c1" } };
  });
  const dir = await aDir(t);
  const server = createModelContainer(
    settings({ socket: fake.socket, weights: dir, log: `${dir}/log` }),
  );

  await assert.rejects(server.start(NEVER), {
    code: "sandbox-unavailable",
    message: /no GPU for the container: .*could not select device driver/,
    hint: /NVIDIA Container Toolkit/,
  });
  assert.ok(asked.includes("DELETE /containers/c1"));
});

await withEngine(() => {
  test("a server in a container is started, heard, and gone after it was stopped", async (t) => {
    const dir = await aDir(t);
    const port = await aFreePort();
    const { id: image } = await buildImage(engine, { read: () => null, write: () => undefined });
    const server = createModelContainer(
      settings({
        image,
        args: ["/usr/local/bin/node", "-e", SERVING, String(port)],
        gpus: "none",
        network: "host",
        weights: path.join(dir, "weights"),
        log: path.join(dir, "log"),
        owner: `test-${process.pid}`,
      }),
    );

    const { place, ended } = await server.start(NEVER);
    t.after(() => server.stop(place));
    let health = await askHealth(`http://127.0.0.1:${port}/v1`);
    for (let tries = 0; health.status !== "ready" && tries < 100; tries += 1) {
      await pause(100);
      health = await askHealth(`http://127.0.0.1:${port}/v1`);
    }
    assert.deepEqual(health, { status: "ready", models: ["in-a-container"] });
    assert.equal(await server.isThere(place), true);
    // One that was left by an earlier process of this workspace makes room.
    const second = await server.start(NEVER);
    t.after(() => server.stop(second.place));
    assert.equal(await ended, "its container was removed");
    await server.stop(second.place);

    assert.equal(await server.isThere(second.place), false);
    assert.match(await readFile(path.join(dir, "log"), "utf8"), /loading weights/);
  });
});

const SERVING = `
console.log("loading weights");
process.on("SIGTERM", () => process.exit());
require("node:http").createServer((request, response) => {
  response.end('{"data":[{"id":"in-a-container"}]}');
}).listen(Number(process.argv[1]), "127.0.0.1");
`;

function settings(parts: Partial<ModelContainerSettings>): ModelContainerSettings {
  return {
    socket: "",
    env: {},
    image: "vllm/vllm-openai:latest",
    args: ["--model", "a/b"],
    gpus: "all",
    weights: "/weights",
    port: 8_123,
    innerPort: 8_000,
    network: "bridge",
    owner: "test",
    log: "/dev/null",
    pullMs: 10_000,
    stopMs: 2_000,
    ...parts,
  };
}

async function aDir(t: TestContext): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), "hone-test-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
