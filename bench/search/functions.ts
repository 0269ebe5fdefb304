import type { Json } from "../../src/domain/json.ts";

/** A function with the inputs of its tests; what it returns for them is what they expect. */
export type Sample = {
  readonly name: string;
  /** Plain JavaScript with one exported function. */
  readonly source: string;
  /** A text of the source, and what stands there in the faulty version that is to be repaired. */
  readonly fault: readonly [string, string];
  readonly inputs: readonly (readonly Json[])[];
};

/** Written for this benchmark, 9 to 40 lines each. */
export const SAMPLES: readonly Sample[] = [
  {
    name: "median",
    source: `export function median(values) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}
`,
    fault: ["middle - 1", "middle"],
    inputs: [[[]], [[3]], [[3, 1]], [[5, 1, 3]], [[10, 9, 2, 1]], [[-1, -5, 0]], [[2, 2, 2, 8]]],
  },
  {
    name: "ranges",
    source: `export function ranges(text) {
  const pages = [];
  for (const part of text.split(",")) {
    const trimmed = part.trim();
    if (trimmed === "") continue;
    const dash = trimmed.indexOf("-");
    if (dash <= 0) {
      pages.push(Number(trimmed));
      continue;
    }
    const from = Number(trimmed.slice(0, dash));
    const to = Number(trimmed.slice(dash + 1));
    for (let page = from; page <= to; page += 1) {
      if (!pages.includes(page)) pages.push(page);
    }
  }
  return pages.sort((a, b) => a - b);
}
`,
    fault: ["page <= to", "page < to"],
    inputs: [["1"], ["1-3"], ["5, 1-2"], [""], ["2-2,2-4"], ["9,8,7"], [" 10 - 12 ,3"]],
  },
  {
    name: "roman",
    source: `export function roman(value) {
  const signs = [
    ["M", 1000], ["CM", 900], ["D", 500], ["CD", 400], ["C", 100], ["XC", 90],
    ["L", 50], ["XL", 40], ["X", 10], ["IX", 9], ["V", 5], ["IV", 4], ["I", 1],
  ];
  if (value <= 0 || value >= 4000 || !Number.isInteger(value)) {
    throw new RangeError("out of range");
  }
  let left = value;
  let text = "";
  for (const [sign, worth] of signs) {
    while (left >= worth) {
      text += sign;
      left -= worth;
    }
  }
  return text;
}
`,
    fault: ["left >= worth", "left > worth"],
    inputs: [[1], [4], [9], [14], [40], [1994], [3999], [2026]],
  },
  {
    name: "wrap",
    source: `export function wrap(text, width) {
  const lines = [];
  let line = "";
  const flush = () => {
    if (line !== "") lines.push(line);
    line = "";
  };
  for (const word of text.split(/\\s+/)) {
    if (word === "") continue;
    let rest = word;
    while (rest.length > width) {
      const room = line === "" ? width : width - line.length - 1;
      if (room <= 0) {
        flush();
        continue;
      }
      line = line === "" ? rest.slice(0, room) : line + " " + rest.slice(0, room);
      rest = rest.slice(room);
      flush();
    }
    if (line === "") line = rest;
    else if (line.length + 1 + rest.length <= width) line = line + " " + rest;
    else {
      flush();
      line = rest;
    }
  }
  flush();
  return lines;
}
`,
    fault: ["1 + rest.length <= width", "1 + rest.length < width"],
    inputs: [
      ["a bb ccc", 4],
      ["one two three four", 9],
      ["", 5],
      ["abcdefghij", 4],
      ["ab abcdefgh c", 4],
      ["  spaced   out  ", 20],
    ],
  },
  {
    name: "summary",
    source: `export function summary(orders, discount) {
  const byCustomer = {};
  let total = 0;
  let largest = null;
  for (const order of orders) {
    if (order.status === "cancelled" || order.items.length === 0) continue;
    let sum = 0;
    for (const { price, count } of order.items) {
      sum += price * (count ?? 1);
    }
    if (discount > 0 && sum >= 100) {
      sum = sum * (1 - discount / 100);
    }
    sum = Math.round(sum * 100) / 100;
    total += sum;
    byCustomer[order.customer] = (byCustomer[order.customer] ?? 0) + sum;
    if (largest === null || sum > largest.sum) {
      largest = { customer: order.customer, sum };
    }
  }
  const names = Object.keys(byCustomer).sort();
  const average = names.length === 0 ? 0 : Math.round((total / names.length) * 100) / 100;
  return {
    customers: names.map((name) => ({ name, sum: byCustomer[name] })),
    total,
    average,
    largest: largest === null ? "nobody" : largest.customer,
  };
}
`,
    fault: ["sum >= 100", "sum <= 100"],
    inputs: [
      [[], 0],
      [[{ status: "paid", customer: "b", items: [{ price: 10, count: 3 }] }], 10],
      [
        [
          { status: "paid", customer: "b", items: [{ price: 60, count: 2 }, { price: 1.25 }] },
          { status: "cancelled", customer: "c", items: [{ price: 999, count: 1 }] },
          { status: "paid", customer: "a", items: [{ price: 100, count: 1 }] },
          { status: "open", customer: "a", items: [] },
          { status: "open", customer: "b", items: [{ price: 5.5, count: 2 }] },
        ],
        12,
      ],
    ],
  },
];
