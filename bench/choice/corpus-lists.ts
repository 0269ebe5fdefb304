import { sound, type Sound } from "./draw.ts";

/** Functions over lists: searching, sorting, grouping, cutting. */
export const LISTS: readonly Sound[] = [
  sound(
    (d) => [d.list(9, () => d.int(0, 20)), d.int(1, 4)],
    `export function chunks(items, size) {
  const result = [];
  for (let i = 0; i < items.length; i += size) {
    result.push(items.slice(i, i + size));
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(0, 9))],
    `export function median(values) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(0, 6)), d.int(2, 11)],
    `export function pairWithSum(values, target) {
  for (let i = 0; i < values.length; i++) {
    for (let j = i + 1; j < values.length; j++) {
      if (values[i] + values[j] === target) return [i, j];
    }
  }
  return [];
}`,
  ),
  sound(
    (d) => [d.list(7, () => d.int(-5, 9))],
    `export function secondLargest(values) {
  let first = -Infinity;
  let second = -Infinity;
  for (const value of values) {
    if (value > first) {
      second = first;
      first = value;
    } else if (value > second && value < first) {
      second = value;
    }
  }
  return second === -Infinity ? null : second;
}`,
  ),
  sound(
    (d) => [d.list(7, () => d.int(0, 5))],
    `export function withoutRepeats(items) {
  const kept = [];
  for (const item of items) {
    if (!kept.includes(item)) kept.push(item);
  }
  return kept;
}`,
  ),
  sound(
    (d) => [
      d.list(5, () => d.int(0, 12)).toSorted((a, b) => a - b),
      d.list(5, () => d.int(0, 12)).toSorted((a, b) => a - b),
    ],
    `export function mergedSorted(left, right) {
  const result = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    if (left[i] <= right[j]) {
      result.push(left[i++]);
    } else {
      result.push(right[j++]);
    }
  }
  return result.concat(left.slice(i), right.slice(j));
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(-4, 6))],
    `export function runningTotals(values) {
  const totals = [];
  let total = 0;
  for (const value of values) {
    total += value;
    totals.push(total);
  }
  return totals;
}`,
  ),
  sound(
    (d) => [d.list(9, () => d.int(0, 9))],
    `export function longestRise(values) {
  let best = values.length > 0 ? 1 : 0;
  let length = 1;
  for (let i = 1; i < values.length; i++) {
    length = values[i] > values[i - 1] ? length + 1 : 1;
    best = Math.max(best, length);
  }
  return best;
}`,
  ),
  sound(
    (d) => [d.list(7, () => d.of([0, 0, 1, 3, 5]))],
    `export function zerosLast(values) {
  const result = [...values];
  let write = 0;
  for (let read = 0; read < result.length; read++) {
    if (result[read] !== 0) {
      const kept = result[read];
      result[read] = result[write];
      result[write] = kept;
      write++;
    }
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.list(3, () => d.list(3, () => d.int(0, 3)))],
    `export function flattened(rows) {
  const result = [];
  for (const row of rows) {
    for (const item of row) result.push(item);
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(1, 9)), d.int(1, 3)],
    `export function lastOf(items, amount) {
  if (amount >= items.length) return items.slice();
  return items.slice(items.length - amount);
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(-9, 9))],
    `export function partitioned(values) {
  const negative = [];
  const rest = [];
  for (const value of values) {
    (value < 0 ? negative : rest).push(value);
  }
  return { negative, rest };
}`,
  ),
  sound(
    (d) => [d.list(6, () => d.int(0, 9))],
    `export function bubbleSorted(values) {
  const result = values.slice();
  for (let end = result.length - 1; end > 0; end--) {
    for (let i = 0; i < end; i++) {
      if (result[i] > result[i + 1]) {
        [result[i], result[i + 1]] = [result[i + 1], result[i]];
      }
    }
  }
  return result;
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(0, 9)), d.list(4, () => d.int(0, 9))],
    `export function commonItems(a, b) {
  const other = new Set(b);
  const seen = new Set();
  return a.filter((item) => {
    if (!other.has(item) || seen.has(item)) return false;
    seen.add(item);
    return true;
  });
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(0, 9)).toSorted((a, b) => a - b), d.int(0, 9)],
    `export function indexOfSorted(sorted, wanted) {
  let low = 0;
  let high = sorted.length - 1;
  let found = -1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === wanted) {
      found = middle;
      high = middle - 1;
    } else if (sorted[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
}`,
  ),
  sound(
    (d) => [d.list(7, () => d.int(1, 9))],
    `export function bestProfit(prices) {
  let lowest = Infinity;
  let best = 0;
  for (const price of prices) {
    lowest = Math.min(lowest, price);
    best = Math.max(best, price - lowest);
  }
  return best;
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.int(0, 5))],
    `export function ranks(scores) {
  const sorted = [...new Set(scores)].sort((a, b) => b - a);
  return scores.map((score) => sorted.indexOf(score) + 1);
}`,
  ),
  sound(
    (d) => [d.list(6, () => d.int(0, 4)), d.list(6, () => d.int(0, 4))],
    `export function zipped(left, right) {
  const size = Math.min(left.length, right.length);
  const pairs = [];
  for (let i = 0; i < size; i++) pairs.push([left[i], right[i]]);
  return pairs;
}`,
  ),
  sound(
    (d) => [d.list(5, () => d.int(1, 9)), d.int(-1, 5), d.int(0, 5)],
    `export function moved(items, from, to) {
  if (from < 0 || from >= items.length) return items;
  const result = items.slice();
  const [item] = result.splice(from, 1);
  result.splice(to, 0, item);
  return result;
}`,
  ),
  sound(
    (d) => [d.list(6, () => d.int(0, 1)), d.int(1, 3)],
    `export function hasRun(flags, length) {
  let run = 0;
  for (const flag of flags) {
    run = flag === 1 ? run + 1 : 0;
    if (run === length) return true;
  }
  return false;
}`,
  ),
];
