import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../../src/domain/json.ts";
import { GOOD_AREA } from "../support/area-skill.ts";
import { skillFiles } from "../support/workspace.ts";
import { inject, type Fault } from "./fault.ts";
import { improvementHolds } from "./improvement.ts";
import { assertClear, assertSound, countsOf } from "./invariants.ts";
import { phasesOf, struckAtFrame } from "./phases.ts";
import { guests, stormOfGuests, strike, strikeGuests } from "./processes.ts";
import { RIGHT, theSite } from "./site.ts";

/** Where an improvement has guests at work, as `phase: frame`. */
const AT_WORK = [
  "reflect: execute",
  "search: sift",
  "search: execute",
  "failing-case: execute",
  "regression: execute",
  "differential: execute",
  "held-out: execute",
  "acceptance: execute",
  "release: execute",
];

const killedAtWork: readonly Fault[] = AT_WORK.map((place) => ({
  name: `a guest is killed in an improvement, at ${place}`,
  strikes: `improvement: ${place}`,
  holds: () => improvementStruck(place, () => strikeGuests()),
}));

const stoppedAtWork: readonly Fault[] = ["search: sift", "regression: execute"].map((place) => ({
  name: `a guest stands still (SIGSTOP) in an improvement, at ${place}`,
  strikes: `improvement: ${place}`,
  holds: () => improvementStruck(place, (pid) => strike(pid, "SIGSTOP")),
}));

/** What a skill may do to its guest from inside, and how it ends. */
const INSIDE: Readonly<Record<string, readonly [body: string, ends: RegExp]>> = {
  "runs a loop of the engine's own": [
    "return [].indexOf.call({ length: 2 ** 53 - 1 } as never, 1 as never);",
    /timed-out/,
  ],
  "grows a Map without end": [
    "const m = new Map(); for (let i = 0; ; i += 1) m.set(i, { i });",
    /out-of-memory|crashed|timed-out/,
  ],
  "resizes buffers without end": [
    "const all: unknown[] = []; for (;;) { const b = new ArrayBuffer(8, { maxByteLength: 2 ** 26 }); b.resize(2 ** 26); new Uint8Array(b).fill(1); all.push(b); }",
    /out-of-memory|crashed|threw|timed-out/,
  ],
  "grows a string without end": [
    "let s = 'x'; const all: string[] = []; for (;;) { s += s; all.push(s.replaceAll('x', 'y')); }",
    /out-of-memory|crashed|threw|timed-out/,
  ],
};

const HOSTILE = Object.entries(INSIDE).map(([, [body]], at) =>
  skillFiles(`hostile${at}`, {
    source: `export function hostile${at}(n: number): unknown {\n  ${body}\n}\n`,
    cases: [],
    metadata: "  limits: { timeoutMs: 500, memoryMb: 16 }",
  }),
);

const fromInside: readonly Fault[] = Object.entries(INSIDE).map(([what, [, ends]], at) => ({
  name: `a skill ${what}`,
  strikes: "live run: the guest, from inside",
  async holds() {
    const site = await theSite();
    const { operations } = site.hone;

    const answer = await operations.call({ skill: `hostile${at}`, input: { n: 1 } });

    assert.match(String(answer["status"]), ends);
    await assertNextIsFine();
  },
}));

/** Long enough to be killed in the middle. */
const SLOW = skillFiles("slow", {
  source:
    "export function slow(n: number): number {\n  let sum = 0;\n  for (let i = 0; i < 3_000_000; i += 1) sum = (sum + n) % 97;\n  return sum;\n}\n",
  cases: [],
  metadata: "  limits: { timeoutMs: 8000 }",
});

export const faults = inject(import.meta.main, {
  kind: "guests",
  files: Object.assign({}, SLOW, goodSkill(), ...HOSTILE) as Record<string, string>,
  faults: [
    {
      name: "the guests that wait are killed",
      strikes: "between runs: idle guests",
      async holds() {
        await theSite();
        assert.ok(strikeGuests() > 0);
        await assertNextIsFine();
      },
    },
    {
      name: "a guest is killed in the middle of a live run",
      strikes: "live run: the guest at work",
      holds: () => liveRunStruck(() => void setTimeout(strikeGuests, 25)),
    },
    {
      name: "a guest is killed with a live run's question in hand",
      strikes: "live run: before the first line",
      holds: () => liveRunStruck(() => void strikeGuests()),
    },
    {
      name: "eight guests are killed under eight live runs",
      strikes: "live runs: all guests at once",
      holds: eightStruck,
    },
    {
      name: "no guest can be started for a while",
      strikes: "live run: the start of guests",
      holds: noGuestStarts,
    },
    {
      name: "a guest is killed as it starts",
      strikes: "the pool: the start of one guest",
      async holds() {
        await theSite();
        const before = new Set(guests());
        strikeGuests();
        while (!guests().some((pid) => !before.has(pid))) await pause(1);
        strikeGuests();
        await assertNextIsFine();
      },
    },
    ...killedAtWork,
    ...stoppedAtWork,
    ...fromInside,
  ],
});

function goodSkill(): Record<string, string> {
  return skillFiles("good", {
    source: GOOD_AREA.replace("function area", "function good"),
    cases: [{ name: "two by three", input: { width: 2, height: 3 }, expect: 6 }],
  });
}

async function assertNextIsFine(): Promise<void> {
  const site = await theSite();
  const { operations } = site.hone;
  const next = await operations.call({ skill: "good", input: { width: 2, height: 3 } });
  assert.equal(next["value"], RIGHT);
  assertSound(site, { recovered: true });
}

async function improvementStruck(
  place: string,
  strike: (pid: number | undefined) => unknown,
): Promise<void> {
  const [phase = "", frame = ""] = place.split(": ");
  const first = await improvementHolds(async (site, attempt) => {
    using phases = phasesOf(site);
    using guest = struckAtFrame(frame, strike, () => phases.now === phase);
    const settled = await attempt();
    assert.ok(guest.struck, `there was a guest at ${place}`);
    return settled;
  });
  assert.ok(!(first instanceof Error) && first.result === "released", "one dead guest is replaced");
}

async function liveRunStruck(strike: () => void): Promise<void> {
  const site = await theSite();
  const { operations } = site.hone;
  const undisturbed = await operations.call({ skill: "slow", input: { n: 5 } });
  const before = countsOf(site.workspace);
  using guest = struckAtFrame("execute", strike);

  const answer: JsonObject = await operations.call({ skill: "slow", input: { n: 5 } });

  assert.ok(guest.struck);
  assert.deepEqual([answer["status"], answer["value"]], ["returned", undisturbed["value"]]);
  const { scores, ...rest } = countsOf(site.workspace);
  const { scores: scoresBefore, ...restBefore } = before;
  assert.equal(scores, (scoresBefore ?? 0) + 1, "the run is scored once");
  assert.deepEqual(rest, restBefore);
  await assertNextIsFine();
}

async function eightStruck(): Promise<void> {
  const site = await theSite();
  const { operations } = site.hone;
  const before = countsOf(site.workspace);
  let begun = 0;
  using _eighth = struckAtFrame(
    "execute",
    () => strikeGuests(),
    () => (begun += 1) === 8,
  );

  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => operations.call({ skill: "slow", input: { n } })),
  );

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set(["returned"]));
  assert.equal(countsOf(site.workspace)["incidents"], before["incidents"]);
  await assertNextIsFine();
}

async function noGuestStarts(): Promise<void> {
  const site = await theSite();
  const { operations } = site.hone;
  const before = countsOf(site.workspace);
  strikeGuests();
  const storm = stormOfGuests();

  const call = await operations
    .call({ skill: "good", input: { width: 2, height: 3 } })
    .catch((error: Error) => error);

  await storm.end();
  assert.ok(call instanceof Error);
  assert.equal(assertClear(call).code, "sandbox-unavailable");
  assert.deepEqual(countsOf(site.workspace), before, "no run, no score, no incident");
  await assertNextIsFine();
}
