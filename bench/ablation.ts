import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { SEARCH_PARTS } from "../src/domain/search-part.ts";
import { LAUNCHER } from "./support/throw-away.ts";

/**
 * What each part of the search is worth: the same suites, once with all of it and once without each
 * part, by `hone eval`, one after the other. Prints a table in Markdown, for docs/repair.md. What
 * stands behind the suites goes to `hone eval` as it is.
 * Run: `node bench/ablation.ts SUITE... [--budget-ms n] [--jobs n] [--limit n]`.
 */
const given = process.argv.slice(2);
const firstFlag = given.findIndex((word) => word.startsWith("--"));
const suites = firstFlag === -1 ? given : given.slice(0, firstFlag);
const flags = firstFlag === -1 ? [] : given.slice(firstFlag);
if (suites.length === 0) {
  console.error("usage: node bench/ablation.ts SUITE... [--budget-ms n] [--jobs n] [--limit n]");
  process.exitCode = 2;
} else {
  const arms = [[], ...SEARCH_PARTS.map((part) => [part])];
  console.log(headOf(flags).join("\n"));
  for (const without of arms) console.log(rowOf(without, evaluated(without)));
}

/** The totals that `hone eval` reports. */
type Totals = Readonly<
  Record<
    "cases" | "plausible" | "correct" | "overfit" | "needs_data" | "median_ms" | "candidates",
    number
  >
>;

function evaluated(without: readonly string[]): Totals {
  const folder = mkdtempSync(path.join(os.tmpdir(), "hone-ablation-"));
  try {
    const out = path.join(folder, "report.json");
    const part = without.length > 0 ? ["--without", without.join(",")] : [];
    const search = ["--proposers", "revert,drift,search"];
    const args = ["eval", ...suites, ...search, ...part, ...flags, "--json", "--out", out];
    // Progress goes to whoever watches; a case that ended in an error is in the report.
    spawnSync(LAUNCHER, args, { stdio: ["ignore", "ignore", "inherit"] });
    return JSON.parse(readFileSync(out, "utf8")) as Totals;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function headOf(settings: readonly string[]): readonly string[] {
  const today = new Date().toISOString().slice(0, 10);
  const told = settings.length > 0 ? ` with ${settings.join(" ")}` : "";
  return [
    `${today}, ${navigator.hardwareConcurrency} cores, Node ${process.versions.node}${told}`,
    "",
    "| search | cases | plausible | correct | overfit | waits | median ms | candidates |",
    "|---|---|---|---|---|---|---|---|",
  ];
}

function rowOf(without: readonly string[], totals: Totals): string {
  const name = without.length === 0 ? "whole" : `without ${without.join(", ")}`;
  const { cases, plausible, correct, overfit, needs_data: waits, median_ms: ms } = totals;
  const cells = [name, cases, plausible, correct, overfit, waits, ms, totals.candidates];
  return `| ${cells.join(" | ")} |`;
}
