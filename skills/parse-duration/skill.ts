const UNIT_MS: Record<string, number> = {
  us: 0.001,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const WORDS: Record<string, string> = {
  µs: "us",
  μs: "us",
  microsecond: "us",
  msec: "ms",
  milli: "ms",
  millisecond: "ms",
  sec: "s",
  second: "s",
  min: "m",
  minute: "m",
  hr: "h",
  hour: "h",
  day: "d",
  wk: "w",
  week: "w",
};

const SMALLER: Record<string, string> = { w: "d", d: "h", h: "m", m: "s", s: "ms" };

/**
 * Reads a duration as milliseconds: `1h 30m`, `2 days and 3 hours`, `1h30`, `1.5 min`, ISO 8601
 * (`PT1H30M`, `P2W`), or clock time (`1:30` is minutes and seconds, `1:30:00` has hours). A bare
 * number is in `unit` (default `ms`). Months and years have no fixed length and throw, as does
 * whatever else it cannot read whole.
 */
export function parseDuration(text: string, unit?: "ms" | "s" | "m" | "h" | "d"): number {
  const trimmed = text.trim().replace(/^−/, "-");
  const sign = trimmed.startsWith("-") ? -1 : 1;
  const written = trimmed.replace(/^[-+]\s*/, "");
  const ms =
    isoOf(written) ?? clockOf(written) ?? bareOf(written, unit ?? "ms") ?? wordsOf(written);
  // Sums of decimals are rounded to the nanosecond: 0.1 h is 360000, not 360000.00000000006.
  const rounded = Math.round(ms * 1e6) / 1e6;
  return rounded === 0 ? 0 : sign * rounded;
}

function isoOf(text: string): number | null {
  if (!/^P/i.test(text)) return null;
  const number = String.raw`(\d+(?:[.,]\d+)?)`;
  if (/^P[^T]*\d[YM]/i.test(text))
    throw new Error(`months and years have no fixed length: ${text}`);
  const found = new RegExp(
    `^P(?:${number}W)?(?:${number}D)?(?:T(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`,
    "i",
  ).exec(text);
  const parts = found?.slice(1) ?? [];
  if (!parts.some((part) => part !== undefined) || /T$/i.test(text)) throw notADuration(text);
  return ["w", "d", "h", "m", "s"].reduce(
    (sum, unit, at) => sum + numberOf(parts[at] ?? "0") * lengthOf(unit),
    0,
  );
}

function clockOf(text: string): number | null {
  const found = /^(?:(\d+):)?(\d{1,2}):(\d{2}(?:[.,]\d+)?)$/.exec(text);
  if (found === null) return null;
  const [, hours = "0", minutes = "0", seconds = "0"] = found;
  if (numberOf(seconds) >= 60 || (found[1] !== undefined && numberOf(minutes) >= 60)) {
    throw notADuration(text);
  }
  return (numberOf(hours) * 60 + numberOf(minutes)) * 60_000 + numberOf(seconds) * 1_000;
}

function bareOf(text: string, unit: string): number | null {
  return /^(?:\d+(?:[.,]\d+)?|[.,]\d+)$/.test(text) ? numberOf(text) * lengthOf(unit) : null;
}

function wordsOf(text: string): number {
  const part = /(\d+(?:[.,]\d+)?|[.,]\d+)\s*([a-zµμ]*)\.?(?:\s*,\s*|\s+)?(?:and\s+)?/iy;
  let sum = 0;
  let last: string | null = null;
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (found === null) throw notADuration(text);
    const [, number = "", word = ""] = found;
    const unit: string | undefined = word === "" ? SMALLER[last ?? ""] : unitOf(word);
    if (unit === undefined) throw notADuration(text);
    sum += numberOf(number) * lengthOf(unit);
    last = unit;
  }
  if (last === null) throw notADuration(text);
  return sum;
}

function unitOf(word: string): string {
  const lower = word.toLowerCase();
  const singular = lower.length > 2 ? lower.replace(/s$/, "") : lower;
  const unit = [lower, singular, WORDS[lower], WORDS[singular]].find(
    (each) => each !== undefined && Object.hasOwn(UNIT_MS, each),
  );
  if (unit === undefined) throw new Error(`unknown unit ${word}`);
  return unit;
}

function numberOf(written: string): number {
  return Number(written.replace(",", "."));
}

function lengthOf(unit: string): number {
  return UNIT_MS[unit] ?? Number.NaN;
}

function notADuration(text: string): Error {
  return new Error(`not a duration: ${JSON.stringify(text)}`);
}
