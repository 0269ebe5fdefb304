import { signal } from "@preact/signals";

/** The time, as often as relative times change. */
export const now = signal(Date.now());

setInterval(() => {
  now.value = Date.now();
}, 10_000);

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "narrow" });

/** Such as "3 min ago" or "in 2 hr". */
export function relative(at: number, from: number): string {
  const ms = at - from;
  const unit = UNITS.find(([, size]) => Math.abs(ms) >= size);
  if (unit === undefined) return ms > 20_000 ? "in a moment" : "just now";
  return RELATIVE.format(Math.trunc(ms / unit[1]), unit[0]);
}

const EXACT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
});

/** The exact time, in the reader's zone. */
export function exact(at: number): string {
  return EXACT.format(at);
}
