import assert from "node:assert/strict";
import { test } from "node:test";
import type { GuestFrame, HostFrame } from "../../../sandbox/isolate/protocol.ts";
import { CallRecord } from "../../../src/adapters/guest/call-record.ts";
import { converse } from "../../../src/adapters/guest/conversation.ts";
import type { Guest, GuestEnd, KillReason } from "../../../src/adapters/guest/guest.ts";
import { Inbox } from "../../../src/adapters/guest/inbox.ts";
import { frameOf, partOf } from "../../../src/adapters/guest/part.ts";
import { aCall, anExecution, statusesOf } from "../../support/executions.ts";

const BEGAN: GuestFrame = { kind: "began" };
const DONE: GuestFrame = { kind: "done" };

const never = new AbortController().signal;

function ended(value: unknown): GuestFrame {
  return {
    kind: "ended",
    outcome: { status: "returned", value },
    logs: [],
    hits: [],
    usage: { wallMs: 1, cpuMs: 1, heapBytes: 1 },
    atLoad: false,
  };
}

/** What becomes of three calls where a guest, whoever it is, says this. */
async function told(frames: readonly GuestFrame[]): Promise<readonly string[]> {
  const calls = [1, 2, 3].map((n) => aCall({ args: [n] }));
  const execution = anExecution("function skill(n) { return n }", { calls });
  const records = calls.map((call) => new CallRecord(call));
  const frame = frameOf(execution, records, null);
  const part = partOf(
    await converse(new Speaker(frames), frame, records, never),
    execution,
    records,
  );
  const broken = part.broken === null ? [] : [part.broken.result];
  return statusesOf([...part.results, ...broken]);
}

test("there is one result for each call, and then the end", async () => {
  const outcomes = await told([BEGAN, ended(1), ended(2), ended(3), DONE]);

  assert.deepEqual(outcomes, ["returned", "returned", "returned"]);
});

test("a guest that says it is done before all calls have ended has crashed", async () => {
  assert.deepEqual(await told([BEGAN, DONE]), ["crashed"]);
  assert.deepEqual(await told([BEGAN, ended(1), ended(2), DONE]), [
    "returned",
    "returned",
    "crashed",
  ]);
});

test("more results than there are calls, a second beginning and a word out of place end the guest", async () => {
  const [over, twice, sifted] = [new Speaker([]), new Speaker([]), new Speaker([])];
  const words: readonly (readonly [Speaker, readonly GuestFrame[]])[] = [
    [over, [BEGAN, ended(1), ended(2), ended(3), ended(4)]],
    [twice, [BEGAN, BEGAN]],
    [sifted, [BEGAN, { kind: "broke" }]],
  ];
  for (const [guest, frames] of words) {
    guest.say(frames);
    const calls = [1, 2, 3].map((n) => aCall({ args: [n] }));
    const execution = anExecution("function skill(n) { return n }", { calls });
    const records = calls.map((call) => new CallRecord(call));

    await converse(guest, frameOf(execution, records, null), records, never).catch(() => null);

    assert.equal(guest.killedFor, "protocol");
  }
});

/** A guest that says what it is to say, and nothing when it is spoken to. */
class Speaker implements Guest {
  deadlineMs = Number.POSITIVE_INFINITY;
  cpuMs = 0;
  readonly graceMs = 0;
  killedFor: KillReason | null = null;
  readonly closed: Promise<GuestEnd>;
  readonly #inbox = new Inbox<GuestFrame>();
  readonly #gone = new AbortController();
  readonly #end = Promise.withResolvers<GuestEnd>();

  constructor(frames: readonly GuestFrame[]) {
    this.closed = this.#end.promise;
    this.say(frames);
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  say(frames: readonly GuestFrame[]): void {
    for (const frame of frames) this.#inbox.put(frame);
  }

  send(_frame: HostFrame): void {}

  receive(): Promise<GuestFrame | null> {
    return this.#inbox.next();
  }

  kill(reason: KillReason): void {
    this.killedFor ??= reason;
    this.#gone.abort();
    this.#inbox.close();
    this.#end.resolve({ killedFor: this.killedFor, signal: "SIGKILL", code: null, stderr: "" });
  }
}
