import { LISTS } from "./corpus-lists.ts";
import { NUMBERS } from "./corpus-numbers.ts";
import { RECORDS } from "./corpus-records.ts";
import { REMOTE } from "./corpus-remote.ts";
import { TEXTS } from "./corpus-texts.ts";
import { sound, type Draw, type Sound } from "./draw.ts";

/** Correct functions of our own, of the kinds that tools are made of, some of each kind. */
const MIXED: readonly Sound[] = [
  sound(
    (d) => [d.list(8, () => d.int(-9, 30)), d.int(-5, 20)],
    `export function countAbove(values, limit) {
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i] > limit) count += 1;
  }
  return count;
}`,
  ),
  sound(
    (d) => [d.list(7, () => d.int(0, 40))],
    `export function spread(values) {
  if (values.length === 0) return 0;
  let low = values[0];
  let high = values[0];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low;
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(1, 6)), d.int(1, 3)],
    `export function rotateLeft(items, steps) {
  const size = items.length;
  if (size === 0) return [];
  const shift = steps % size;
  const result = [];
  for (let i = 0; i < size; i++) {
    result.push(items[(i + shift) % size]);
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.int(0, 20_000)],
    `export function clockText(totalSeconds) {
  const hours = Math.floor(totalSeconds / 3600);
  const minutes = Math.floor((totalSeconds % 3600) / 60);
  const seconds = totalSeconds % 60;
  const pad = (n) => String(n).padStart(2, "0");
  return hours > 0
    ? hours + ":" + pad(minutes) + ":" + pad(seconds)
    : minutes + ":" + pad(seconds);
}`,
  ),
  sound(
    (d) => [d.list(4, d.word).join(d.of([" ", "  ", "-", "_"]))],
    `export function camelName(label) {
  const parts = label.split(/[\\s_-]+/).filter((part) => part.length > 0);
  return parts
    .map((part, index) => {
      const lower = part.toLowerCase();
      return index === 0 ? lower : lower[0].toUpperCase() + lower.slice(1);
    })
    .join("");
}`,
  ),
  sound(
    (d) => [
      d.list(6, () => ({ name: d.word(), price: d.int(1, 50), count: d.int(0, 5) })),
      d.int(0, 90),
    ],
    `export function cartTotal(lines, freeFrom) {
  let total = 0;
  for (const line of lines) {
    if (line.count <= 0) continue;
    total += line.price * line.count;
  }
  const shipping = total >= freeFrom || total === 0 ? 0 : 5;
  return total + shipping;
}`,
  ),
  sound(
    (d) => [d.list(8, d.word)],
    `export function firstRepeated(words) {
  const seen = new Set();
  for (const word of words) {
    const key = word.toLowerCase();
    if (seen.has(key)) return word;
    seen.add(key);
  }
  return null;
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(0, 9)).toSorted((a, b) => a - b), d.int(0, 10)],
    `export function insertionPoint(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (sorted[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}`,
  ),
  sound(
    (d) => [d.text("aab c", 12)],
    `export function runLengths(text) {
  const runs = [];
  let start = 0;
  for (let i = 1; i <= text.length; i++) {
    if (i === text.length || text[i] !== text[start]) {
      runs.push([text[start], i - start]);
      start = i;
    }
  }
  return runs;
}`.replace("const runs = [];", "const runs = [];\n  if (text.length === 0) return runs;"),
  ),
  sound(
    (d) => [d.list(6, () => [d.int(0, 12), d.int(0, 12)].toSorted((a, b) => a - b))],
    `export function mergeRanges(ranges) {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const merged = [];
  for (const [from, to] of sorted) {
    const last = merged[merged.length - 1];
    if (last && from <= last[1]) {
      last[1] = Math.max(last[1], to);
    } else {
      merged.push([from, to]);
    }
  }
  return merged;
}`,
  ),
  sound(
    (d) => [
      d.int(0, 9) +
        d.of(["", "&", "&x"]) +
        d.of(["=1", "=a%20b", "", "=%26"]) +
        d.of(["", "&q=2", "&q"]),
    ],
    `export function parseQuery(query) {
  const result = {};
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const key = at === -1 ? pair : pair.slice(0, at);
    const value = at === -1 ? "" : pair.slice(at + 1);
    result[decodeURIComponent(key)] = decodeURIComponent(value);
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.int(1, 12), d.int(1990, 2104)],
    `export function daysInMonth(month, year) {
  if (month === 2) {
    const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    return leap ? 29 : 28;
  }
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}`,
  ),
  sound(
    (d) => [d.list(5, () => ({ id: d.int(1, 5), tag: d.of(["a", "b", null]), size: d.int(1, 9) }))],
    `export function sizeByTag(entries) {
  const totals = {};
  for (const entry of entries) {
    const tag = entry.tag ?? "none";
    totals[tag] = (totals[tag] || 0) + entry.size;
  }
  return totals;
}`,
  ),
  sound(
    (d) => [d.int(-3000, 3000) / 100, d.int(0, 2)],
    `export function roundTo(value, digits) {
  const factor = Math.pow(10, digits);
  const sign = value < 0 ? -1 : 1;
  return (sign * Math.round(Math.abs(value) * factor)) / factor;
}`,
  ),
  sound(
    (d) => [d.text('ab,"', 10)],
    `export function splitQuoted(line) {
  const fields = [];
  let field = "";
  let quoted = false;
  for (const char of line) {
    if (char === '"') {
      quoted = !quoted;
    } else if (char === "," && !quoted) {
      fields.push(field);
      field = "";
    } else {
      field += char;
    }
  }
  fields.push(field);
  return fields;
}`,
  ),
  sound(
    (d) => [d.list(9, () => d.int(0, 20)), d.int(1, 4)],
    `export function pageOf(items, page) {
  const size = 3;
  const start = (page - 1) * size;
  const pages = Math.ceil(items.length / size);
  return { items: items.slice(start, start + size), hasMore: page < pages };
}`,
  ),
  sound(
    (d) => [d.list(6, () => d.int(0, 9)), d.list(6, () => d.int(0, 9))],
    `export function addedAndRemoved(before, after) {
  const was = new Set(before);
  const is = new Set(after);
  const added = [...is].filter((item) => !was.has(item));
  const removed = [...was].filter((item) => !is.has(item));
  return { added, removed };
}`,
  ),
  sound(
    (d) => [d.of(["3", "12", "7", "0"]) + d.of(["s", "m", "h", "d", "", "w"])],
    `export function toSeconds(text) {
  const units = { s: 1, m: 60, h: 3600, d: 86400 };
  const match = /^(\\d+)([smhd]?)$/.exec(text);
  if (match === null) return -1;
  const unit = match[2] || "s";
  return parseInt(match[1], 10) * units[unit];
}`,
  ),
  sound(
    (d) => [
      d.list(5, () => d.list(4, () => d.int(0, 9))).map((row) => [...row, 0, 1, 2].slice(0, 3)),
    ],
    `export function transposed(rows) {
  if (rows.length === 0) return [];
  const columns = [];
  for (let c = 0; c < rows[0].length; c++) {
    const column = [];
    for (let r = 0; r < rows.length; r++) column.push(rows[r][c]);
    columns.push(column);
  }
  return columns;
}`,
  ),
  sound(
    (d) => [d.list(7, () => ({ who: d.word(), score: d.int(0, 5) })), d.int(1, 4)],
    `export function leaders(players, amount) {
  return [...players]
    .sort((a, b) => b.score - a.score || a.who.localeCompare(b.who))
    .slice(0, amount)
    .map((player) => player.who);
}`,
  ),
  sound(
    (d) => [d.list(4, d.word).join(" "), d.int(3, 14)],
    `export function shorten(text, width) {
  if (text.length <= width) return text;
  const cut = text.slice(0, width - 1);
  const space = cut.lastIndexOf(" ");
  const kept = space > 0 ? cut.slice(0, space) : cut;
  return kept + "…";
}`,
  ),
  sound(
    (d) => [d.list(7, () => d.int(-9, 9))],
    `export function bestRun(values) {
  let best = 0;
  let current = 0;
  for (const value of values) {
    current = Math.max(0, current + value);
    best = Math.max(best, current);
  }
  return best;
}`,
  ),
  sound(
    (d) => [nested(d, 3)],
    `export function flatKeys(value, prefix = "") {
  const result = {};
  for (const [key, member] of Object.entries(value)) {
    const name = prefix === "" ? key : prefix + "." + key;
    if (typeof member === "object" && member !== null) {
      Object.assign(result, flatKeys(member, name));
    } else {
      result[name] = member;
    }
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.int(0, 60), d.int(0, 23), d.int(-12, 12)],
    `export function localTime(minute, hour, offset) {
  let shown = hour + offset;
  let day = 0;
  if (shown < 0) {
    shown += 24;
    day = -1;
  } else if (shown >= 24) {
    shown -= 24;
    day = 1;
  }
  return { hour: shown, minute, day };
}`,
  ),
  sound(
    (d) => [d.list(6, () => d.int(1, 30)), d.int(10, 60)],
    `export function packed(weights, capacity) {
  const boxes = [];
  let box = [];
  let load = 0;
  for (const weight of weights) {
    if (load + weight > capacity && box.length > 0) {
      boxes.push(box);
      box = [];
      load = 0;
    }
    box.push(weight);
    load += weight;
  }
  if (box.length > 0) boxes.push(box);
  return boxes;
}`,
  ),
  sound(
    (d) => [d.text("<b>&\"x'", 8)],
    `export function escaped(text) {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}`,
  ),
  sound(
    (d) => [
      d.of(["1.2.3", "1.10.0", "2.0.0", "1.2", "0.9.9"]),
      d.of(["1.2.3", "1.9.0", "2.0.0", "1.2.0", "1"]),
    ],
    `export function compareVersions(a, b) {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  const size = Math.max(left.length, right.length);
  for (let i = 0; i < size; i++) {
    const gap = (left[i] ?? 0) - (right[i] ?? 0);
    if (gap !== 0) return gap > 0 ? 1 : -1;
  }
  return 0;
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(0, 30)), d.int(1, 4)],
    `export function movingMeans(values, width) {
  const means = [];
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i];
    if (i >= width) sum -= values[i - width];
    if (i >= width - 1) means.push(sum / width);
  }
  return means;
}`,
  ),
  sound(
    (d) => [d.list(5, () => [d.word(), d.of([1, 2, null, "x"])]).concat([["z", 0]])],
    `export function fromPairs(pairs) {
  const result = {};
  for (const [key, value] of pairs) {
    if (value === null || value === undefined) continue;
    if (key in result) {
      result[key] = [].concat(result[key], value);
    } else {
      result[key] = value;
    }
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.list(5, () => d.int(0, 3)), d.int(0, 7)],
    `export function canReach(jumps, target) {
  let reach = 0;
  for (let i = 0; i < jumps.length && i <= reach; i++) {
    reach = Math.max(reach, i + jumps[i]);
    if (reach >= target) return true;
  }
  return reach >= target;
}`,
  ),
  sound(
    (d) => [d.text("abc", 7), d.text("abc", 5)],
    `export function sharedPrefix(a, b) {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return a.slice(0, at);
}`,
  ),
  sound(
    (d) => [d.of(["user@host.org", "a.b@c.de", "x@", "@y", "no-at", "p q@r.st", "a@b"]), d.flag()],
    `export function maskedMail(address, keepDomain) {
  const at = address.indexOf("@");
  if (at <= 0 || at === address.length - 1) return "";
  const name = address.slice(0, at);
  const domain = address.slice(at + 1);
  const shown = name[0] + "*".repeat(Math.max(1, name.length - 1));
  return keepDomain ? shown + "@" + domain : shown;
}`,
  ),
  sound(
    (d) => [d.int(0, 120), d.flag()],
    `export function fare(age, isStudent) {
  if (age < 6) return 0;
  if (age < 18 || age >= 65) return 2;
  return isStudent ? 3 : 4;
}`,
  ),
  sound(
    (d) => [d.list(5, () => ({ at: d.int(0, 90), ok: d.flag() })), d.int(0, 60)],
    `export function failureRate(events, since) {
  const recent = events.filter((event) => event.at >= since);
  if (recent.length === 0) return 0;
  const failed = recent.filter((event) => !event.ok).length;
  return Math.round((failed / recent.length) * 100);
}`,
  ),
  sound(
    (d) => [d.int(1, 9), d.int(50, 400), d.int(500, 3_000)],
    `export function backoff(attempt, baseMs, mostMs) {
  if (attempt <= 1) return baseMs;
  const wait = baseMs * 2 ** (attempt - 1);
  return Math.min(wait, mostMs);
}`,
  ),
  sound(
    (d) => [d.list(4, () => ({ id: d.int(1, 4), parent: d.of([null, 1, 2]) }))],
    `export function rootsAndChildren(nodes) {
  const children = new Map();
  const roots = [];
  for (const node of nodes) {
    if (node.parent === null) {
      roots.push(node.id);
    } else {
      const list = children.get(node.parent) ?? [];
      list.push(node.id);
      children.set(node.parent, list);
    }
  }
  return { roots, children: Object.fromEntries(children) };
}`,
  ),
  sound(
    (d) => [d.text("ab  c\n", 10)],
    `export function wordCount(text) {
  let words = 0;
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const blank = text[i] === " " || text[i] === "\\n";
    if (!blank && !inside) words += 1;
    inside = !blank;
  }
  return words;
}`,
  ),
];

function nested(
  d: Draw,
  depth: number,
): { [key: string]: ReturnType<typeof nested> | number | string } {
  const made: { [key: string]: ReturnType<typeof nested> | number | string } = {};
  for (const key of ["a", "b", "c"].slice(0, d.int(1, 3))) {
    made[key] = depth > 0 && d.flag() ? nested(d, depth - 1) : d.of<number | string>([1, "x", 0]);
  }
  return made;
}

/** All correct functions of our own. Faults are put into them. */
export const CORPUS: readonly Sound[] = [MIXED, TEXTS, LISTS, NUMBERS, RECORDS, REMOTE].flat();
