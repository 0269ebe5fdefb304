import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { makeInstruments } from "../../../src/serve/metrics/instruments.ts";
import { METRICS, type MetricRow } from "../../../src/serve/metrics/table.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../docs");

type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly { readonly expr: string }[];
};
type Dashboard = {
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
};

const dashboard = JSON.parse(
  readFileSync(path.join(DOCS, "grafana/hone.json"), "utf8"),
) as Dashboard;
const queries = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
];
const rows: Readonly<Record<string, MetricRow>> = METRICS;

/** Names of series, each with the labels that a series of it may have. */
function seriesOf(): ReadonlyMap<string, readonly string[]> {
  const ours = Object.entries(rows).flatMap(([name, { type, labels = [] }]) => {
    const parts = type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    const all = ["job", "instance", ...labels];
    return parts.map((part): readonly [string, readonly string[]] => [
      `${name}${part}`,
      part === "_bucket" ? [...all, "le"] : all,
    ]);
  });
  const others = makeInstruments()
    .registry.getMetricsAsArray()
    .map(({ name }): readonly [string, readonly string[]] => [name, ["job", "instance"]]);
  return new Map([...others, ...ours]);
}

test("every metric of the Grafana dashboard is one that /metrics has, with the labels it is asked by", () => {
  const series = seriesOf();
  for (const query of queries) {
    const names = query.match(/\b(?:hone|process|nodejs)_[a-z0-9_]+/g) ?? [];
    assert.ok(names.length > 0, query);
    const known = names.map((name) => series.get(name) ?? assert.fail(`${name} in ${query}`));
    const inBraces = [...query.matchAll(/[{,]([a-z_]+)=~?"/g)].map(([, label]) => label);
    const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, by = ""]) =>
      by.split(/, ?/),
    );
    for (const label of [...inBraces, ...grouped]) {
      assert.ok(
        known.every((labels) => labels.includes(label ?? "")),
        `${label} in ${query}`,
      );
    }
  }
});

test("every metric of the table is in the Grafana dashboard", () => {
  const missing = Object.keys(rows).filter(
    (name) =>
      !queries.some((query) => new RegExp(`\\b${name}(_bucket|_sum|_count)?\\b`).test(query)),
  );

  assert.deepEqual(missing, []);
});

test("the dashboard asks whatever data source it is given, and no panel lies over another", () => {
  const { panels } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const panel of panels) {
    if (panel.type !== "row") assert.equal(panel.datasource?.uid, "${datasource}", panel.title);
    const over = panels.find(
      (other) => other.id < panel.id && overlap(other.gridPos, panel.gridPos),
    );
    assert.equal(over, undefined, `${panel.title} lies over ${over?.title}`);
    assert.ok(panel.gridPos.x + panel.gridPos.w <= 24, panel.title);
  }
});

function overlap(a: Panel["gridPos"], b: Panel["gridPos"]): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

test("docs/metrics.md has every metric of the table, as the table says it", () => {
  const lines = Object.entries(rows).map(
    ([name, { type, help, labels = [] }]) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`,
  );
  const text = readFileSync(path.join(DOCS, "metrics.md"), "utf8");
  const found = text.split("\n").filter((line) => line.startsWith("| `hone_"));

  assert.deepEqual(found, lines, `the table should be:\n${lines.join("\n")}`);
});
