import { Agent, request } from "node:http";
import { lstat } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { HoneError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Operations } from "../../ports/operations.ts";
import { errorOf } from "./problem.ts";

/** The daemon's operations; disposing closes the connections. */
export type Client = Operations & AsyncDisposable;

/** How long a daemon may take to say that it is there. */
const PROBE_MS = 2_000;

/**
 * The daemon behind a socket, or null when none is up there. Its verbs throw what the daemon threw,
 * and `daemon-unreachable` when it goes away. Throws `busy` for a daemon that does not answer.
 */
export async function connect(socketPath: string): Promise<Client | null> {
  if (!(await isOurSocket(socketPath))) return null;
  const agent = new Agent({ keepAlive: true });
  const wire: Wire = { socketPath, agent };
  try {
    if ((await served(wire)) === null) return null;
  } catch (thrown) {
    agent.destroy();
    throw thrown;
  }
  return clientOn(wire);
}

/** The process that serves a socket, or null where nobody does. Throws as `connect` does. */
export async function whoServes(socketPath: string): Promise<number | null> {
  if (!(await isOurSocket(socketPath))) return null;
  const agent = new Agent();
  try {
    return await served({ socketPath, agent });
  } finally {
    agent.destroy();
  }
}

type Wire = { readonly socketPath: string; readonly agent: Agent };

/** A socket of somebody else would be told our inputs. */
async function isOurSocket(socketPath: string): Promise<boolean> {
  const found = await lstat(socketPath).catch(() => null);
  return found?.isSocket() === true && found.uid === process.getuid?.();
}

/** The process behind the socket. */
async function served(wire: Wire): Promise<number | null> {
  const signal = AbortSignal.timeout(PROBE_MS);
  try {
    const answer = await exchange(wire, { method: "GET", path: "/healthz", body: "", signal });
    return answer.status === 200 ? (JSON.parse(answer.text) as { pid: number }).pid : null;
  } catch (cause) {
    if (!signal.aborted) return null;
    throw new HoneError("busy", `The daemon at ${wire.socketPath} does not answer`, {
      cause,
      hint: "It may be overloaded; try again, or stop it.",
    });
  }
}

function clientOn(wire: Wire): Client {
  const post =
    (verb: keyof Operations) =>
    (body: object = {}): Promise<JsonObject> =>
      perform(wire, verb, body);
  return {
    call: post("call"),
    submit: post("submit"),
    task: post("task"),
    cancel: post("cancel"),
    runs: post("runs"),
    run: post("run"),
    incident: post("incident"),
    candidate: post("candidate"),
    releases: post("releases"),
    evidence: post("evidence"),
    pin: post("pin"),
    unpin: post("unpin"),
    improve: post("improve"),
    birth: post("birth"),
    recurring: post("recurring"),
    retire: post("retire"),
    skills: post("skills"),
    skill: post("skill"),
    test: post("test"),
    status: post("status"),
    activity: post("activity"),
    incidents: post("incidents"),
    log: post("log"),
    schedules: post("schedules"),
    diff: post("diff"),
    why: post("why"),
    rollback: post("rollback"),
    approve: post("approve"),
    reject: post("reject"),
    budget: post("budget"),
    pause: post("pause"),
    resume: post("resume"),
    reload: post("reload"),
    leaveSafeMode: post("leaveSafeMode"),
    verify: post("verify"),
    buildSandbox: post("buildSandbox"),
    [Symbol.asyncDispose]: async () => wire.agent.destroy(),
  };
}

async function perform(wire: Wire, verb: string, body: object): Promise<JsonObject> {
  const answer = await exchange(wire, {
    method: "POST",
    path: `/v1/${verb}`,
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new HoneError("daemon-unreachable", `The daemon went away during ${verb}`, {
      cause,
      hint: "Start it again with `hone run`; what it had accepted is kept.",
    });
  });
  const value: unknown = JSON.parse(answer.text);
  if (answer.status === 200) return value as JsonObject;
  throw errorOf(value, answer.status);
}

type Question = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body: string;
  readonly signal?: AbortSignal;
};

/** One request over the socket. Rejects when there is no answer, or half of one. */
async function exchange(
  { socketPath, agent }: Wire,
  { method, path, body, signal }: Question,
): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const options = { socketPath, agent, method, path, headers, ...(signal ? { signal } : {}) };
  request(options, (response) => {
    text(response).then(
      (received) => resolve({ status: response.statusCode ?? 0, text: received }),
      reject,
    );
  })
    .on("error", reject)
    .end(body);
  return await promise;
}
