import * as fc from "./property.ts";
import type { Json } from "../../src/domain/json.ts";
import type { Asks } from "./stand-in-guest.ts";

/** One thing that a task of a random program does. */
export type Deed =
  | { readonly do: "fetch"; readonly path: string }
  | { readonly do: "sleep"; readonly ms: number }
  | { readonly do: "ask"; readonly kind: string; readonly args: Json };

export const HOST = "https://api.test";

const key = fc.constantFrom("a", "ab", "b");

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("fetch" as const),
      path: fc.constantFrom("/1", "/2", "/3"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("sleep" as const), ms: fc.integer({ min: 0, max: 4 }) }),
  },
  fc.record({
    do: fc.constant("ask" as const),
    kind: fc.constantFrom("kv.get", "kv.delete"),
    args: fc.record({ key }),
  }),
  fc.record({
    do: fc.constant("ask" as const),
    kind: fc.constant("kv.set"),
    args: fc.record({ key, value: fc.integer({ min: 0, max: 9 }) }),
  }),
  fc.record({
    do: fc.constant("ask" as const),
    kind: fc.constant("kv.list"),
    args: fc.record({ prefix: fc.constantFrom("", "a") }),
  }),
  fc.record({
    do: fc.constant("ask" as const),
    kind: fc.constant("skills.call"),
    args: fc.record({
      name: fc.constant("other"),
      input: fc.record({ n: fc.integer({ min: 0, max: 2 }) }),
    }),
  }),
);

/** Tasks that run side by side, each a list of deeds one after the other. */
export const randomTasks: fc.Arbitrary<readonly (readonly Deed[])[]> = fc.array(
  fc.array(deed, { maxLength: 4 }),
  { maxLength: 4 },
);

/** A program that does the tasks and tells what it saw, in the order in which it saw it. */
export function programOf(tasks: readonly (readonly Deed[])[]): (asks: Asks) => Promise<Json> {
  return async (asks) => {
    const seen: Json[] = [];
    await Promise.all(
      tasks.map(async (deeds, task) => {
        for (const one of deeds) seen.push([task, await done(one, asks), asks.now()]);
      }),
    );
    return seen;
  };
}

async function done(one: Deed, asks: Asks): Promise<Json> {
  try {
    if (one.do === "sleep") return await asks.sleep(one.ms);
    if (one.do === "ask") return await asks.ask(one.kind, one.args);
    return { ...(await asks.fetch(HOST + one.path)) };
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "thrown";
  }
}
