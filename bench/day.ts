import { parseArgs } from "node:util";
import { DAY_SKILLS } from "../test/support/day/day-skills.ts";
import { liveDay } from "../test/support/day/live-day.ts";
import { quantile, report, tell, type Figure } from "./support/figures.ts";

/**
 * A day of a service in minutes: `node bench/day.ts [--calls 20000] [--lanes 4] [--every-ms 100]
 * [--json]`. A daemon that is started by its unit's command line answers three MCP clients and an HTTP
 * client, while upstream APIs drift, a person commits mistakes, it is killed twice, told to reload,
 * and the clock is put back. Compared is how long calls take that meet a repair with those that meet
 * none, for skills that ask nobody. Exits with 1 where the former take three times as long.
 */
const { values: options } = parseArgs({
  options: {
    calls: { type: "string", default: "20000" },
    lanes: { type: "string", default: "4" },
    "every-ms": { type: "string", default: "100" },
    json: { type: "boolean", default: false },
  },
});

/** At most so many times as long, at the 99th percentile. */
const MOST = 3;

const startedAt = performance.now();
await using day = await liveDay({
  calls: Number(options.calls),
  lanes: Number(options.lanes),
  everyMs: Number(options["every-ms"]),
  restMs: 5_000,
  tell: (line) => tell(line, options.json),
});
const seconds = (performance.now() - startedAt) / 1_000;
const { tally } = day;
const pure = new Set(DAY_SKILLS.filter(({ drift }) => drift === null).map(({ name }) => name));
const ends = Object.entries(day.drifts).map(([drift, end]) => `${drift} ${end}`);
const runs = new Set(tally.answered.map(({ run }) => run));

const figures: Figure[] = [
  count(
    "calls answered",
    tally.answered.length,
    `${Math.round(tally.answered.length / seconds)} a second`,
  ),
  count("calls cut by two kills, asked again", tally.cut, ""),
  { ...count("calls answered by one run", tally.answered.length - runs.size, ""), limit: 1 },
  {
    ...count("skills that are wrong in the end", day.wrong.length, day.wrong.join(", ")),
    limit: 2,
  },
  count("drifts", ends.length, ends.join(", ")),
  ...latencies(),
  { name: "the whole took", value: seconds, unit: "", note: "s" },
];
process.exitCode = report("day", figures, options.json) ? 0 : 1;

function latencies(): readonly Figure[] {
  const [rest, repair] = [tally.durations("rest", pure), tally.durations("repair", pure)];
  const [calm, busy] = [quantile(rest, 0.99), quantile(repair, 0.99)];
  return [
    { name: "at rest, p50", value: quantile(rest, 0.5), unit: "ms", note: `${rest.length} calls` },
    { name: "at rest, p99", value: calm, unit: "ms" },
    {
      name: "in a repair, p50",
      value: quantile(repair, 0.5),
      unit: "ms",
      note: `${repair.length} calls`,
    },
    { name: "in a repair, p99", value: busy, unit: "ms" },
    { name: "p99 in a repair by p99 at rest", value: busy / calm, unit: "x", limit: MOST },
  ];
}

function count(name: string, value: number, note: string): Figure {
  return { name, value, unit: "", note };
}
