import { unfitJson } from "../../domain/json-text.ts";
import {
  type GuestFrame,
  LONGEST_FRAME_BYTES,
  type TellingError,
  type TellingOutcome,
} from "../../../sandbox/isolate/protocol.ts";

/** A frame as bytes: the length, then the text. */
export function encodeFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(4 + length);
  frame.writeUInt32LE(length, 0);
  frame.write(text, 4, "utf8");
  return frame;
}

/** Puts chunks together to frames. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #held = 0;

  /** The frames that this chunk completes; null when the guest wants to send too much. */
  push(chunk: Buffer): readonly string[] | null {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    const texts: string[] = [];
    for (;;) {
      const length = this.#length();
      if (length !== null && length > LONGEST_FRAME_BYTES) return null;
      if (length === null || this.#held < 4 + length) return texts;
      texts.push(this.#take(length));
    }
  }

  #length(): number | null {
    if (this.#held < 4) return null;
    if ((this.#chunks[0] as Buffer).length < 4) this.#chunks = [Buffer.concat(this.#chunks)];
    return (this.#chunks[0] as Buffer).readUInt32LE(0);
  }

  #take(length: number): string {
    const all =
      this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const rest = all.subarray(4 + length);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#held = rest.length;
    return all.toString("utf8", 4, 4 + length);
  }
}

/**
 * Reads a frame from a guest, which is not to be trusted: whatever does not have the shape of one
 * is malformed, and ends the guest.
 */
export function readGuestFrame(text: string): GuestFrame | "malformed" {
  // The guest refuses what is deeper or larger; whoever walks values here may do so by recursion.
  if (unfitJson(text) !== null) return "malformed";
  const frame = parsed(text) as Partial<Record<string, unknown>> | null;
  switch (frame?.["kind"]) {
    case "ready":
    case "began":
    case "broke":
      return { kind: frame["kind"] };
    case "done":
      return typeof frame["cpuMs"] === "number"
        ? { kind: "done", cpuMs: frame["cpuMs"] }
        : { kind: "done" };
    case "asks":
      return isRequestList(frame["requests"]) && typeof frame["settled"] === "boolean"
        ? (frame as GuestFrame)
        : "malformed";
    case "wants":
      return isRequestList(frame["requests"]) &&
        [frame["call"], frame["after"]].every(Number.isSafeInteger)
        ? (frame as GuestFrame)
        : "malformed";
    case "sifted":
      return isSifted(frame) ? (frame as GuestFrame) : "malformed";
    case "ended":
      return isEnded(frame) ? (frame as GuestFrame) : "malformed";
    default:
      return "malformed";
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Fields = Readonly<Partial<Record<string, unknown>>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRequestList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (request: unknown) =>
        isFields(request) &&
        Number.isSafeInteger(request["id"]) &&
        typeof request["kind"] === "string" &&
        request["args"] !== undefined,
    )
  );
}

function isEnded({ outcome, logs, hits, usage, atLoad }: Fields): boolean {
  return (
    isOutcome(outcome) &&
    Array.isArray(logs) &&
    logs.every(isLogLine) &&
    Array.isArray(hits) &&
    hits.every(Number.isSafeInteger) &&
    isFields(usage) &&
    [usage["wallMs"], usage["cpuMs"], usage["heapBytes"]].every(Number.isFinite) &&
    typeof atLoad === "boolean"
  );
}

function isSifted({ from, to, outcomes, of, used }: Fields): boolean {
  return (
    Number.isSafeInteger(from) &&
    Number.isSafeInteger(to) &&
    Array.isArray(outcomes) &&
    outcomes.every((outcome: unknown) => isSiftedOutcome(outcome)) &&
    [of, used].every((list) => Array.isArray(list) && list.every(Number.isSafeInteger))
  );
}

function isSiftedOutcome(outcome: unknown): boolean {
  if (!isFields(outcome)) return false;
  const { asked = [], status } = outcome;
  const isTold = Array.isArray(asked) && asked.every(isRequestList);
  return isTold && (status === "spent" || status === "asks" || isOutcome(outcome));
}

function isLogLine(line: unknown): boolean {
  if (!isFields(line) || typeof line["text"] !== "string") return false;
  const { level } = line;
  return typeof level === "string" && ["debug", "info", "warn", "error"].includes(level);
}

function isOutcome(value: unknown): value is TellingOutcome {
  if (!isFields(value)) return false;
  switch (value["status"]) {
    case "returned":
      return value["value"] !== undefined;
    case "threw":
    case "not-loaded":
    case "unhandled-rejection":
      return isError(value["error"]);
    case "bad-result":
      return typeof value["path"] === "string" && typeof value["reason"] === "string";
    case "timed-out":
    case "never-settled":
    case "out-of-memory":
      return true;
    default:
      return false;
  }
}

function isError(value: unknown): value is TellingError {
  return (
    isFields(value) && ["name", "message", "stack"].every((key) => typeof value[key] === "string")
  );
}
