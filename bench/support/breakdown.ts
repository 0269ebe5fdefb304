import { openWorkspace } from "../../src/daemon/compose.ts";
import { operationsOf } from "../../src/daemon/operations.ts";
import { parseConfig } from "../../src/config.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { House } from "../../src/ports/house.ts";
import { median, type Figure } from "./figures.ts";

/** The parts of a call, each with the time spent in it by the calls, in milliseconds. */
type Clock = { spent: Map<string, number> };

/**
 * Where the time of a call goes, by parts of the house: the medians of calls that are made in this
 * process, without the socket. `guest` is what the guest itself counts; the rest of `sandbox` is the
 * way there and back.
 */
export async function breakdownOf(
  dir: string,
  call: { readonly skill: string; readonly input: JsonObject },
  count: number,
): Promise<readonly Figure[]> {
  await using workspace = await openWorkspace(dir, {
    config: parseConfig({}, "bench"),
    exclusive: true,
  });
  const clock: Clock = { spent: new Map() };
  const { house } = workspace;
  const timedHouse: House = {
    ...house,
    library: timedParts(house.library, clock, "library"),
    store: timedParts(house.store, clock, "ledger"),
    sandbox: timedParts(house.sandbox, clock, "sandbox"),
    ...timedParts({ score: house.score }, clock, "score"),
    ...timedParts({ inputProblems: house.inputProblems }, clock, "input check"),
  };
  const operations = operationsOf({ ...workspace, house: timedHouse });
  const samples = new Map<string, number[]>();
  for (let at = -50; at < count; at += 1) {
    clock.spent = new Map();
    const began = performance.now();
    const { durationMs } = await operations.call(call);
    clock.spent.set("the whole", performance.now() - began);
    clock.spent.set("guest", Number(durationMs));
    if (at < 0) continue;
    for (const [part, ms] of clock.spent) samples.set(part, [...(samples.get(part) ?? []), ms]);
  }
  return [...samples].map(([part, times]) => ({
    name: `of a call without the socket: ${part}, p50`,
    value: median(times),
    unit: "ms" as const,
    note: `least ${Math.min(...times).toFixed(3)}`,
  }));
}

/** The same object, with the time of its methods added up under a name. */
function timedParts<T extends object>(parts: T, clock: Clock, name: string): T {
  return new Proxy(parts, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]): unknown => {
        const began = performance.now();
        const add = (): void => {
          const before = clock.spent.get(name) ?? 0;
          clock.spent.set(name, before + performance.now() - began);
        };
        const made: unknown = Reflect.apply(member, target, args);
        if (made instanceof Promise) return made.finally(add);
        add();
        return made;
      };
    },
  });
}
