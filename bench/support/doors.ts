import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { newClient, type McpPlace } from "../../test/support/mcp-clients.ts";
import { BareIsolate } from "./bare-isolate.ts";
import { median, quantile, type Figure } from "./figures.ts";
import type { Daemon } from "./throw-away.ts";

type Question = Parameters<BareIsolate["call"]>[0];

/** A way to have the same thing computed; `call` resolves with the result. */
type Door = { readonly name: string; readonly call: () => Promise<unknown> };

type Measured = { readonly times: number[]; perSecond: number };

const CALL = { skill: "add-up", input: { a: 1, b: 2 } };

/** How many calls are under way at a time where the rate is measured, and for how long, in ms. */
const AT_A_TIME = 4;
const RATE_MS = 1_500;

/** A port that nobody listens at now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/**
 * The same call through each of the daemon's doors, beside the same function in a bare isolate and
 * a bare HTTP echo: one at a time, in turns of a tenth, and then some at a time for a while.
 */
export async function doorsOf(
  { daemon, dir, port }: { readonly daemon: Daemon; readonly dir: string; readonly port: number },
  question: Question,
  count: number,
): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack();
  const token = readFileSync(path.join(dir, "data/run/token"), "utf8").trim();
  const bare = stack.use(await BareIsolate.start());
  const agent = stack.adopt(new Agent({ keepAlive: true }), (one) => one.destroy());
  const body = JSON.stringify(CALL);
  const echo = stack.use(await Echo.start());
  const mcp = async (place: McpPlace): Promise<() => Promise<unknown>> => {
    const client = stack.use(await newClient(place, { mode: "auto" }));
    return async () => {
      const { structuredContent } = await client.call(CALL.skill, CALL.input);
      return structuredContent?.["result"];
    };
  };
  const valueOf = (answer: string): unknown => (JSON.parse(answer) as { value?: unknown }).value;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const doors: readonly Door[] = [
    { name: "bare isolate in a child", call: () => bare.call(question) },
    {
      name: "bare HTTP echo",
      call: async () => {
        const at = { agent, port: echo.port, path: "/", headers };
        return JSON.parse(await post(at, body)) && 3;
      },
    },
    { name: "socket", call: async () => (await daemon.client.call(CALL))["value"] },
    {
      name: "TCP",
      call: async () => valueOf(await post({ agent, port, path: "/v1/call", headers }, body)),
    },
    { name: "MCP, HTTP", call: await mcp({ url: `http://127.0.0.1:${port}/mcp`, token }) },
    { name: "MCP, stdio", call: await mcp({ dir }) },
  ];
  const measured = doors.map((): Measured => ({ times: [], perSecond: 0 }));
  for (const { call } of doors) await timed(30, call);
  for (let turn = 0; turn < 10; turn += 1) {
    for (const [at, { call }] of doors.entries()) {
      measured[at]?.times.push(...(await timed(count / 10, call)));
    }
  }
  for (const [at, { name, call }] of doors.entries()) {
    // One child answers one message at a time.
    const one = measured[at];
    if (one !== undefined)
      one.perSecond = await rateOf(call, name.startsWith("bare i") ? 1 : AT_A_TIME);
  }
  return figuresOf(doors, measured);
}

function figuresOf(doors: readonly Door[], measured: readonly Measured[]): readonly Figure[] {
  const [isolate, echo] = measured.map(({ times }) => median(times));
  const floor = (isolate ?? 0) + (echo ?? 0);
  return doors.flatMap(({ name }, at): Figure[] => {
    const { times = [], perSecond = 0 } = measured[at] ?? {};
    const p50 = median(times);
    const ratio = at < 2 ? "" : `${(p50 / floor).toFixed(2)} of isolate and echo together`;
    const rate = `${perSecond.toFixed(0)} a second`;
    return [
      {
        name: `${name}, p50`,
        value: p50,
        unit: "ms",
        note: [rate, ratio].filter(Boolean).join(", "),
      },
      { name: `${name}, p99`, value: quantile(times, 0.99), unit: "ms" },
    ];
  });
}

/** Times of so many calls of 1 + 2, one after the other, in milliseconds; each answer is checked. */
export async function timed(
  count: number,
  call: () => Promise<unknown>,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const began = performance.now();
    const value = await call();
    times.push(performance.now() - began);
    if (value !== 3) throw new Error(`1 + 2 was answered by ${JSON.stringify(value)}`);
  }
  return times;
}

async function rateOf(call: () => Promise<unknown>, atATime: number): Promise<number> {
  const began = performance.now();
  let calls = 0;
  const one = async (): Promise<void> => {
    while (performance.now() - began < RATE_MS) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: atATime }, one));
  return (calls * 1_000) / (performance.now() - began);
}

type Place = {
  readonly agent: Agent;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};

async function post(place: Place, body: string): Promise<string> {
  const asked = request({ host: "127.0.0.1", method: "POST", ...place }).end(body);
  const [answer] = (await once(asked, "response")) as [NodeJS.ReadableStream];
  return await text(answer);
}

class Echo implements AsyncDisposable {
  readonly port: number;
  readonly #child;

  private constructor(child: ReturnType<typeof spawn>, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(): Promise<Echo> {
    const file = path.join(import.meta.dirname, "bare-echo.ts");
    const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    return new Echo(child, Number(line.toString()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }
}
