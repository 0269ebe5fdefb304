import { test, type TestContext } from "node:test";
import { theSites } from "./site.ts";

/** One injected fault: what is done to hone, where it strikes, and what has to hold afterwards. */
export type Fault = {
  /** Unique; the sentence of the test. */
  readonly name: string;
  /** The step of the house that is struck. */
  readonly strikes: string;
  /** Injects the fault, and asserts what is special to it; throws where an invariant is broken. */
  readonly holds: (t: TestContext) => Promise<void>;
};

export type FaultTable = {
  readonly kind: string;
  readonly faults: readonly Fault[];
  /** What the shared site has beside its faulty skills. */
  readonly files?: Readonly<Record<string, string>>;
};

/**
 * Runs the faults of a table as tests, if its file is the one that was started: the table of all
 * faults imports the same files only to list them.
 */
export function inject(isMain: boolean, table: FaultTable): FaultTable {
  if (!isMain) return table;
  theSites(table.files);
  for (const { name, strikes, holds } of table.faults) {
    test(`${table.kind}: ${name}`, async (t) => {
      t.diagnostic(`strikes ${strikes}`);
      await holds(t);
    });
  }
  return table;
}
