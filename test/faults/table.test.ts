import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import type { FaultTable } from "./fault.ts";

/** How many faults there have to be at the least. */
const LEAST = 60;

test("every fault has a name of its own and says where it strikes", async (t) => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
  const tables: FaultTable[] = [];
  for (const file of files.filter((name) => name !== "table.test.ts")) {
    const { faults } = (await import(`./${file}`)) as { faults: FaultTable };
    tables.push(faults);
  }

  const rows = tables.flatMap(({ kind, faults }) => faults.map((fault) => ({ kind, ...fault })));

  assert.equal(new Set(rows.map(({ kind, name }) => `${kind}: ${name}`)).size, rows.length);
  assert.ok(rows.every(({ name, strikes }) => name.length > 10 && strikes.length > 3));
  assert.ok(rows.length >= LEAST, `${rows.length} faults`);
  t.diagnostic(`${rows.length} faults are injected:`);
  for (const { kind, name, strikes } of rows) t.diagnostic(`| ${kind} | ${name} | ${strikes} |`);
});
