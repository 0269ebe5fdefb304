import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Operations } from "../../src/ports/operations.ts";
import { serve } from "../../src/serve/http/server.ts";
import { socketPathOf } from "../../src/serve/http/socket-path.ts";
import { aFolder, hone } from "../support/hone.ts";
import { answerBook } from "../support/answer-book.ts";
import { scriptedOperations } from "../support/scripted-operations.ts";

test("with a daemon up, every command asks it", async (t) => {
  const cwd = await aWorkspaceServing(t, {
    ...scriptedOperations(),
    call: async (request) => ({ verb: "call", request, status: "returned" }),
  });
  await writeFile(path.join(cwd, "tasks.jsonl"), '{"skill":"a"}\n{"skill":"b"}\n');
  const commands: readonly (readonly [readonly string[], string, object])[] = [
    [["call", "s", "--input", '{"a":1}'], "call", { skill: "s", input: { a: 1 } }],
    [["call", "s", "--expect", "null"], "call", { skill: "s", input: {}, expect: null }],
    [["submit", "tasks.jsonl"], "submit", { tasks: [{ skill: "a" }, { skill: "b" }] }],
    [["task", "t"], "task", { id: "t" }],
    [["runs", "ls", "s", "--limit", "3"], "runs", { skill: "s", limit: 3 }],
    [["runs", "show", "run_1"], "run", { id: "run_1" }],
    [["improve", "s"], "improve", { skill: "s" }],
    [["skills"], "skills", {}],
    [["skills", "ls"], "skills", {}],
    [["skills", "show", "s"], "skill", { name: "s" }],
    [["incidents", "--all"], "incidents", { all: true }],
    [["log", "s"], "log", { skill: "s" }],
    [["diff", "s", "--from", "a"], "diff", { skill: "s", from: "a" }],
    [["why", "s"], "why", { skill: "s" }],
  ];

  for (const [args, verb, request] of commands) {
    const ended = await hone([...args, "--json"], { cwd });

    assert.equal(ended.code, 0, args.join(" "));
    assert.partialDeepStrictEqual(JSON.parse(ended.stdout), { schemaVersion: 1, verb, request });
  }
});

test("a decision is recorded with the name of who made it", async (t) => {
  const cwd = await aWorkspaceServing(t, scriptedOperations());

  for (const args of [
    ["approve", "c"],
    ["reject", "c"],
    ["rollback", "s"],
    ["pin", "s", "0a1b2c"],
    ["unpin", "s"],
    ["cancel", "t"],
  ]) {
    const { stdout } = await hone([...args, "--json"], { cwd });

    const { request } = JSON.parse(stdout) as { request: { by: string } };
    assert.ok(request.by.length > 0);
  }
});

test("the input may come from stdin", async (t) => {
  const cwd = await aWorkspaceServing(t, scriptedOperations());

  const { stdout } = await hone(["call", "s", "--input", "-", "--json"], { cwd, input: '{"b":2}' });

  assert.deepEqual(JSON.parse(stdout).request, { skill: "s", input: { b: 2 } });
});

test("a call prints the value alone, and about the run on stderr", async (t) => {
  const cwd = await aWorkspaceServing(t, {
    ...scriptedOperations(),
    call: async () => ({
      status: "returned",
      value: { a: ["\u001b[1m"] },
      skill: "s",
      version: "0123456789abc",
      durationMs: 2.531054600004,
      run: "run_0123",
      reward: { status: "scored", score: 0.5 },
    }),
  });

  const loud = await hone(["call", "s"], { cwd });
  const quiet = await hone(["call", "s", "-q"], { cwd });

  assert.equal(loud.stdout, '{\n  "a": [\n    "\\u001b[1m"\n  ]\n}\n');
  assert.equal(loud.stderr, "s at 0123456789, 2.5 ms, reward 0.5, run_0123\n");
  assert.deepEqual(quiet, { ...loud, stderr: "" });
});

test("many tasks go in several requests and give one answer", async (t) => {
  const sizes: number[] = [];
  const cwd = await aWorkspaceServing(t, {
    ...scriptedOperations(),
    submit: async ({ tasks }) => {
      sizes.push(tasks.length);
      return {
        schemaVersion: 1,
        accepted: tasks.length,
        tasks: tasks.map(({ input }) => input ?? null),
      };
    },
  });
  const lines = Array.from({ length: 3_000 }, (_, at) => ({
    skill: "s",
    input: at,
    pad: "x".repeat(300),
  }));
  await writeFile(
    path.join(cwd, "tasks.jsonl"),
    lines.map((line) => JSON.stringify(line)).join("\n"),
  );

  const { stdout } = await hone(["submit", "tasks.jsonl", "--json"], { cwd });

  const answer = JSON.parse(stdout) as { schemaVersion: number; accepted: number; tasks: number[] };
  assert.ok(sizes.length > 1);
  assert.equal(answer.schemaVersion, 1);
  assert.equal(answer.accepted, 3_000);
  assert.deepEqual(
    answer.tasks,
    lines.map(({ input }) => input),
  );
});

test("the exit code tells what became of it", async (t) => {
  const answers = (over: Partial<Operations>): Promise<string> =>
    aWorkspaceServing(t, { ...scriptedOperations(), ...over });
  const giving = (answer: JsonObject) => async (): Promise<JsonObject> => answer;
  const up = await answers({
    call: giving({ status: "threw" }),
    improve: giving({ result: "no-change" }),
    test: giving({ failed: 1, passed: 2 }),
    verify: giving({ result: "different" }),
  });
  const cases: readonly (readonly [readonly string[], number])[] = [
    [["status"], 0],
    [["call", "s"], 1],
    [["improve", "s"], 5],
    [["skills", "test"], 1],
    [["verify", "abc"], 5],
    [["log", "fails with not-found"], 6],
    [["log", "fails with busy"], 75],
    [["log", "fails with no-improvement"], 5],
    [["log", "fails with bad-input"], 2],
    [["log", "fails with store-failed"], 1],
    [["log", "has a bug"], 1],
  ];

  for (const [args, code] of cases) {
    assert.equal((await hone(args, { cwd: up })).code, code, args.join(" "));
  }
});

test("a bug shows its stack only when asked for", async (t) => {
  const cwd = await aWorkspaceServing(t, scriptedOperations());

  const plain = await hone(["log", "has a bug"], { cwd });
  const debug = await hone(["log", "has a bug"], { cwd, env: { HONE_DEBUG: "1" } });

  assert.match(
    plain.stderr,
    /^hone: this is a bug in hone: undefined is not a function\n.*HONE_DEBUG/,
  );
  assert.doesNotMatch(plain.stderr, /\n\s+at /);
  assert.match(debug.stderr, /\n\s+at /);
});

test("SIGINT ends a waiting command with 130, SIGTERM with 143", async (t) => {
  const { promise: never } = Promise.withResolvers<JsonObject>();
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const cwd = await aWorkspaceServing(t, {
      ...scriptedOperations(),
      improve: async () => {
        resolve();
        return await never;
      },
    });

    const ending = hone(["improve", "s"], {
      cwd,
      onSpawn: (child) => void asked.then(() => child.kill(signal)),
    });

    assert.equal((await ending).code, code);
  }
});

test("what skills and pages wrote cannot move the cursor", async (t) => {
  const evil = "a\u001b[2Jb\u009b31mc\u202ed\rE";
  const cwd = await aWorkspaceServing(t, {
    ...scriptedOperations(),
    status: async () => ({ note: evil, text: `${evil}\nmore`, skills: [{ name: evil }] }),
    diff: async () => ({ diff: `+${evil}\n` }),
  });

  for (const args of [["status"], ["status", "--json"], ["diff", "s"]]) {
    const { stdout } = await hone(args, { cwd });

    // oxlint-disable-next-line no-control-regex -- controls are what is looked for
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  }
});

test("people get tables, aligned and without colours in a pipe", async (t) => {
  const cwd = await aWorkspaceServing(t, {
    ...scriptedOperations(),
    incidents: async () => ({
      schemaVersion: 1,
      incidents: [
        { id: "i1", skill: "parse-price", runs: 12, openedAt: 1_700_000_000_000, summary: "a\nb" },
        { id: "i2", skill: "x", runs: 3, openedAt: 1_700_000_000_000, summary: "c" },
      ],
    }),
  });

  const { stdout } = await hone(["incidents"], { cwd });

  assert.equal(
    stdout,
    [
      "ID  SKILL        RUNS  OPENEDAT              SUMMARY",
      "i1  parse-price    12  2023-11-14 22:13:20Z  a b",
      "i2  x               3  2023-11-14 22:13:20Z  c",
      "",
    ].join("\n"),
  );
});

test("long texts are whole, schemas are JSON and the source is a block", async (t) => {
  const long = "a sentence that goes on ".repeat(10).trim();
  const cwd = await aWorkspaceServing(t, {
    ...scriptedOperations(),
    skill: async () => ({
      schemaVersion: 1,
      description: long,
      inputSchema: { type: "object", required: ["url"] },
      cases: [{ name: long, args: ["a", "b"] }],
      source: "one\n  two\n",
    }),
  });

  const { stdout } = await hone(["skills", "show", "s"], { cwd });

  assert.equal(
    stdout,
    [
      `description  ${long}`,
      "",
      "inputSchema",
      '{\n  "type": "object",\n  "required": [\n    "url"\n  ]\n}',
      "",
      "source",
      "one",
      "  two",
      "",
      `NAME${" ".repeat(long.length - 4)}  ARGS`,
      `${long}  ["a","b"]`,
      "",
    ].join("\n"),
  );
});

test("a skill that has not changed has no diff, and that is said", async (t) => {
  const cwd = await aWorkspaceServing(t, {
    ...scriptedOperations(),
    diff: async () => ({ from: "0123456789abc", to: "0123456789abc", diff: "" }),
  });

  const ended = await hone(["diff", "s"], { cwd });

  const stderr = "s has not changed since its first version, 0123456789\n";
  assert.deepEqual(ended, { code: 0, stdout: "", stderr });
});

async function aWorkspaceServing(t: TestContext, operations: Operations): Promise<string> {
  const dir = await aFolder(t);
  await writeFile(path.join(dir, "hone.yaml"), "");
  const serving = await serve({
    socketPath: socketPathOf(dir),
    operations,
    answers: answerBook(),
    events: async function* () {},
    onBug: () => undefined,
  });
  t.after(() => serving[Symbol.asyncDispose]());
  return dir;
}

test("of several tables each has its name above it; a reward is shown by its score", async (t) => {
  const setting = (key: string) => ({ key, from: 1, to: 2 });
  const cwd = await aWorkspaceServing(t, {
    ...scriptedOperations(),
    reload: async () => ({
      result: "applied",
      applied: [setting("tasks.parallel")],
      afterRestart: [setting("guests.most")],
    }),
    runs: async () => ({ runs: [{ run: "run_1", reward: { status: "scored", score: 0.5 } }] }),
  });

  const reloaded = await hone(["reload"], { cwd });
  const runs = await hone(["runs", "ls", "s"], { cwd });

  assert.match(reloaded.stdout, /\napplied:\nKEY +FROM +TO\n.*\n\nafterRestart:\nKEY/);
  assert.match(runs.stdout, /^RUN +REWARD\nrun_1 +0\.5\n/);
});

test("what is wrong with how a command is used leads to that command's help", async (t) => {
  const cwd = await aFolder(t);

  const alone = await hone(["schedule"], { cwd });
  const short = await hone(["report", "run_1"], { cwd });

  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /`hone schedule` wants one of its commands\n +`hone schedule --help`/);
  assert.equal(short.code, 2);
  assert.match(short.stderr, /--reason.*\n +`hone report --help`/);
});
