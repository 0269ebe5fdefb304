import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { ReleaseEffect } from "../api/answers.ts";
import { exact } from "../state/clock.ts";
import { count, reward } from "./figures.ts";
import type { ChartInput } from "./reward-chart.tsx";

const HEIGHT = 220;

/** The shortest time that is drawn. */
const LEAST_MS = 10 * 60_000;

type Colours = Readonly<Record<"text" | "grid" | "line" | "bars" | "good" | "bad", string>>;

/** Draws rewards over time into an element; returns what takes the drawing away. */
export function drawRewards(target: HTMLElement, input: ChartInput): () => void {
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  const plot = new uPlot(optionsOf(target, tip, input), dataOf(input), target);
  plot.over.append(tip);
  const resizing = new ResizeObserver(() => {
    if (target.clientWidth > 0) plot.setSize({ width: target.clientWidth, height: HEIGHT });
  });
  resizing.observe(target);
  return () => {
    resizing.disconnect();
    plot.destroy();
  };
}

/** Steps without a run are gaps only where they are many: a line over a quiet night says nothing false. */
function dataOf({ points, stepMs, to }: ChartInput): uPlot.AlignedData {
  const at = points.map((point) => Math.min(point.at + stepMs / 2, to) / 1_000);
  return [at, points.map(({ runs }) => runs), points.map(({ meanReward }) => meanReward)];
}

function optionsOf(target: HTMLElement, tip: HTMLElement, input: ChartInput): uPlot.Options {
  const colours = coloursOf(target);
  const { points, stepMs, from, to } = input;
  const first = Math.min(points[0]?.at ?? to, to - LEAST_MS) - stepMs;
  const start = Math.max(from, first);
  const most = Math.max(1, ...points.map(({ runs }) => runs));
  const axis = { stroke: colours.text, font: "11px system-ui, sans-serif", ticks: { show: false } };
  return {
    width: target.clientWidth || 600,
    height: HEIGHT,
    padding: [16, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: [start / 1_000, (to + (to - start) * 0.01) / 1_000] },
      reward: { range: [0, 1.02] },
      runs: { range: [0, most * 4] },
    },
    axes: [
      { ...axis, grid: { show: false }, incrs: TICKS_S, space: 70, values: timesOf },
      {
        ...axis,
        scale: "reward",
        size: 38,
        splits: () => [0, 0.25, 0.5, 0.75, 1],
        values: (_, splits) => splits.map((each) => each.toFixed(2)),
        grid: { stroke: colours.grid, width: 1 },
      },
    ],
    series: [
      {},
      {
        scale: "runs",
        stroke: "transparent",
        fill: colours.bars,
        paths: barsOf(),
        points: { show: false },
      },
      {
        scale: "reward",
        stroke: colours.line,
        width: 2,
        spanGaps: true,
        points: { show: points.length < 60, size: 5, fill: colours.line },
      },
    ],
    hooks: {
      draw: [(plot) => mark(plot, input.releases, colours)],
      setCursor: [(plot) => tell(plot, tip, input)],
    },
  };
}

/** Distances of ticks, in seconds: from a minute to a month. */
const TICKS_S = [
  60, 300, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000,
];

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** The time of day, and the day where it is another than that of the tick before. */
function timesOf(_: uPlot, splits: readonly number[]): string[] {
  const [first = 0, second = 0] = splits;
  let last = "";
  return splits.map((at) => {
    const day = DAY.format(at * 1_000);
    const isNew = day !== last;
    last = day;
    if (second - first >= 86_400) return day;
    const time = CLOCK.format(at * 1_000);
    return isNew ? `${time}\n${day}` : time;
  });
}

function barsOf(): uPlot.Series.PathBuilder {
  const bars = uPlot.paths.bars;
  if (bars === undefined) throw new Error("uPlot draws bars");
  return bars({ size: [0.7, 24] });
}

/** A line down and a mark at its head: a triangle up for a release, down for a rollback. */
function mark(plot: uPlot, releases: readonly ReleaseEffect[], colours: Colours): void {
  const { ctx, bbox } = plot;
  const unit = devicePixelRatio;
  ctx.save();
  for (const { releasedAt, reverts } of releases) {
    const x = plot.valToPos(releasedAt / 1_000, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const isUp = reverts === null;
    ctx.strokeStyle = ctx.fillStyle = isUp ? colours.good : colours.bad;
    ctx.lineWidth = unit;
    ctx.setLineDash([3 * unit, 3 * unit]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const [tipAt, base] = isUp
      ? [bbox.top - 11 * unit, bbox.top - 2 * unit]
      : [bbox.top - 2 * unit, bbox.top - 11 * unit];
    ctx.beginPath();
    ctx.moveTo(x, tipAt);
    ctx.lineTo(x - 5 * unit, base);
    ctx.lineTo(x + 5 * unit, base);
    ctx.fill();
  }
  ctx.restore();
}

/** What is under the cursor, in words: the step, and the releases near it. */
function tell(plot: uPlot, tip: HTMLElement, { points, releases }: ChartInput): void {
  const { idx, left = -1 } = plot.cursor;
  const point = idx === null || idx === undefined ? undefined : points[idx];
  tip.hidden = point === undefined || left < 0;
  if (point === undefined || left < 0) return;
  const near = releases.filter(
    ({ releasedAt }) => Math.abs(plot.valToPos(releasedAt / 1_000, "x") - left) < 8,
  );
  tip.replaceChildren(
    line(exact(point.at), "muted"),
    line(`reward ${reward(point.meanReward)} · ${count(point.runs)} runs`, "figure"),
    ...near
      .slice(0, 4)
      .map(({ skill, reverts }) =>
        line(`${reverts === null ? "▲ released" : "▼ taken back"} ${skill}`, ""),
      ),
  );
  const isRight = left > plot.over.clientWidth / 2;
  tip.style.left = isRight ? "" : `${left + 12}px`;
  tip.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : "";
}

function line(text: string, name: string): HTMLElement {
  const made = document.createElement("p");
  made.className = name;
  made.textContent = text;
  return made;
}

function coloursOf(target: HTMLElement): Colours {
  // A canvas takes no variables: an element of that colour tells what it comes to.
  const probe = target.appendChild(document.createElement("i"));
  const of = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const found = {
    text: of("text-muted"),
    grid: of("line-soft"),
    line: of("accent"),
    bars: of("bars"),
    good: of("good"),
    bad: of("bad"),
  };
  probe.remove();
  return found;
}
