import { sound, type Sound } from "./draw.ts";

/** Functions over texts: cleaning, reading, writing, comparing. */
export const TEXTS: readonly Sound[] = [
  sound(
    (d) => [d.list(4, d.word).join(d.of([" ", "  ", "_", ". "])) + d.of(["", "!", " 2"])],
    `export function slug(title) {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}`,
  ),
  sound(
    (d) => [d.text("abA ", 7), d.flag()],
    `export function isMirrored(text, exact) {
  const kept = exact ? text : text.toLowerCase().replace(/\\s/g, "");
  for (let i = 0, j = kept.length - 1; i < j; i++, j--) {
    if (kept[i] !== kept[j]) return false;
  }
  return true;
}`,
  ),
  sound(
    (d) => [d.list(5, d.word).join(" ")],
    `export function initials(name) {
  return name
    .split(" ")
    .filter((part) => part !== "")
    .map((part) => part[0].toUpperCase() + ".")
    .join(" ");
}`,
  ),
  sound(
    (d) => [d.text("([{)]}x", 8)],
    `export function isBalanced(text) {
  const closers = { ")": "(", "]": "[", "}": "{" };
  const open = [];
  for (const char of text) {
    if ("([{".includes(char)) {
      open.push(char);
    } else if (char in closers) {
      if (open.pop() !== closers[char]) return false;
    }
  }
  return open.length === 0;
}`,
  ),
  sound(
    (d) => [d.text("abcxyzAZ .", 9), d.int(0, 28)],
    `export function shifted(text, by) {
  let result = "";
  for (const char of text) {
    const code = char.charCodeAt(0);
    if (code >= 97 && code <= 122) {
      result += String.fromCharCode(((code - 97 + by) % 26) + 97);
    } else {
      result += char;
    }
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.list(6, d.word).join(" "), d.int(6, 16)],
    `export function wrapped(text, width) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    const next = line === "" ? word : line + " " + word;
    if (next.length <= width || line === "") {
      line = next;
    } else {
      lines.push(line);
      line = word;
    }
  }
  if (line !== "") lines.push(line);
  return lines;
}`,
  ),
  sound(
    (d) => [d.int(0, 1) === 0 ? d.text("0123456789", 16) : String(d.int(0, 99_999))],
    `export function masked(number) {
  const shown = 4;
  if (number.length <= shown) return number;
  const hidden = number.length - shown;
  return "*".repeat(hidden) + number.slice(hidden);
}`,
  ),
  sound(
    (d) => [d.text("ab-", 5), d.text("ab-", 5)],
    `export function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + cost);
    }
    row = next;
  }
  return row[b.length];
}`,
  ),
  sound(
    (d) => [d.text("aabbc", 8)],
    `export function mostFrequent(text) {
  const counts = new Map();
  let best = "";
  for (const char of text) {
    const count = (counts.get(char) ?? 0) + 1;
    counts.set(char, count);
    if (best === "" || count > counts.get(best)) best = char;
  }
  return best;
}`,
  ),
  sound(
    (d) => [
      `${d.of(["http", "https", "ftp"])}://${d.of(["a.org", "b.c.d", "x"])}${d.of(["", ":80", ":8080"])}${d.of(["", "/", "/p/q", "/p?x=1"])}`,
    ],
    `export function urlParts(url) {
  const match = /^(https?):\\/\\/([^/:]+)(?::(\\d+))?(\\/[^?]*)?/.exec(url);
  if (!match) return null;
  const [, scheme, host, port, path] = match;
  return {
    scheme,
    host,
    port: port ? Number(port) : scheme === "https" ? 443 : 80,
    path: path ?? "/",
  };
}`,
  ),
  sound(
    (d) => [
      d.list(5, () => d.of(["a=1", "b = 2", "# note", "", "c", "d=x=y", " e=3 "])).join("\\n"),
    ],
    `export function settings(text) {
  const result = {};
  for (const raw of text.split("\\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const at = line.indexOf("=");
    if (at < 0) {
      result[line] = true;
    } else {
      result[line.slice(0, at).trim()] = line.slice(at + 1).trim();
    }
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.of(["someName", "XMLFile", "plain", "aB", "withTwoHumps", "Already", ""])],
    `export function snakeCase(name) {
  let result = "";
  for (let i = 0; i < name.length; i++) {
    const lower = name[i].toLowerCase();
    if (name[i] !== lower && i > 0) result += "_";
    result += lower;
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.text("ab", 9), d.text("ab", 2) + "a"],
    `export function occurrences(text, part) {
  let count = 0;
  let at = text.indexOf(part);
  while (at !== -1) {
    count++;
    at = text.indexOf(part, at + part.length);
  }
  return count;
}`,
  ),
  sound(
    (d) => [
      d.list(3, () => d.of(["{name}", "{x}", "hi", "{", "}", " "])).join(""),
      { name: "Ada", x: d.int(0, 3) },
    ],
    `export function filled(template, values) {
  return template.replace(/\\{(\\w+)\\}/g, (whole, key) =>
    key in values ? String(values[key]) : whole,
  );
}`,
  ),
  sound(
    (d) => [d.int(0, 1) === 0 ? d.text("IVXL", 4) : d.of(["IV", "IX", "XIV", "XL", "LXX", "III"])],
    `export function romanValue(text) {
  const values = { I: 1, V: 5, X: 10, L: 50 };
  let total = 0;
  for (let i = 0; i < text.length; i++) {
    const value = values[text[i]];
    const next = values[text[i + 1]] ?? 0;
    total += value < next ? -value : value;
  }
  return total;
}`,
  ),
  sound(
    (d) => [d.of(["3,4", "1.5", "1,234.5", "abc", "-7", "", "0"])],
    `export function amountOf(text) {
  const cleaned = text.replace(/,/g, "");
  if (cleaned === "" || Number.isNaN(Number(cleaned))) return null;
  return Math.round(Number(cleaned) * 100);
}`,
  ),
  sound(
    (d) => [d.text("aAbB1 _", 10), d.int(4, 8)],
    `export function isStrong(password, least) {
  if (password.length < least) return false;
  const hasSmall = /[a-z]/.test(password);
  const hasCapital = /[A-Z]/.test(password);
  const hasDigit = /[0-9]/.test(password);
  return hasSmall && hasCapital && hasDigit;
}`,
  ),
  sound(
    (d) => [d.list(6, () => d.of(["a", "..", ".", "b", ""])).join("/")],
    `export function normalPath(path) {
  const parts = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      parts.pop();
    } else {
      parts.push(part);
    }
  }
  return "/" + parts.join("/");
}`,
  ),
];
