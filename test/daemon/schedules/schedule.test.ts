import assert from "node:assert/strict";
import path from "node:path";
import { writeFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { openStore } from "../../../src/adapters/sqlite/sqlite-store.ts";
import { scheduleSettings } from "../../../src/config-schedule.ts";
import { HoneError } from "../../../src/domain/errors.ts";
import { startSchedules } from "../../../src/daemon/schedules/schedule.ts";
import type { Workspace } from "../../../src/daemon/workspace.ts";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Operations } from "../../../src/ports/operations.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { temporaryFolder } from "../../support/ledger.ts";
import { scriptedOperations } from "../../support/scripted-operations.ts";

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** The nights of 2027 in which clocks change, each from noon to noon. */
const NIGHTS = [
  { name: "Vienna, spring", timezone: "Europe/Vienna", noon: "2027-03-27T12:00:00Z" },
  { name: "Vienna, autumn", timezone: "Europe/Vienna", noon: "2027-10-30T12:00:00Z" },
  { name: "New York, spring", timezone: "America/New_York", noon: "2027-03-13T12:00:00Z" },
  { name: "New York, autumn", timezone: "America/New_York", noon: "2027-11-06T12:00:00Z" },
];

for (const { name, timezone, noon } of NIGHTS) {
  test(`B57 B58 T10 ${name}: one run per slot for 48 hours, each 30 s, each minute and daily`, async (t) => {
    const clock = new FakeClock(noon);
    const crons = { half: "*/30 * * * * *", minute: "* * * * *", daily: "30 2 * * *" };
    const house = aHouse(t, clock);
    using _ = house.start(
      ...Object.entries(crons).map(([of, cron]) => ({ name: of, cron, timezone, improve: of })),
    );

    await clock.pass(2 * DAY);

    assert.deepEqual(house.slots("half"), every(noon, 30 * SECOND, 2 * DAY));
    assert.deepEqual(house.slots("minute"), every(noon, MINUTE, 2 * DAY));
    const days = house.slots("daily").map((slot) => wall(slot, timezone));
    const isSpring = name.endsWith("spring");
    assert.deepEqual(days, isSpring ? ["03:00", "02:30"] : ["02:30", "02:30"]);
    assert.ok(clock.wakings < (2 * DAY) / (10 * SECOND), `${clock.wakings} wakings in two days`);
  });
}

test("B57 CPU idle: a daily schedule wakes hone no more than three times a minute", async (t) => {
  const clock = new FakeClock("2027-01-01T03:00:00Z");
  const house = aHouse(t, clock);
  using _ = house.start({ name: "daily", cron: "0 2 * * *", timezone: "UTC", improve: "area" });

  await clock.pass(DAY);

  assert.equal(house.done.length, 1);
  assert.ok(clock.wakings <= 3 * 24 * 60 + 10, `${clock.wakings} wakings`);
});

test("B59 an event loop that is blocked for 10 s over the slot: the daily work is done once", async (t) => {
  const clock = new FakeClock("2027-01-01T01:59:55Z");
  const house = aHouse(t, clock);
  using _ = house.start(
    { name: "daily", cron: "0 2 * * *", timezone: "UTC", improve: "area", catchUp: false },
    { name: "half", cron: "*/30 * * * * *", timezone: "UTC", improve: "area" },
  );

  await clock.block(10 * SECOND);
  await clock.pass(10 * SECOND);

  assert.deepEqual(house.slots("daily"), ["2027-01-01T02:00:00.000Z"]);
  assert.deepEqual(house.slots("half"), ["2027-01-01T02:00:00.000Z"]);
});

test("B59 a machine that sleeps over the slot: the daily work is done once when it wakes, hourly work is let go", async (t) => {
  const clock = new FakeClock("2027-01-01T01:30:00Z");
  const house = aHouse(t, clock);
  using _ = house.start(
    { name: "daily", cron: "0 2 * * *", timezone: "UTC", improve: "area" },
    { name: "hourly", cron: "0 * * * *", timezone: "UTC", improve: "area" },
    { name: "eager", cron: "0 * * * *", timezone: "UTC", improve: "area", catchUp: true },
  );
  await clock.pass(MINUTE);

  clock.jump(3 * DAY + HOUR);
  await clock.pass(MINUTE);

  assert.deepEqual(house.slots("daily"), ["2027-01-04T02:00:00.000Z"]);
  assert.deepEqual(house.slots("hourly"), []);
  assert.deepEqual(house.slots("eager"), ["2027-01-04T02:00:00.000Z"]);
  assert.deepEqual(house.told("schedule.missed"), ["hourly 2027-01-04T02:00:00.000Z"]);
});

test("B61 T10 a restart in the slot, before it and after it: exactly one run", async (t) => {
  const clock = new FakeClock("2027-01-01T01:59:00Z");
  const house = aHouse(t, clock);
  const daily = { name: "daily", cron: "0 2 * * *", timezone: "UTC", improve: "area" };

  house.start(daily)[Symbol.dispose]();
  clock.jump(MINUTE);
  for (let restart = 0; restart < 3; restart += 1) {
    using _ = house.start(daily);
    await clock.pass(100);
  }

  assert.deepEqual(house.slots("daily"), ["2027-01-01T02:00:00.000Z"]);
});

test("B61 a slot that passed while the daemon was down is done once, and only the latest", async (t) => {
  const clock = new FakeClock("2027-01-01T01:00:00Z");
  const house = aHouse(t, clock);
  const daily = { name: "daily", cron: "0 2 * * *", timezone: "UTC", improve: "area" };

  house.start(daily)[Symbol.dispose]();
  clock.jump(5 * DAY + 2 * HOUR);
  house.start(daily)[Symbol.dispose]();
  using _ = house.start(daily);
  await clock.pass(HOUR);

  assert.deepEqual(house.slots("daily"), ["2027-01-06T02:00:00.000Z"]);
});

test("a schedule that is new, or says another time, owes nothing for the time before", async (t) => {
  const clock = new FakeClock("2027-01-01T05:00:00Z");
  const house = aHouse(t, clock);
  const daily = { name: "daily", timezone: "UTC", improve: "area" };

  house.start({ ...daily, cron: "0 2 * * *" })[Symbol.dispose]();
  house.start({ ...daily, cron: "0 3 * * *" })[Symbol.dispose]();

  assert.deepEqual(house.done, []);
});

test("T10 a clock that is put back comes by the same slots again, and nothing is done twice", async (t) => {
  const clock = new FakeClock("2027-01-01T01:30:00Z");
  const house = aHouse(t, clock);
  using _ = house.start(
    { name: "daily", cron: "0 2 * * *", timezone: "UTC", improve: "area" },
    { name: "minute", cron: "* * * * *", timezone: "UTC", improve: "area" },
  );

  await clock.pass(HOUR);
  clock.jump(-HOUR);
  await clock.pass(90 * MINUTE);

  assert.equal(house.slots("daily").length, 1);
  assert.deepEqual(house.slots("minute"), every("2027-01-01T01:30:00Z", MINUTE, 90 * MINUTE));
});

test("T10 a clock that is put forward over the slot: the daily work is done, and the next day's again", async (t) => {
  const clock = new FakeClock("2027-01-01T01:30:00Z");
  const house = aHouse(t, clock);
  using _ = house.start({ name: "daily", cron: "0 2 * * *", timezone: "UTC", improve: "area" });

  await clock.pass(MINUTE);
  clock.jump(HOUR);
  await clock.pass(DAY);

  assert.deepEqual(house.slots("daily"), ["2027-01-01T02:00:00.000Z", "2027-01-02T02:00:00.000Z"]);
});

test("B60 work that throws does not keep the next slot from its own", async (t) => {
  const clock = new FakeClock("2027-01-01T00:00:30Z");
  const house = aHouse(t, clock, async () => {
    throw new HoneError("not-found", "there is no such skill");
  });
  using _ = house.start({ name: "minute", cron: "* * * * *", timezone: "UTC", improve: "area" });

  await clock.pass(3 * MINUTE);

  assert.equal(house.slots("minute").length, 3);
  assert.equal(house.told("schedule.failed").length, 3);
});

test("B60 work that never ends holds up the slots of its time, and no more", async (t) => {
  const clock = new FakeClock("2027-01-01T00:00:30Z");
  const house = aHouse(t, clock, () => new Promise(() => undefined));
  using _ = house.start({
    name: "minute",
    cron: "* * * * *",
    timezone: "UTC",
    improve: "area",
    timeoutMs: 150_000,
  });

  await clock.pass(6 * MINUTE);

  assert.deepEqual(house.slots("minute").map(minuteOf), ["00:01", "00:04"]);
  assert.equal(house.told("schedule.timed-out").length, 2);
  assert.equal(house.told("schedule.skipped").length, 4);
});

test("slots overlap where that is allowed", async (t) => {
  const clock = new FakeClock("2027-01-01T00:00:30Z");
  const house = aHouse(t, clock, () => new Promise(() => undefined));
  const minute = { name: "minute", cron: "* * * * *", timezone: "UTC", improve: "area" };
  using _ = house.start({ ...minute, overlap: "allow" });

  await clock.pass(3 * MINUTE);

  assert.equal(house.slots("minute").length, 3);
});

test("schedules that are started anew, with other settings, still wait for the work under way", async (t) => {
  const clock = new FakeClock("2027-01-01T00:00:30Z");
  const house = aHouse(t, clock, () => new Promise(() => undefined));
  const entry = { name: "minute", cron: "* * * * *", timezone: "UTC", improve: "area" };
  const first = house.start(entry);
  await clock.pass(MINUTE);
  first[Symbol.dispose]();

  using _ = house.start(entry);
  await clock.pass(3 * MINUTE);

  assert.equal(house.slots("minute").length, 1);
  assert.equal(house.told("schedule.skipped").length, 3);
});

test("tasks of a slot bear its name, so that a death between queueing and its end queues nothing twice", async (t) => {
  const clock = new FakeClock("2027-01-01T00:00:30Z");
  const house = aHouse(t, clock, () => new Promise(() => undefined));
  const entry = { name: "all", cron: "* * * * *", timezone: "UTC", submit: "tasks.jsonl" };
  house.write("tasks.jsonl", [
    { skill: "area", input: {} },
    { id: "b", skill: "area", input: {} },
  ]);
  const first = house.start(entry);
  await clock.pass(40 * SECOND);
  await until(() => house.asked.length === 1);
  first[Symbol.dispose]();

  using _ = house.startAgain(entry);
  await until(() => house.asked.length === 2);

  const names = ["all#1@2027-01-01T00:01:00.000Z", "b@2027-01-01T00:01:00.000Z"];
  assert.deepEqual(house.asked.map(idsOf), [names, names]);
});

test("a ledger that takes nothing for a while: the slot is claimed later, once", async (t) => {
  const clock = new FakeClock("2027-01-01T00:00:50Z");
  const house = aHouse(t, clock);
  const claimSlot = house.store.claimSlot.bind(house.store);
  let isFull = true;
  house.store.claimSlot = (...of) => {
    if (isFull) throw new HoneError("store-failed", "the disk is full", { retryable: true });
    return claimSlot(...of);
  };
  using _ = house.start({ name: "minute", cron: "* * * * *", timezone: "UTC", improve: "area" });

  await clock.pass(35 * SECOND);
  isFull = false;
  await clock.pass(20 * SECOND);

  assert.deepEqual(house.slots("minute"), ["2027-01-01T00:01:00.000Z"]);
});

for (const [what, entry] of [
  ["an expression that is none", { cron: "every day" }],
  ["a zone that is none", { cron: "0 2 * * *", timezone: "Europe/Atlantis" }],
  ["a day that never comes", { cron: "0 2 30 2 *" }],
] as const) {
  test(`${what} is told at the start, with the schedule's name`, (t) => {
    const house = aHouse(t, new FakeClock("2027-01-01T00:00:00Z"));

    assert.throws(() => house.start({ name: "nightly", improve: "area", ...entry }), {
      code: "bad-config",
      message: /^schedule nightly: /,
    });
  });
}

/** A ledger, and operations that note what they are asked for. */
function aHouse(
  t: TestContext,
  clock: FakeClock,
  perform: (request: object) => Promise<JsonObject> = async () => ({}),
) {
  const dir = temporaryFolder(t);
  const store = openStore(":memory:");
  t.after(() => store[Symbol.dispose]());
  const done: { readonly skill: string; readonly slot: string }[] = [];
  const asked: object[] = [];
  const events: { readonly kind: string; readonly detail: JsonObject }[] = [];
  const operations: Operations = {
    ...scriptedOperations(),
    improve: async (request) => await perform(request),
    submit: async (request) => {
      asked.push(request);
      return await perform(request);
    },
  };
  const library = { names: async () => ["area"] };
  const tell = (kind: string, _skill: string | null, detail: JsonObject) =>
    void events.push({ kind, detail });
  const claimSlot = store.claimSlot.bind(store);
  store.claimSlot = (schedule, slot) => {
    const isOurs = claimSlot(schedule, slot);
    if (isOurs) done.push({ skill: schedule, slot });
    return isOurs;
  };
  return {
    store,
    done,
    asked,
    write(file: string, tasks: readonly object[]) {
      writeFileSync(path.join(dir, file), tasks.map((task) => JSON.stringify(task)).join("\n"));
    },
    /** In a new process, as far as that is seen from here. */
    startAgain(entry: object): Disposable {
      return this.start(entry, { ...store });
    },
    start(...given: readonly object[]): Disposable {
      const entries = given.filter((one) => "cron" in one);
      const ledger = given.find((one) => !("cron" in one)) ?? store;
      const schedules = entries.map((entry) => scheduleSettings.parse(entry));
      const house = { store: ledger, library, tell, now: clock.now };
      const signal = new AbortController().signal;
      const workspace = { dir, config: { schedules }, house, signal } as unknown as Workspace;
      return startSchedules(workspace, operations, clock);
    },
    /** Slots whose work was begun. */
    slots: (schedule: string): readonly string[] => {
      const skipped = events
        .filter(({ kind }) => kind === "schedule.skipped")
        .map(({ detail }) => `${String(detail["schedule"])} ${String(detail["slot"])}`);
      return done
        .filter(({ skill, slot }) => skill === schedule && !skipped.includes(`${skill} ${slot}`))
        .map(({ slot }) => slot);
    },
    told: (wanted: string): readonly string[] =>
      events
        .filter(({ kind }) => kind === wanted)
        .map(({ detail }) => `${String(detail["schedule"])} ${String(detail["slot"])}`),
  };
}

/** The instants of a steady beat after `from`, up to `length` later. */
function every(from: string, beat: number, length: number): readonly string[] {
  const start = Math.floor(Date.parse(from) / beat) * beat;
  const count = Math.floor((Date.parse(from) + length - start) / beat);
  return Array.from({ length: count }, (_, at) => new Date(start + (at + 1) * beat).toISOString());
}

function wall(slot: string, timeZone: string): string {
  const shown = { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat("en-GB", shown).format(new Date(slot));
}

function minuteOf(slot: string): string {
  return slot.slice(11, 16);
}

function idsOf(request: object): readonly unknown[] {
  return (request as { tasks: readonly { id: unknown }[] }).tasks.map(({ id }) => id);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
