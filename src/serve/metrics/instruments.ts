import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { METRICS, type MetricName, type MetricRow } from "./table.ts";

type Named<Type extends MetricRow["type"]> = {
  [Name in MetricName]: (typeof METRICS)[Name]["type"] extends Type ? Name : never;
}[MetricName];

/** The metrics of the table in a registry of their own. */
export type Instruments = {
  readonly registry: Registry;
  readonly counter: (name: Named<"counter">) => Counter;
  readonly gauge: (name: Named<"gauge">) => Gauge;
  readonly histogram: (name: Named<"histogram">) => Histogram;
};

/** Milliseconds between samples of the event loop's lag: seldom, so that an idle process is one. */
const LAG_EVERY_MS = 100;

/** Gauges of prom-client that are named as if they were counters, and say the same as others do. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

export function makeInstruments(): Instruments {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  for (const [name, row] of Object.entries(METRICS)) add(name, row, registry);
  const get = (name: MetricName): unknown => registry.getSingleMetric(name);
  return {
    registry,
    counter: (name) => get(name) as Counter,
    gauge: (name) => get(name) as Gauge,
    histogram: (name) => get(name) as Histogram,
  };
}

function add(name: string, { type, help, labels = [], buckets = [] }: MetricRow, of: Registry) {
  const common = { name, help, labelNames: [...labels], registers: [of] };
  if (type === "counter") return new Counter(common);
  if (type === "gauge") return new Gauge(common);
  return new Histogram({ ...common, buckets: [...buckets] });
}
