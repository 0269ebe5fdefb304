import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  begun,
  crashed,
  ended,
  NO_LIFE,
  normal,
  quietAt,
  type LifeRecord,
} from "../../src/domain/crash-loop.ts";

const SETTINGS = { crashes: 3, crashWindowMs: 1_000, quietMs: 5_000 };

function begin(before: LifeRecord, at: number, boot = "boot"): LifeRecord {
  return begun(before, { at, pid: 1, boot }, SETTINGS);
}

/** Lives that begin at these times, and none of which ends in order. */
function livesAt(...times: readonly number[]): LifeRecord {
  return times.reduce<LifeRecord>((before, at) => begin(before, at), NO_LIFE);
}

suite("lives of the daemon", () => {
  test("that end in order are no crashes", () => {
    const record = [1, 2, 3, 4].reduce((before, at) => ended(begin(before, at)), NO_LIFE);

    assert.deepEqual(record, NO_LIFE);
  });

  test("that are open when the next begins have crashed", () => {
    const { crashes, safe } = livesAt(1, 2);

    assert.equal(crashes.length, 1);
    assert.equal(safe, null);
  });

  test("that the machine ended have not", () => {
    const record = begin(livesAt(1), 2, "another boot");

    assert.deepEqual(record.crashes, []);
  });

  test("lead to safe mode when three crash within the window, with the last reason", () => {
    const record = begin(crashed(livesAt(1, 2, 3), { at: 4, reason: "no such thing" }), 5);

    assert.equal(record.safe?.since, 5);
    assert.match(record.safe.why, /crashed 3 times.*no such thing/);
  });

  test("do not where the crashes lie further apart", () => {
    assert.equal(livesAt(1, 600, 1_200, 1_900).safe, null);
  });

  test("stay in safe mode while they crash, and until it was quiet for long enough", () => {
    const safe = livesAt(1, 2, 3, 4);
    const again = begin(safe, 4_000);

    assert.equal(quietAt(safe, SETTINGS), 5_004);
    assert.equal(again.safe?.since, 4);
    assert.equal(quietAt(again, SETTINGS), 9_000);
    assert.ok(begin(ended(again), 8_999).safe !== null);
    assert.deepEqual(begin(ended(again), 9_000), { ...livesAt(9_000), crashes: [] });
  });

  test("are normal again when a person says so, and count anew from there", () => {
    const record = normal(livesAt(1, 2, 3, 4));

    assert.equal(record.safe, null);
    assert.equal(begin(record, 5).safe, null);
  });
});
