import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Completion, CompletionRequest } from "../../../src/domain/completion.ts";
import {
  failure,
  modelServer,
  type ModelServer,
  type ModelServerOptions,
  type Reply,
} from "../../support/model-server.ts";
import { aRequest, modelAt } from "../../support/models.ts";

const NEVER = new AbortController().signal;

const SCHEMA = { type: "object", properties: { reason: { type: "string" } } };
const PATCH = '{"reason": "off by one", "edits": []}';

type Scene = {
  readonly reply?: string | Reply;
  readonly server?: ModelServerOptions;
  readonly request?: Partial<CompletionRequest>;
  readonly key?: string;
};

/** What becomes of one request to a server that answers as it is told. */
async function outcomeOf({ reply = "", server, request, key }: Scene): Promise<{
  readonly completion: Completion;
  readonly asked: ModelServer["asked"];
}> {
  await using running = await modelServer({ kind: "vllm", answers: () => reply, ...server });
  await using model = modelAt(running.url, key === undefined ? {} : { key });
  const completion = await model.complete(aRequest(request), NEVER);
  return { completion, asked: running.asked };
}

function saidIn(completion: Completion): Extract<Completion, { readonly text: string }> {
  assert.ok("text" in completion, JSON.stringify(completion));
  return completion;
}

suite("what is sent", () => {
  test("is one request, with the schema in the way that works, no tool and no stream (B92, T12)", async () => {
    const { asked } = await outcomeOf({ request: { answerSchema: SCHEMA, seed: 42 } });

    assert.equal(asked.length, 1);
    const { messages, ...body } = asked[0]?.body ?? {};
    assert.deepEqual(messages, [{ role: "user", content: "Mend it." }]);
    assert.deepEqual(body, {
      model: "scripted-model",
      temperature: 0.8,
      seed: 42,
      max_tokens: 512,
      stream: false,
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", strict: true, schema: SCHEMA },
      },
    });
  });

  test("tells a server nothing of the machine or of the package", async () => {
    const { asked } = await outcomeOf({ key: "sk-secret-key" });

    const names = Object.keys(asked[0]?.headers ?? {});
    assert.equal(asked[0]?.headers["user-agent"], "hone");
    assert.equal(asked[0]?.headers.authorization, "Bearer sk-secret-key");
    assert.deepEqual(
      names.filter((name) => /stainless|openai|cookie/i.test(name)),
      [],
    );
  });

  test("has no authorization where there is no key", async () => {
    const { asked } = await outcomeOf({});

    assert.equal(asked[0]?.headers.authorization, undefined);
  });

  test("asks for an answer no longer than the room that the prompt leaves", async () => {
    const content = "A prompt of many words. ".repeat(1_000);

    const { asked, completion } = await outcomeOf({
      server: { quirks: { contextTokens: 8_000 } },
      request: { messages: [{ role: "user", content }], maxTokens: 4_096 },
    });

    assert.equal(completion.status, "complete");
    const maxTokens = Number(asked[0]?.body["max_tokens"]);
    assert.ok(maxTokens < 2_000 && maxTokens > 1_000, String(maxTokens));
  });
});

suite("an answer", () => {
  test("is found with its tokens, cached ones among them", async () => {
    const usage = {
      prompt_tokens: 120,
      completion_tokens: 30,
      prompt_tokens_details: { cached_tokens: 100 },
    };

    const { completion } = await outcomeOf({ reply: { text: PATCH, usage } });

    const { durationMs: _durationMs, ...rest } = saidIn(completion);
    assert.deepEqual(rest, {
      status: "complete",
      text: PATCH,
      reasoning: "",
      usage: { prompt: 120, completion: 30, cached: 100 },
      model: "scripted-model",
      reason: "",
    });
  });

  test("without usage is as good, and is not counted", async () => {
    const { completion } = await outcomeOf({ reply: { text: PATCH, usage: null } });

    assert.equal(saidIn(completion).status, "complete");
    assert.equal(saidIn(completion).usage, null);
  });

  for (const field of ["reasoning", "reasoning_content"] as const) {
    test(`with no content and all of it in ${field} is handed on as reasoning (B81, T13)`, async () => {
      const { completion } = await outcomeOf({
        reply: { text: null, reasoning: PATCH, reasoningField: field },
        request: { answerSchema: SCHEMA },
      });

      assert.equal(completion.status, "complete");
      assert.equal(saidIn(completion).text, "");
      assert.equal(saidIn(completion).reasoning, PATCH);
    });
  }

  test("that ignores its schema is complete all the same: whoever asked validates it (B80, B82)", async () => {
    const text = `Here you are:\n\`\`\`json\n${PATCH}\n\`\`\``;

    const { completion } = await outcomeOf({ reply: text, request: { answerSchema: SCHEMA } });

    assert.equal(completion.status, "complete");
    assert.equal(saidIn(completion).text, text);
  });

  test("that is a tool call in the text is a text, and one in its own field is none (B93)", async () => {
    const leaked = '<tool_call>{"name": "edit", "arguments": {}}</tool_call>';
    const call = { id: "1", type: "function", function: { name: "edit", arguments: "{}" } };

    const asText = await outcomeOf({ reply: leaked });
    const asField = await outcomeOf({
      reply: { text: null, finish: "tool_calls", message: { tool_calls: [call] } },
    });

    assert.equal(saidIn(asText.completion).text, leaked);
    assert.equal(saidIn(asField.completion).text, "");
  });

  test("that is empty is an answer: an empty one (T13)", async () => {
    const { completion } = await outcomeOf({ reply: { text: "" } });

    assert.equal(completion.status, "complete");
    assert.equal(saidIn(completion).text, "");
  });

  test("in parts, as some servers write it, is joined", async () => {
    const { completion } = await outcomeOf({
      reply: {
        text: [
          { type: "text", text: "one " },
          { type: "text", text: "two" },
        ],
      },
    });

    assert.equal(saidIn(completion).text, "one two");
  });

  for (const finish of ["length", "max_tokens"]) {
    test(`that ended for ${finish} is cut off, and never complete (B84, T13)`, async () => {
      const { completion } = await outcomeOf({
        reply: {
          text: PATCH.slice(0, 20),
          finish,
          usage: { prompt_tokens: 5, completion_tokens: 512 },
        },
      });

      assert.equal(completion.status, "cut-off");
      assert.match(completion.reason, /cut off at 512 tokens.*model.maxTokens/);
    });
  }

  test("that names no end but has all the tokens it may have is cut off (B84)", async () => {
    const { completion } = await outcomeOf({
      reply: { text: "half", finish: null, usage: { prompt_tokens: 5, completion_tokens: 512 } },
    });

    assert.equal(completion.status, "cut-off");
  });

  test("that the server gave up says nothing of the request", async () => {
    const { completion } = await outcomeOf({ reply: { text: "half", finish: "abort" } });

    assert.equal(completion.status, "unreachable");
  });

  test("to a prompt that the server cut without a word is told by its count (B85, T13)", async () => {
    const content = "function total(order) { return order.lines.length; }\n".repeat(400);

    const { completion } = await outcomeOf({
      reply: { text: PATCH, usage: { prompt_tokens: 2_048, completion_tokens: 9 } },
      request: { messages: [{ role: "user", content }] },
    });

    assert.equal(completion.status, "context-truncated");
    assert.match(
      completion.reason,
      /saw 2048 tokens of a prompt of about 5\d{3}.*OLLAMA_CONTEXT_LENGTH/,
    );
  });

  test("to a prompt of blanks and repetitions is not taken for one to a cut prompt (B85)", async () => {
    const content = `${"=".repeat(8_000)}\n${" ".repeat(8_000)}\nWhat is it?`;

    const { completion } = await outcomeOf({
      reply: { text: PATCH, usage: { prompt_tokens: 700, completion_tokens: 9 } },
      request: { messages: [{ role: "user", content }] },
    });

    assert.equal(completion.status, "complete");
  });
});

suite("a refusal", () => {
  const TOO_LONG = [
    "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
    "the request exceeds the available context size (4096 tokens), try increasing it",
    "Requested tokens (9000) exceed context window of 4096",
    "The input (9000 tokens) is longer than the model's context length (4096 tokens).",
  ];
  for (const message of TOO_LONG) {
    test(`because of length is rejected with both sizes: ${message.slice(0, 40)}`, async () => {
      const { completion } = await outcomeOf({ reply: failure(400, message) });

      assert.equal(completion.status, "rejected");
      assert.match(
        completion.reason,
        /a prompt of about \d+ tokens is too long for the context of 4096/,
      );
    });
  }

  test("of llama.cpp's names the context beside the message", async () => {
    const error = {
      code: 400,
      message: "too long",
      type: "exceed_context_size_error",
      n_ctx: 4_096,
    };

    const { completion } = await outcomeOf({
      reply: { status: 400, body: JSON.stringify({ error }) },
    });

    assert.equal(completion.status, "rejected");
    assert.match(completion.reason, /context of 4096 tokens/);
  });

  test("with 500 over the output is a bad proposal, asked for once (B83, T12)", async () => {
    const { completion, asked } = await outcomeOf({
      reply: failure(500, "Failed to parse input at pos 12: unexpected token"),
      request: { answerSchema: SCHEMA },
    });

    assert.equal(completion.status, "rejected");
    assert.equal(asked.length, 1);
  });

  test("with 500 for a reason of the server's own says nothing of the request", async () => {
    const { completion } = await outcomeOf({ reply: failure(500, "CUDA error: out of memory") });

    assert.equal(completion.status, "unreachable");
    assert.match(completion.reason, /failed with 500: CUDA error: out of memory/);
  });

  const FORMS = [
    { error: "such a thing" },
    { error: { message: "such a thing" } },
    { object: "error", message: "such a thing", code: 400 },
    { detail: "such a thing" },
    { detail: [{ loc: ["body"], msg: "such a thing" }] },
  ];
  for (const form of FORMS) {
    test(`is understood in the form ${JSON.stringify(form)}`, async () => {
      const { completion } = await outcomeOf({
        reply: { status: 422, body: JSON.stringify(form) },
      });

      assert.equal(completion.status, "rejected");
      assert.match(completion.reason, /refused the request with 422: .*such a thing/);
    });
  }

  test("with status 200 and an error in the body is one", async () => {
    const { completion } = await outcomeOf({ reply: { body: '{"error": "model crashed"}' } });

    assert.equal(completion.status, "unreachable");
    assert.match(completion.reason, /model crashed/);
  });

  test("of the key never has the key in it, even where the server repeats it", async () => {
    const key = "sk-a-key-of-a-person";
    const { completion } = await outcomeOf({
      reply: failure(400, `Incorrect API key provided: ${key}.`),
      key,
    });

    assert.doesNotMatch(JSON.stringify(completion), /sk-a-key/);
    assert.match(completion.reason, /\*\*\*/);
  });

  test("that is long or has control characters becomes one short line", async () => {
    const { completion } = await outcomeOf({
      reply: failure(400, `\u001b[31mred\u001b[0m\r\n${"long ".repeat(500)}`),
    });

    assert.ok(completion.reason.length < 500);
    // oxlint-disable-next-line no-control-regex -- that there is none is the point
    assert.doesNotMatch(completion.reason, /[\u0000-\u001f]/);
  });

  test("for the moment says how long, and nothing is sent before (429)", async () => {
    await using server = await modelServer({
      answers: () => ({ ...failure(429, "slow down"), headers: { "retry-after": "60" } }),
    });
    await using model = modelAt(server.url);

    const refused = await model.complete(aRequest(), NEVER);
    const soon = await model.complete(aRequest(), NEVER);

    assert.equal(refused.status, "unreachable");
    assert.equal("retryAfterMs" in refused && refused.retryAfterMs, 60_000);
    assert.match(refused.reason, /wants fewer requests for 60 s/);
    assert.equal(soon.status, "unreachable");
    assert.match(soon.reason, /wants no request for another (60|59) s/);
    assert.equal(server.asked.length, 1);
  });
});

suite("a way to ask for JSON that fails over real schemas (B82, B83)", () => {
  test("is given up at once where it is refused, and the card says so", async () => {
    await using server = await modelServer({
      answers: ({ body }) =>
        "response_format" in body ? failure(400, "failed to parse grammar") : PATCH,
    });
    await using model = modelAt(server.url);
    const request = aRequest({ answerSchema: SCHEMA });

    const statuses = [];
    for (let at = 0; at < 5; at += 1) statuses.push((await model.complete(request, NEVER)).status);

    const card = await model.card(NEVER);
    assert.deepEqual(statuses, ["rejected", "complete", "complete", "complete", "complete"]);
    assert.equal(card?.mode, "grammar");
    assert.match(card.degraded.join(), /fails over answers as json_schema; hone asks for grammar/);
    assert.equal(server.asked.length, 5);
  });

  test("is given up after two failures, and down to plain text", async () => {
    await using server = await modelServer({
      answers: ({ body }) =>
        "response_format" in body || "json_schema" in body
          ? failure(500, "The model produced invalid output for the grammar")
          : PATCH,
    });
    await using model = modelAt(server.url);
    const request = aRequest({ answerSchema: SCHEMA });

    const statuses = [];
    for (let at = 0; at < 8; at += 1) statuses.push((await model.complete(request, NEVER)).status);

    assert.deepEqual(new Set(statuses.slice(0, 6)), new Set(["rejected"]));
    assert.deepEqual(statuses.slice(6), ["complete", "complete"]);
    assert.equal((await model.card(NEVER))?.mode, "text");
  });

  test("is kept where failures are rare", async () => {
    await using server = await modelServer({
      answers: ({ index }) => (index % 10 === 0 ? failure(500, "invalid json output") : PATCH),
    });
    await using model = modelAt(server.url);

    for (let at = 0; at < 40; at += 1) {
      await model.complete(aRequest({ answerSchema: SCHEMA }), NEVER);
    }

    assert.equal((await model.card(NEVER))?.mode, "json_schema");
  });
});

suite("leaving (B91)", () => {
  test("closes the connection, and the server sees one request", async () => {
    await using server = await modelServer({ answers: () => ({ until: new Promise(() => {}) }) });
    await using model = modelAt(server.url);
    await model.card(NEVER);
    const leaving = new AbortController();
    const completion = model.complete(aRequest(), leaving.signal);
    while (server.asked.length === 0) await pause(5);

    leaving.abort(new Error("spent"));

    await assert.rejects(completion, /spent/);
    for (let at = 0; at < 200 && server.left() === 0; at += 1) await pause(5);
    assert.equal(server.left(), 1);
    assert.equal(server.asked.length, 1);
  });
});
