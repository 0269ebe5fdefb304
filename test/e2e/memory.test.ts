import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ROOT } from "../support/imports.ts";

type Figures = { readonly figures: readonly { readonly name: string; readonly value: number }[] };

// A part of what `node bench/memory.ts` does by itself: growth that comes with each run, reload or
// patch shows in it long before the fiftieth megabyte.
const SHORT = ["--runs", "1500", "--reloads", "20", "--repairs", "2", "--patches", "40", "--json"];

test("runs, reloads, repairs and patches leave the daemon's memory as it was (T7)", async () => {
  const bench = path.join(ROOT, "bench/memory.ts");

  const { stdout } = await promisify(execFile)(process.execPath, [bench, ...SHORT]);

  const { figures } = JSON.parse(stdout) as Figures;
  const grown = figures.find(({ name }) => name === "growth in all")?.value ?? Infinity;
  assert.ok(grown < 50, `${grown} MB more than after the warm-up`);
});
