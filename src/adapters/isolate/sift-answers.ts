import type { GuestFrame, HostFrame } from "../../../sandbox/isolate/protocol.ts";
import type { Request } from "../../domain/trace.ts";
import type { CapabilityHost, Delivery, SiftedCall } from "../../ports/sandbox.ts";

/** How a call went up to some delivery, for every variant that asked the same until then. */
type Course = {
  readonly call: number;
  readonly before: Course | null;
  readonly requests: readonly Request[];
  readonly delivery: Delivery;
  /** It has answered just this much; null where another course has gone on with it. */
  host: CapabilityHost | null;
};

/** Turns of one call that are answered at most: a guest that wants more has lost its way. */
const MOST_TURNS = 100_000;

/**
 * Answers what variants ask: each course of a call once, by a host of its own. Guests are told the
 * number of each course, and ask for what comes after it.
 */
export class SiftAnswers {
  readonly #calls: readonly SiftedCall[];
  readonly #courses: Course[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(calls: readonly SiftedCall[]) {
    this.#calls = calls;
  }

  /** Every call has a host that answers. */
  get isAnswering(): boolean {
    return this.#calls.every(({ makeHost }) => makeHost !== undefined);
  }

  /** The answer to what a guest wants; null where it wants what no variant can. */
  async next(
    { call, after, requests }: Extract<GuestFrame, { kind: "wants" }>,
    signal: AbortSignal,
  ): Promise<HostFrame | null> {
    const before = after === -1 ? null : this.#courses[after];
    const isSound = before === null || before?.call === call;
    if (!isSound || this.#courses.length >= MOST_TURNS) return null;
    const key = `${call} ${after} ${JSON.stringify(requests)}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return this.#told(known);
    const host = await this.#hostAfter(before, call, signal);
    if (host === null) return null;
    const delivery = await host.next(requests as readonly Request[], signal);
    const course = { call, before, requests: requests as readonly Request[], delivery, host };
    const number = this.#courses.push(course) - 1;
    this.#numbers.set(key, number);
    return this.#told(number);
  }

  /** A host that has told all of a course, and nothing else. */
  async #hostAfter(
    course: Course | null,
    call: number,
    signal: AbortSignal,
  ): Promise<CapabilityHost | null> {
    if (course === null) return this.#calls[call]?.makeHost?.() ?? null;
    const ready = course.host;
    course.host = null;
    if (ready !== null) return ready;
    const turns: Course[] = [];
    for (let at: Course | null = course; at !== null; at = at.before) turns.push(at);
    const host = this.#calls[call]?.makeHost?.() ?? null;
    for (const { requests } of turns.reverse()) await host?.next(requests, signal);
    return host;
  }

  #told(number: number): HostFrame {
    const { answers, now } = (this.#courses[number] as Course).delivery;
    const text = answers.length === 0 ? null : JSON.stringify(answers);
    return { kind: "told", course: number, answers: text, now };
  }
}
