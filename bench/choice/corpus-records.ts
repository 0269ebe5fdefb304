import { sound, type Draw, type Sound } from "./draw.ts";

const person = (d: Draw): { name: string; age: number; city: string | null; active: boolean } => ({
  name: d.word(),
  age: d.int(10, 70),
  city: d.of(["Ulm", "Linz", null]),
  active: d.flag(),
});

/** Functions over records, trees and sequences of events, and state kept between steps. */
export const RECORDS: readonly Sound[] = [
  sound(
    (d) => [d.list(6, () => person(d)), d.int(18, 60)],
    `export function namesOf(people, least) {
  return people
    .filter((person) => person.active && person.age >= least)
    .map((person) => person.name)
    .sort();
}`,
  ),
  sound(
    (d) => [d.list(7, () => person(d))],
    `export function byCity(people) {
  const groups = {};
  for (const { name, city } of people) {
    const key = city ?? "unknown";
    if (!groups[key]) groups[key] = [];
    groups[key].push(name);
  }
  return groups;
}`,
  ),
  sound(
    (d) => [d.list(6, () => person(d))],
    `export function oldest(people) {
  let found = null;
  for (const person of people) {
    if (found === null || person.age > found.age) found = person;
  }
  return found === null ? null : found.name;
}`,
  ),
  sound(
    (d) => [
      { a: d.int(0, 2), b: d.of([null, 1]) },
      { b: d.of([2, null]), c: d.int(0, 2) },
    ],
    `export function merged(base, changes) {
  const result = { ...base };
  for (const key of Object.keys(changes)) {
    if (changes[key] === null) {
      delete result[key];
    } else {
      result[key] = changes[key];
    }
  }
  return result;
}`,
  ),
  sound(
    (d) => [
      { a: d.int(0, 2), b: d.int(0, 2), c: 1 },
      { a: d.int(0, 2), b: d.int(0, 2), d: 1 },
    ],
    `export function changedKeys(before, after) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]).sort();
}`,
  ),
  sound(
    (d) => [tree(d, 3)],
    `export function depthOf(node) {
  let deepest = 0;
  for (const child of node.children) {
    deepest = Math.max(deepest, depthOf(child));
  }
  return deepest + 1;
}`,
  ),
  sound(
    (d) => [tree(d, 3), d.int(0, 9)],
    `export function pathTo(node, id) {
  if (node.id === id) return [node.id];
  for (const child of node.children) {
    const path = pathTo(child, id);
    if (path !== null) return [node.id, ...path];
  }
  return null;
}`,
  ),
  sound(
    (d) => [d.list(7, () => ({ kind: d.of(["in", "out"]), amount: d.int(1, 30) })), d.int(0, 20)],
    `export function balance(bookings, start) {
  let amount = start;
  let refused = 0;
  for (const booking of bookings) {
    if (booking.kind === "in") {
      amount += booking.amount;
    } else if (booking.amount <= amount) {
      amount -= booking.amount;
    } else {
      refused++;
    }
  }
  return { amount, refused };
}`,
  ),
  sound(
    (d) => [
      d.list(9, () => d.of(["get a", "get b", "get c", "put a", "put b", "put d"])),
      d.int(1, 3),
    ],
    `export function cacheHits(requests, size) {
  const kept = [];
  let hits = 0;
  for (const request of requests) {
    const [verb, key] = request.split(" ");
    const at = kept.indexOf(key);
    if (at >= 0) {
      if (verb === "get") hits++;
      kept.splice(at, 1);
    }
    kept.push(key);
    if (kept.length > size) kept.shift();
  }
  return { hits, kept };
}`,
  ),
  sound(
    (d) => [d.list(8, () => d.of(["coin", "push"]))],
    `export function turnstile(events) {
  let locked = true;
  let passed = 0;
  let wasted = 0;
  for (const event of events) {
    if (event === "coin") {
      if (!locked) wasted++;
      locked = false;
    } else if (!locked) {
      passed++;
      locked = true;
    }
  }
  return { locked, passed, wasted };
}`,
  ),
  sound(
    (d) => [d.list(6, () => [d.of(["a", "b", "c"]), d.of(["b", "c", "d"])])],
    `export function buildOrder(dependencies) {
  const done = [];
  const visit = (name, seen) => {
    if (done.includes(name) || seen.includes(name)) return;
    for (const [from, to] of dependencies) {
      if (from === name) visit(to, [...seen, name]);
    }
    done.push(name);
  };
  for (const [from, to] of dependencies) {
    visit(from, []);
    visit(to, []);
  }
  return done;
}`,
  ),
  sound(
    (d) => [d.list(7, () => d.of(["1", "2", "3", "+", "-", "*"]))],
    `export function calculated(tokens) {
  const stack = [];
  for (const token of tokens) {
    if ("+-*".includes(token)) {
      if (stack.length < 2) return null;
      const right = stack.pop();
      const left = stack.pop();
      if (token === "+") stack.push(left + right);
      else if (token === "-") stack.push(left - right);
      else stack.push(left * right);
    } else {
      stack.push(Number(token));
    }
  }
  return stack.length === 1 ? stack[0] : null;
}`,
  ),
  sound(
    (d) => [{ user: d.of([null, { name: d.of(["Ada", "", null]) }]), fallback: "guest" }],
    `export function greeting(session) {
  const name = session.user?.name ?? session.fallback;
  return name === "" ? "Hello!" : "Hello, " + name + "!";
}`,
  ),
  sound(
    (d) => [
      d.list(5, () => ({ sku: d.of(["a", "b", "c"]), qty: d.int(0, 4) })),
      { a: 3, b: 5, c: d.int(0, 2) },
    ],
    `export function missingStock(order, stock) {
  const wanted = {};
  for (const { sku, qty } of order) wanted[sku] = (wanted[sku] ?? 0) + qty;
  return Object.entries(wanted)
    .filter(([sku, qty]) => qty > (stock[sku] ?? 0))
    .map(([sku, qty]) => ({ sku, missing: qty - (stock[sku] ?? 0) }));
}`,
  ),
  sound(
    (d) => [d.list(5, () => ({ start: d.int(0, 20), end: d.int(5, 25) })), d.int(0, 25)],
    `export function activeAt(spans, time) {
  let active = 0;
  for (const { start, end } of spans) {
    if (start <= time && time < end) active += 1;
  }
  return active;
}`,
  ),
  sound(
    (d) => [
      {
        email: d.of(["a@b.c", "ab", "", "@x"]),
        age: d.of([17, 18, 30, -1, "5"]),
        name: d.of(["A", ""]),
      },
    ],
    `export function problemsIn(form) {
  const problems = [];
  if (!form.name) problems.push("name is missing");
  if (form.email.indexOf("@") < 1) problems.push("email is not valid");
  if (typeof form.age !== "number") problems.push("age is no number");
  else if (form.age < 18) problems.push("too young");
  return problems;
}`,
  ),
  sound(
    (d) => [d.list(6, () => [d.of(["x", "y"]), d.int(0, 5)])],
    `export function averages(samples) {
  const sums = new Map();
  for (const [key, value] of samples) {
    const entry = sums.get(key) ?? { total: 0, count: 0 };
    entry.total += value;
    entry.count += 1;
    sums.set(key, entry);
  }
  return Object.fromEntries([...sums].map(([key, { total, count }]) => [key, total / count]));
}`,
  ),
  sound(
    (d) => [
      d.list(3, () => d.list(3, () => d.of([0, 1]))).map((row) => [...row, 0, 1, 0].slice(0, 3)),
    ],
    `export function liveNeighbours(grid) {
  return grid.map((row, y) =>
    row.map((_, x) => {
      let count = 0;
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          if (dx === 0 && dy === 0) continue;
          count += grid[y + dy]?.[x + dx] ?? 0;
        }
      }
      return count;
    }),
  );
}`,
  ),
];

type Tree = { readonly id: number; readonly children: readonly Tree[] };

function tree(d: Draw, depth: number): Tree {
  const children = depth === 0 ? [] : d.list(2, () => tree(d, depth - 1));
  return { id: d.int(0, 9), children };
}
