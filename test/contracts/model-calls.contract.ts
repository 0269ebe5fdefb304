import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Caps, ModelCall } from "../../src/domain/budget.ts";
import type { Store } from "../../src/ports/store.ts";

type Calls = Pick<Store, "reserveModelCall" | "endModelCall" | "modelCost" | "costliestIncidents">;

const WIDE = { requests: 1_000, tokens: 1_000_000, seconds: 1_000 };
const CAPS: Caps = { incident: { requests: 2, tokens: 1_000, seconds: 60 }, day: WIDE };
const HOUR_MS = 3_600_000;

function aCall(of: Partial<ModelCall> = {}): ModelCall {
  const common = { kind: "repair", skill: "area", incident: "i1", model: "m", reserved: 100 };
  return { id: "c1", at: 50 * HOUR_MS, ...common, reservedMs: 0, ...of };
}

/** What every ledger of model calls keeps. */
export function modelCallsContract(name: string, make: () => Calls): void {
  suite(`model calls contract: ${name}`, () => {
    test("a call is counted with what was set aside, and then with what it took", () => {
      const calls = make();
      assert.deepEqual(calls.reserveModelCall(aCall(), CAPS), []);
      const at = { incident: "i1", now: 50 * HOUR_MS };
      assert.deepEqual(calls.modelCost(at).incident, { requests: 1, tokens: 100, seconds: 0 });

      const tokens = { prompt: 50, completion: 7, cached: 20 };
      calls.endModelCall("c1", { status: "complete", durationMs: 1_500, tokens });
      assert.deepEqual(calls.modelCost(at).day, { requests: 1, tokens: 57, seconds: 1.5 });
    });

    test("what a server did not count stays as it was set aside", () => {
      const calls = make();
      calls.reserveModelCall(aCall(), CAPS);
      calls.endModelCall("c1", { status: "complete", durationMs: 10, tokens: null });
      const { incident } = calls.modelCost({ incident: "i1", now: 50 * HOUR_MS });
      assert.equal(incident?.tokens, 100);
    });

    test("the requests of an incident never exceed its cap (B10, T12)", () => {
      const calls = make();
      const words = ["a", "b", "c"].map((id) => calls.reserveModelCall(aCall({ id }), CAPS));
      assert.deepEqual(
        words.map(({ length }) => length),
        [0, 0, 1],
      );
      assert.match(words[2]?.[0] ?? "", /this incident has had its 2 requests/);
      const other = calls.reserveModelCall(aCall({ id: "d", incident: "i2" }), CAPS);
      assert.deepEqual(other, []);
    });

    test("tokens that may be needed are held against what is left", () => {
      const calls = make();
      assert.deepEqual(calls.reserveModelCall(aCall({ reserved: 600 }), CAPS), []);
      const [words] = calls.reserveModelCall(aCall({ id: "c2", reserved: 500 }), CAPS);
      assert.match(words ?? "", /400 of its 1000 tokens left, and 500 may be needed/);
    });

    test("seconds are set aside too: what is under way may need them", () => {
      const calls = make();
      assert.deepEqual(calls.reserveModelCall(aCall({ reservedMs: 40_000 }), CAPS), []);
      const [words] = calls.reserveModelCall(aCall({ id: "c2", reservedMs: 30_000 }), CAPS);
      assert.match(words ?? "", /20 of its 60 seconds left, and 30 may be needed/);

      calls.endModelCall("c1", { status: "complete", durationMs: 5_000, tokens: null });
      assert.deepEqual(calls.reserveModelCall(aCall({ id: "c3", reservedMs: 30_000 }), CAPS), []);
      const { incident } = calls.modelCost({ incident: "i1", now: 50 * HOUR_MS });
      assert.equal(incident?.seconds, 35);
    });

    test("the day moves along, and a clock that was put back frees nothing", () => {
      const calls = make();
      const caps = { incident: WIDE, day: { ...WIDE, requests: 1 } };
      assert.deepEqual(calls.reserveModelCall(aCall(), caps), []);
      const later = (hours: number, id: string): number =>
        calls.reserveModelCall(aCall({ id, at: hours * HOUR_MS }), caps).length;
      assert.equal(later(73, "c2"), 1);
      assert.equal(later(20, "c3"), 1);
      assert.equal(later(75, "c4"), 0);
    });

    test("the costliest incidents of the day are told first", () => {
      const calls = make();
      const caps = { incident: WIDE, day: WIDE };
      for (const [id, incident, reserved] of [
        ["a", "i1", 10],
        ["b", "i2", 30],
        ["c", "i1", 15],
      ] as const) {
        calls.reserveModelCall(aCall({ id, incident, reserved }), caps);
      }
      const told = calls.costliestIncidents(50 * HOUR_MS, 5);
      assert.deepEqual(
        told.map(({ incident, tokens }) => [incident, tokens]),
        [
          ["i2", 30],
          ["i1", 25],
        ],
      );
    });
  });
}
