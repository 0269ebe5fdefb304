import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { modelSettings } from "../src/config-model.ts";
import { modelFor } from "../src/daemon/compose-model.ts";
import type { CompletionRequest } from "../src/domain/completion.ts";
import type { Model } from "../src/ports/model.ts";
import { median, quantile, report, tell, type Figure } from "./support/figures.ts";

/**
 * What a completion costs beyond its HTTP exchange: `node bench/model.ts [--rounds 60] [--samples 16]
 * [--json]`. Groups of samples in flight take turns with groups of bare requests of Node's own client
 * with the same bodies, against a scripted server in a process of its own that answers at once, and
 * against one that takes 50 ms as if it generated. Exits with 1 where the median costs 5 ms more.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "60" },
    samples: { type: "string", default: "16" },
    json: { type: "boolean", default: false },
  },
});
const NEVER = new AbortController().signal;
const LIMIT_MS = 5;
const SAMPLES = Number(options.samples);

const figures: Figure[] = [];
for (const afterMs of [0, 50]) {
  tell(`${options.rounds} groups of ${SAMPLES}, answered after ${afterMs} ms`, options.json);
  figures.push(...(await figuresOf(afterMs)));
}
if (!report("model", figures, options.json)) process.exitCode = 1;

async function figuresOf(afterMs: number): Promise<readonly Figure[]> {
  await using server = await startServer(afterMs);
  const settings = modelSettings.parse({ use: "endpoint", url: server.url });
  const notes = { note: () => null, setNote: () => undefined };
  await using model = modelFor(settings, { dir: null, env: {}, notes, now: Date.now });
  if (model === null) throw new Error("the model is on");
  const agent = new http.Agent({ keepAlive: true, maxSockets: SAMPLES });
  const bare: number[] = [];
  const own: number[] = [];
  // The first groups compile the code and open the connections.
  for (let round = -5; round < Number(options.rounds); round += 1) {
    const requests = Array.from({ length: SAMPLES }, (_, at) =>
      requestOf(round * SAMPLES + at + 1_000),
    );
    const raw = await timed(requests, async (one) => await bareCall(server.url, one, agent));
    const full = await timed(requests, async (one) => await complete(model, one));
    if (round < 0) continue;
    bare.push(...raw);
    own.push(...full);
  }
  agent.destroy();
  const where = afterMs === 0 ? "answered at once" : `answered after ${afterMs} ms`;
  const [least, most] = [median(bare), median(own)];
  return [
    { name: `bare request, p50, ${where}`, value: least, unit: "ms", note: p95(bare) },
    { name: `completion, p50, ${where}`, value: most, unit: "ms", note: p95(own) },
    { name: `own overhead, p50, ${where}`, value: most - least, unit: "ms", limit: LIMIT_MS },
  ];
}

function p95(times: readonly number[]): string {
  return `p95 ${quantile(times, 0.95).toFixed(1)}`;
}

async function timed(
  requests: readonly CompletionRequest[],
  call: (request: CompletionRequest) => Promise<void>,
): Promise<readonly number[]> {
  return await Promise.all(
    requests.map(async (request) => {
      const started = performance.now();
      await call(request);
      return performance.now() - started;
    }),
  );
}

/** A prompt of the size that repairs have: about 24,000 characters, all but the seed shared. */
function requestOf(seed: number): CompletionRequest {
  const line =
    "const total = order.lines.filter((line) => line.price > 12).map(({ sku }) => sku);\n";
  return {
    messages: [
      { role: "system", content: "You mend functions. Answer in JSON." },
      { role: "user", content: line.repeat(290) },
    ],
    answerSchema: {
      type: "object",
      properties: {
        reason: { type: "string" },
        edits: { type: "array", items: { type: "object" } },
      },
      required: ["reason", "edits"],
    },
    temperature: 0.8,
    seed,
    maxTokens: 2_048,
    purpose: { kind: "repair", skill: "bench", incident: null },
  };
}

async function complete(model: Model, request: CompletionRequest): Promise<void> {
  const completion = await model.complete(request, NEVER);
  if (completion.status !== "complete") throw new Error(completion.reason);
}

/** The same exchange by Node's own client, its answer read and parsed. */
async function bareCall(url: string, request: CompletionRequest, agent: http.Agent): Promise<void> {
  const { messages, temperature, seed, maxTokens, answerSchema: schema } = request;
  const body = JSON.stringify({
    model: "scripted-model",
    messages,
    temperature,
    seed,
    max_tokens: maxTokens,
    stream: false,
    response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema } },
  });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const call = http.request(`${url}/chat/completions`, { method: "POST", agent, headers });
  call.end(body);
  const [response] = (await once(call, "response")) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const answer = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { choices?: unknown[] };
  if (answer.choices?.length !== 1) throw new Error("no choice came back");
}

async function startServer(afterMs: number): Promise<{ readonly url: string } & AsyncDisposable> {
  const script = path.join(import.meta.dirname, "support", "echo-model.ts");
  const child = spawn(process.execPath, [script, String(afterMs)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    },
  };
}
