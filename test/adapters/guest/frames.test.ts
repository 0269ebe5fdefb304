import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeFrame, FrameReader, readGuestFrame } from "../../../src/adapters/guest/frames.ts";

test("puts frames together, however they are cut", () => {
  const texts = ["", "a", "ä€😀", "x".repeat(1_000)];
  const bytes = Buffer.concat(texts.map(encodeFrame));

  for (const size of [1, 2, 3, 5, 7, 64, bytes.length]) {
    const reader = new FrameReader();
    const read: string[] = [];
    for (let at = 0; at < bytes.length; at += size)
      read.push(...(reader.push(bytes.subarray(at, at + size)) ?? ["too much"]));
    assert.deepEqual(read, texts);
  }
});

test("refuses a frame that is announced too long, before its bytes have come", () => {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(33_554_433);

  assert.equal(new FrameReader().push(header), null);
});

test("takes nothing from a guest that is not a frame", () => {
  const ended = {
    kind: "ended",
    outcome: { status: "returned", value: null },
    logs: [],
    hits: [],
    usage: { wallMs: 1, cpuMs: 1, heapBytes: 1 },
    atLoad: false,
  };
  const malformed = [
    "",
    "null",
    "[]",
    '{"kind":"passed"}',
    '{"kind":"asks","settled":true}',
    '{"kind":"asks","settled":false,"requests":[{"id":1.5,"kind":"fetch","args":{}}]}',
    JSON.stringify({ ...ended, outcome: { status: "returned" } }),
    JSON.stringify({ ...ended, outcome: { status: "passed" } }),
    JSON.stringify({ ...ended, outcome: { status: "threw", error: { name: "E" } } }),
    JSON.stringify({ ...ended, logs: [{ level: "fatal", text: "" }] }),
    JSON.stringify({ ...ended, logs: [{ level: { toString: 1, valueOf: 1 }, text: "" }] }),
    JSON.stringify({ ...ended, hits: ["1"] }),
    JSON.stringify({ ...ended, usage: null }),
  ];

  assert.deepEqual(readGuestFrame(JSON.stringify(ended)), ended);
  for (const text of malformed) assert.equal(readGuestFrame(text), "malformed", text);
});

test("a frame of megabytes of brackets or members is refused before it is parsed", (t) => {
  const parse = t.mock.method(JSON, "parse");
  const around = (value: string): string =>
    `{"kind":"ended","outcome":{"status":"returned","value":${value}},"logs":[],"hits":[],"atLoad":false}`;
  const count = 3_000_000;
  const hostile = [
    "[".repeat(count),
    around("[".repeat(count) + "]".repeat(count)),
    around(`[${"[],".repeat(count)}0]`),
    around(`{${Array.from({ length: 600_000 }, (_, at) => `"${at}":1`).join(",")}}`),
  ];

  for (const text of hostile) assert.equal(readGuestFrame(text), "malformed");

  assert.equal(parse.mock.callCount(), 0);
});
