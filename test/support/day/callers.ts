import { randomUUID } from "node:crypto";
import { request, Agent } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { Json, JsonObject } from "../../../src/domain/json.ts";
import {
  newClient,
  oldClient,
  type McpPlace,
  type TestClient,
  type ToolResult,
} from "../mcp-clients.ts";

/** What a call was answered: the run that it was, and what that returned, where it did. */
export type Answer = { readonly run: string; readonly value: Json | null };

export type Question = {
  readonly skill: string;
  readonly input: JsonObject;
  readonly expect: Json;
  /** The same for every try of one call. */
  readonly key: string;
};

/** Somebody who calls skills. */
export type Caller = AsyncDisposable & {
  readonly name: string;
  /** Once: null where it was refused or cut, to be tried again; `cut` is told of the latter. */
  readonly ask: (question: Question, cut: () => void) => Promise<Answer | null>;
};

/** An agent by MCP. It connects anew after its server went away. */
export function mcpCaller(name: string, place: McpPlace, era: "old" | "new"): Caller {
  let client: Promise<TestClient> | null = null;
  const connect = (): Promise<TestClient> =>
    era === "old" ? oldClient(place) : newClient(place, { mode: "auto", name });
  const leave = async (): Promise<void> => {
    const left = client;
    client = null;
    try {
      await (await left)?.[Symbol.asyncDispose]();
    } catch {
      // It never connected, or has gone already.
    }
  };
  return {
    name,
    async ask({ skill, input }, cut) {
      let isSent = false;
      try {
        const connected = await (client ??= connect());
        isSent = true;
        return answerOf(await connected.call(skill, input));
      } catch (error) {
        if (isSent && !isRefused(error)) cut();
        await leave();
        return null;
      }
    },
    [Symbol.asyncDispose]: leave,
  };
}

/** Nobody listened: nothing was asked. */
function isRefused(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ((at as NodeJS.ErrnoException).code === "ECONNREFUSED") return true;
  }
  return false;
}

/** A result without a run is a refusal: nothing was carried out. */
function answerOf({ _meta, structuredContent, isError }: ToolResult): Answer | null {
  const run = _meta?.["hone/run"];
  if (typeof run !== "string") return null;
  return { run, value: isError === true ? null : (structuredContent?.["result"] ?? null) };
}

/** A program by HTTP: with a key, so that a call that was cut can be asked for again. */
export function httpCaller(
  origin: string,
  token: string,
): Caller & {
  /** Submits one task, under its key, and waits for what becomes of it. */
  readonly submit: (question: Question) => Promise<Answer | null>;
} {
  const agent = new Agent({ keepAlive: true });
  const post = async (verb: string, body: object, key?: string): Promise<Posted> =>
    await exchange(`${origin}/v1/${verb}`, body, {
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
    });
  return {
    name: "http",
    async ask({ skill, input, expect, key }, cut) {
      const { status, body } = await post("call", { skill, input, expect }, key);
      if (status === CUT) cut();
      return status === 200 ? runOf(body) : null;
    },
    async submit({ skill, input, expect, key }) {
      const { status } = await post("submit", { tasks: [{ id: key, skill, input, expect }] });
      if (status !== 200) return null;
      for (;;) {
        const { status: found, body } = await post("task", { id: key });
        if (found === 200 && body["state"] === "done") return runOf(body["run"] as JsonObject);
        if (found === 200 && body["state"] === "failed") {
          throw new Error(`task ${key} failed: ${String(body["error"])}`);
        }
        await pause(25);
      }
    },
    [Symbol.asyncDispose]: async () => agent.destroy(),
  };
}

function runOf({ run, value = null }: JsonObject): Answer {
  return { run: String(run), value };
}

type Posted = { readonly status: number; readonly body: JsonObject };

/** Instead of a status: there was no answer, or half of one; or nobody listened. */
const CUT = 0;
const REFUSED = -1;

async function exchange(
  url: string,
  body: object,
  { agent, headers }: { readonly agent: Agent; readonly headers: Record<string, string> },
): Promise<Posted> {
  const { promise, resolve } = Promise.withResolvers<Posted>();
  const nothing = (error: unknown): void =>
    resolve({ status: isRefused(error) ? REFUSED : CUT, body: {} });
  const sent = request(url, { method: "POST", agent, headers }, (response) => {
    response.once("error", nothing);
    text(response).then((said) => {
      const value: unknown = JSON.parse(said);
      resolve({ status: response.statusCode ?? 0, body: value as JsonObject });
    }, nothing);
  });
  sent.once("error", nothing);
  sent.end(JSON.stringify(body));
  return await promise;
}

export function newKey(): string {
  return randomUUID();
}
