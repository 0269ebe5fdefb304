import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "../../support/property.ts";
import { createCapabilityHosts } from "../../../src/adapters/capabilities/capability-hosts.ts";
import type { Json } from "../../../src/domain/json.ts";
import type { Request } from "../../../src/domain/trace.ts";
import { worldOf } from "../../../src/domain/world.ts";
import type { CapabilityHost } from "../../../src/ports/sandbox.ts";
import { kvStore } from "../../support/kv-store.ts";
import { programOf } from "../../support/random-program.ts";
import { runAgainst } from "../../support/stand-in-guest.ts";

const NOW = 1_000;

const tasks = fc.array(
  fc.array(fc.record({ do: fc.constant("fetch" as const), path: fc.constantFrom("/1", "/2") }), {
    maxLength: 5,
  }),
  { maxLength: 5 },
);

/** A world that answers one request at a time: of those that wait, the one that chance picks. */
function worldOfChance(picks: readonly number[]): CapabilityHost {
  const waiting: Request[] = [];
  let told = 0;
  return {
    next: async (requests) => {
      waiting.push(...requests);
      const at = (picks[told % picks.length] ?? 0) % Math.max(1, waiting.length);
      const [request] = waiting.splice(at, 1);
      if (request === undefined) return { answers: [], now: NOW };
      told += 1;
      const url = (request.args as { readonly url: string }).url;
      const body = `answer ${Math.floor(told / 3)}`;
      const value = { status: 200, headers: {}, body, url, redirected: false };
      return { answers: [{ id: request.id, status: "resolved", value }], now: NOW };
    },
  };
}

test("a run happens again in the world made of its trace, races included", async () => {
  const hosts = createCapabilityHosts({ store: kvStore(), now: () => NOW, fetch });
  const picks = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 12 });
  const property = fc.asyncProperty(tasks, picks, async (tasks, picks) => {
    const before = await runAgainst(worldOfChance(picks), programOf(tasks), NOW);

    const world = worldOf({ environment: { now: NOW, seed: 1 }, steps: before.steps });
    const host = hosts.table(world, { fetch: [] }, "closed");
    const again = await runAgainst(host, programOf(tasks), NOW);

    assert.deepEqual(again.result, before.result);
  });

  await fc.assert(property, { numRuns: 300 });
});

test("an empty world is a world", async () => {
  const hosts = createCapabilityHosts({ store: kvStore(), now: () => NOW, fetch });
  const nothing = async (): Promise<Json> => "nothing asked";

  const { result } = await runAgainst(hosts.table({}, {}, "closed"), nothing, NOW);

  assert.equal(result, "nothing asked");
});
