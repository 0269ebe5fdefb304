import { sound, type Sound } from "./draw.ts";

/** Functions over numbers, dates and money. */
export const NUMBERS: readonly Sound[] = [
  sound(
    (d) => [d.int(0, 60)],
    `export function isPrime(number) {
  if (number < 2) return false;
  for (let i = 2; i * i <= number; i++) {
    if (number % i === 0) return false;
  }
  return true;
}`,
  ),
  sound(
    (d) => [d.int(0, 60), d.int(0, 60)],
    `export function commonDivisor(a, b) {
  while (b !== 0) {
    const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}`,
  ),
  sound(
    (d) => [d.int(0, 15)],
    `export function fibonacci(n) {
  let previous = 0;
  let current = 1;
  for (let i = 0; i < n; i++) {
    const next = previous + current;
    previous = current;
    current = next;
  }
  return previous;
}`,
  ),
  sound(
    (d) => [d.int(0, 9_999)],
    `export function digitSum(number) {
  let sum = 0;
  let left = number;
  while (left > 0) {
    sum += left % 10;
    left = Math.floor(left / 10);
  }
  return sum;
}`,
  ),
  sound(
    (d) => [d.int(2, 200)],
    `export function factors(number) {
  const result = [];
  let left = number;
  for (let divisor = 2; divisor <= left; divisor++) {
    while (left % divisor === 0) {
      result.push(divisor);
      left /= divisor;
    }
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.int(0, 120_000)],
    `export function incomeTax(income) {
  const steps = [
    [12_000, 0],
    [40_000, 0.2],
    [Infinity, 0.4],
  ];
  let tax = 0;
  let below = 0;
  for (const [upTo, rate] of steps) {
    if (income > below) tax += (Math.min(income, upTo) - below) * rate;
    below = upTo;
  }
  return Math.round(tax);
}`,
  ),
  sound(
    (d) => [d.int(0, 255), d.int(2, 16)],
    `export function inBase(number, base) {
  if (number === 0) return "0";
  const digits = "0123456789abcdef";
  let text = "";
  let left = number;
  while (left > 0) {
    text = digits[left % base] + text;
    left = Math.floor(left / base);
  }
  return text;
}`,
  ),
  sound(
    (d) => [d.int(-20, 40), d.int(-5, 10), d.int(10, 25)],
    `export function clamped(value, low, high) {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}`,
  ),
  sound(
    (d) => [d.int(1, 12), d.int(1, 12), d.int(1, 12)],
    `export function triangleKind(a, b, c) {
  if (a + b <= c || b + c <= a || a + c <= b) return "none";
  if (a === b && b === c) return "equilateral";
  if (a === b || b === c || a === c) return "isosceles";
  return "scalene";
}`,
  ),
  sound(
    (d) => [[d.int(0, 9), d.int(0, 9)], [d.int(0, 9), d.int(0, 9)], d.int(1, 8)],
    `export function isNear(a, b, radius) {
  const dx = a[0] - b[0];
  const dy = a[1] - b[1];
  return dx * dx + dy * dy <= radius * radius;
}`,
  ),
  sound(
    (d) => [[d.int(0, 5), d.int(6, 12)], [d.int(0, 9), d.int(3, 14)].toSorted((a, b) => a - b)],
    `export function overlap(first, second) {
  const from = Math.max(first[0], second[0]);
  const to = Math.min(first[1], second[1]);
  return to > from ? to - from : 0;
}`,
  ),
  sound(
    (d) => [d.int(0, 200_000_000)],
    `export function sizeText(bytes) {
  const units = ["B", "kB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return (unit === 0 ? String(value) : value.toFixed(1)) + " " + units[unit];
}`,
  ),
  sound(
    (d) => [`202${d.int(3, 4)}-0${d.int(1, 9)}-${d.int(10, 28)}`, d.int(-40, 40)],
    `export function addDays(date, days) {
  const [year, month, day] = date.split("-").map(Number);
  const moved = new Date(Date.UTC(year, month - 1, day + days));
  return moved.toISOString().slice(0, 10);
}`,
  ),
  sound(
    (d) => [`2024-0${d.int(1, 3)}-${d.int(10, 28)}`, `2024-0${d.int(2, 4)}-${d.int(10, 28)}`],
    `export function workDays(from, to) {
  let count = 0;
  const end = Date.parse(to);
  for (let at = Date.parse(from); at < end; at += 86_400_000) {
    const day = new Date(at).getUTCDay();
    if (day !== 0 && day !== 6) count++;
  }
  return count;
}`,
  ),
  sound(
    (d) => [`${d.int(10, 23)}:${d.int(10, 59)}`, d.int(0, 200)],
    `export function laterTime(time, minutes) {
  const [hour, minute] = time.split(":").map(Number);
  const total = (hour * 60 + minute + minutes) % 1440;
  const pad = (value) => String(value).padStart(2, "0");
  return pad(Math.floor(total / 60)) + ":" + pad(total % 60);
}`,
  ),
  sound(
    (d) => [d.int(100, 5_000), d.int(1, 7)],
    `export function shares(cents, people) {
  const each = Math.floor(cents / people);
  const rest = cents - each * people;
  return Array.from({ length: people }, (_, at) => each + (at < rest ? 1 : 0));
}`,
  ),
  sound(
    (d) => [d.list(6, () => d.int(1, 9)), d.list(6, () => d.int(1, 4))],
    `export function weightedMean(values, weights) {
  let total = 0;
  let weight = 0;
  for (let i = 0; i < values.length; i++) {
    const own = weights[i] ?? 1;
    total += values[i] * own;
    weight += own;
  }
  return weight === 0 ? 0 : total / weight;
}`,
  ),
  sound(
    (d) => [d.int(0, 60)],
    `export function collatzSteps(start) {
  let steps = 0;
  let value = start;
  while (value > 1) {
    value = value % 2 === 0 ? value / 2 : 3 * value + 1;
    steps += 1;
  }
  return steps;
}`,
  ),
  sound(
    (d) => [d.int(1, 90), d.list(3, () => d.of([1, 5, 10, 25]))],
    `export function changeOf(amount, coins) {
  const used = [];
  let left = amount;
  for (const coin of [...coins].sort((a, b) => b - a)) {
    while (left >= coin) {
      used.push(coin);
      left -= coin;
    }
  }
  return left === 0 ? used : null;
}`,
  ),
  sound(
    (d) => [d.text("0123456789", 6) + d.int(0, 9)],
    `export function luhnValid(digits) {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = Number(digits[digits.length - 1 - i]);
    if (i % 2 === 1) {
      digit *= 2;
      if (digit > 9) digit -= 9;
    }
    sum += digit;
  }
  return sum % 10 === 0;
}`,
  ),
];
