import type { HostFrame } from "../protocol.ts";
import type { Channel } from "./channel.ts";

/** What units of one call were told after the same requests, in the same order. */
type Course = {
  /** By which the host knows it; -1 before the first request of a call. */
  readonly number: number;
  /** JSON text of an array; null where nothing will ever come. */
  readonly answers: string | null;
  readonly now: number;
  /** How it goes on, by the text of the next requests. */
  readonly next: Map<string, Course>;
};

/** The answers of the host: each is asked for once, however many units ask the same. */
export type SiftAnswers = {
  /** Before the first request of a call. */
  readonly start: (call: number) => Course;
  readonly after: (course: Course, call: number, requests: string) => Course;
};

export function makeSiftAnswers(channel: Channel): SiftAnswers {
  const starts = new Map<number, Course>();
  const ask = (after: number, call: number, requests: string): Course => {
    channel.write(`{"kind":"wants","call":${call},"after":${after},"requests":${requests}}`);
    const text = channel.read();
    if (text === null) process.kill(process.pid, "SIGKILL");
    const told = JSON.parse(text as string) as HostFrame;
    if (told.kind !== "told") throw new Error("the host owes an answer");
    const { course, answers, now } = told;
    return { number: course, answers, now, next: new Map() };
  };
  return {
    start: (call) => {
      const found = starts.get(call) ?? { number: -1, answers: null, now: 0, next: new Map() };
      starts.set(call, found);
      return found;
    },
    after: (course, call, requests) => {
      const found = course.next.get(requests) ?? ask(course.number, call, requests);
      course.next.set(requests, found);
      return found;
    },
  };
}

/** The functions of this file, which become the text of the guest. */
export const SIFT_ANSWERS_PARTS = [makeSiftAnswers];
