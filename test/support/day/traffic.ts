import { setTimeout as pause } from "node:timers/promises";
import { newKey, type Answer, type Caller, type Question } from "./callers.ts";
import { DAY_SKILLS } from "./day-skills.ts";
import type { Tally } from "./tally.ts";

export type Pace = {
  /** Calls that a client has under way at a time. */
  readonly lanes: number;
  /** A lane asks once in so many milliseconds, where it is answered in time. */
  readonly everyMs: number;
};

/** A call that is not accepted is tried again after so many milliseconds, until it is. */
const AGAIN_MS = 100;

/** Of so many calls of a client that can, one is submitted as a task. */
const ONE_SUBMITTED_IN = 4;

type Client = Caller & {
  readonly submit?: (question: Question) => Promise<Answer | null>;
};

/** All clients' calls, skill after skill, until disposed; each call is answered before its lane goes on. */
export function startTraffic(
  clients: readonly Client[],
  tally: Tally,
  pace: Pace,
): AsyncDisposable {
  const life = { isEnding: false };
  let asked = 0;
  const lane = async (client: Client, first: number): Promise<void> => {
    await pause((first * pace.everyMs) / pace.lanes);
    for (let at = first; !life.isEnding; at += 1) {
      const turn = asked++;
      const started = performance.now();
      await answered(client, turn, tally);
      await pause(Math.max(0, pace.everyMs - (performance.now() - started)));
    }
  };
  const lanes = clients.flatMap((client) =>
    Array.from({ length: pace.lanes }, (_, first) => lane(client, first)),
  );
  const all = Promise.all(lanes);
  all.catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      life.isEnding = true;
      await all;
    },
  };
}

async function answered(client: Client, turn: number, tally: Tally): Promise<void> {
  const skill = DAY_SKILLS[turn % DAY_SKILLS.length];
  if (skill === undefined) return;
  const input = skill.input(Math.floor(turn / DAY_SKILLS.length));
  const question = { skill: skill.name, input, expect: skill.truth(input), key: newKey() };
  const isTask = client.submit !== undefined && turn % ONE_SUBMITTED_IN === 0;
  for (;;) {
    const at = performance.now();
    const answer = isTask
      ? await (client.submit?.(question) ?? null)
      : await client.ask(question, () => void (tally.cut += 1));
    const ms = performance.now() - at;
    if (answer !== null) {
      const task = isTask ? question.key : "";
      tally.answered.push({
        client: client.name,
        skill: skill.name,
        at,
        ms,
        run: answer.run,
        task,
      });
      return;
    }
    await pause(AGAIN_MS);
  }
}
