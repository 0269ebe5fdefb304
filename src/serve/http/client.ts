import { lstat } from "node:fs/promises";
import { HoneError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Operations } from "../../ports/operations.ts";
import { addressText } from "./address.ts";
import type { Address } from "./address.ts";
import { errorOf } from "./problem.ts";
import { exchange, wireTo } from "./wire.ts";
import type { Wire } from "./wire.ts";

/** The daemon's operations; disposing closes the connections. */
export type Client = Operations & {
  /** A link that lets a browser in, once and for two minutes. */
  readonly loginLink: () => Promise<string>;
} & AsyncDisposable;

/** How long a daemon may take to say that it is there. */
const PROBE_MS = 2_000;

/**
 * The daemon behind a socket, or null when none is up there. Its verbs throw what the daemon threw,
 * and `daemon-unreachable` when it goes away. Throws `busy` for a daemon that does not answer.
 */
export async function connect(socketPath: string): Promise<Client | null> {
  return await connectTo({ kind: "unix", socketPath }, "");
}

/** The same for an address, at which a port asks for the token. */
export async function connectTo(address: Address, token: string): Promise<Client | null> {
  if (address.kind === "unix" && !(await isOurSocket(address.socketPath))) return null;
  const wire = wireTo(address, token);
  let isThere = false;
  try {
    isThere = (await served(wire)) !== null;
    return isThere ? clientOn(wire) : null;
  } finally {
    if (!isThere) wire.agent.destroy();
  }
}

/** The process that serves a socket, or null where nobody does. Throws as `connect` does. */
export async function whoServes(socketPath: string): Promise<number | null> {
  if (!(await isOurSocket(socketPath))) return null;
  const wire = wireTo({ kind: "unix", socketPath }, "");
  try {
    return await served(wire);
  } finally {
    wire.agent.destroy();
  }
}

/** A socket of somebody else would be told our inputs. */
async function isOurSocket(socketPath: string): Promise<boolean> {
  const found = await lstat(socketPath).catch(() => null);
  return found?.isSocket() === true && found.uid === process.getuid?.();
}

/** The process behind the wire; 0 where it does not say. */
async function served(wire: Wire): Promise<number | null> {
  const signal = AbortSignal.timeout(PROBE_MS);
  try {
    const answer = await exchange(wire, { method: "GET", path: "/healthz", body: "", signal });
    if (answer.status !== 200) return null;
    return (JSON.parse(answer.text) as { pid?: number }).pid ?? 0;
  } catch (cause) {
    if (!signal.aborted) return null;
    throw new HoneError("busy", `The daemon at ${addressText(wire.address)} does not answer`, {
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
    report: post("report"),
    tools: post("tools"),
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
    loginLink: async () => (await perform(wire, "login-link", {}))["link"] as string,
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
      hint: "Start it again with `hone start`; what it had accepted is kept.",
    });
  });
  const value = jsonOf(answer.text);
  if (value === null) throw noDaemon(wire);
  if (answer.status === 200) return value as JsonObject;
  throw errorOf(value, answer.status);
}

/** Null for what is no JSON: the answer of another program. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function noDaemon({ address }: Wire): HoneError {
  const message = `What answers at ${addressText(address)} is no daemon of hone`;
  return new HoneError("daemon-unreachable", message, { hint: "See HONE_HOST and `http.port`." });
}
