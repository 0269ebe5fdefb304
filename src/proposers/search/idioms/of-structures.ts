import type { Idiom } from "./idiom.ts";

/** Pitfalls with operators, objects, lists, loops, dates and answers of servers. */
export const STRUCTURE_IDIOMS: readonly Idiom[] = [
  // Negation and assignment in the wrong place.
  { from: "!$a === $b", to: ["$a !== $b"] },
  { from: "!$a == $b", to: ["$a != $b"] },
  { from: "!$a in $b", to: ["!($a in $b)"] },
  { from: "!$a instanceof $b", to: ["!($a instanceof $b)"] },
  { from: "if ($a = $b) $$then;", to: ["if ($a === $b) $$then;"] },
  { from: "if ($a = $b) $$then; else $$other;", to: ["if ($a === $b) $$then; else $$other;"] },
  { from: "!$v", to: ["$v == null", "$v === undefined", "$v === null"], weight: 0.6 },
  {
    from: "typeof $x === 'object'",
    to: [
      "typeof $x === 'object' && $x !== null",
      "typeof $x === 'object' && $x !== null && !Array.isArray($x)",
    ],
  },
  {
    from: "typeof $x === 'number'",
    to: ["typeof $x === 'number' && !Number.isNaN($x)", "Number.isFinite($x)"],
  },
  // Members and copies.
  { from: "$o[$k] !== undefined", to: ["Object.hasOwn($o, $k)"] },
  {
    from: "$o[$k]",
    to: ["(Object.hasOwn($o, $k) ? $o[$k] : undefined)", "$o[$k.toLowerCase()]", "$o.get($k)"],
    weight: 0.3,
  },
  { from: "$m[$k] = $v", to: ["$m.set($k, $v)"], weight: 0.4 },
  {
    from: "Object.assign($a, $b)",
    to: ["Object.assign({}, $a, $b)", "({ ...$a, ...$b })", "Object.assign($b, $a)"],
  },
  { from: "({ ...$a, ...$b })", to: ["({ ...$b, ...$a })"] },
  { from: "({ ...$a })", to: ["structuredClone($a)"] },
  { from: "[...$a]", to: ["structuredClone($a)", "[...new Set($a)]"], weight: 0.6 },
  { from: "$a.slice()", to: ["structuredClone($a)"] },
  { from: "$a.concat($b)", to: ["[...new Set($a.concat($b))]", "$b.concat($a)"] },
  { from: "Array($n).fill([])", to: ["Array.from({ length: $n }, () => [])"] },
  { from: "new Array($n).fill([])", to: ["Array.from({ length: $n }, () => [])"] },
  { from: "Array($n).fill({})", to: ["Array.from({ length: $n }, () => ({}))"] },
  { from: "new Array($n).fill({})", to: ["Array.from({ length: $n }, () => ({}))"] },
  {
    from: "Array($n).fill($v)",
    to: ["Array.from({ length: $n }, () => structuredClone($v))"],
    weight: 0.6,
  },
  {
    from: "new Array($n).fill($v)",
    to: ["Array.from({ length: $n }, () => structuredClone($v))"],
    weight: 0.6,
  },
  { from: "delete $a[$i]", to: ["$a.splice($i, 1)"] },
  { from: "$a.splice($i, 1)", to: ["$a.splice($i--, 1)"] },
  { from: "$a.indexOf($x)", to: ["$a.findIndex((one) => Object.is(one, $x))"], weight: 0.2 },
  {
    from: "$a.filter(Boolean)",
    to: ["$a.filter((one) => one != null)", "$a.filter((one) => one !== '')"],
  },
  { from: "$a.filter(($x) => $x)", to: ["$a.filter(($x) => $x != null)"] },
  {
    from: "$a.find($f)",
    to: ["($a.find($f) ?? null)", "$a.findLast($f)", "$a.filter($f)"],
    weight: 0.4,
  },
  { from: "$a[$a.length - 1]", to: ["($a.at(-1) ?? null)"], weight: 0.5 },
  { from: "$a[0]", to: ["($a[0] ?? null)"], weight: 0.3 },
  { from: "$a.reduce($f)", to: ["$a.reduce($f, 0)", "$a.reduce($f, '')", "$a.reduce($f, [])"] },
  { from: "$a.map(parseInt)", to: ["$a.map((one) => parseInt(one, 10))"] },
  {
    from: "$a.map(Number)",
    to: ["$a.map(Number).filter((one) => !Number.isNaN(one))"],
    weight: 0.4,
  },
  { from: "($x) => { $e; }", to: ["($x) => { return $e; }"] },
  { from: "($x, $y) => { $e; }", to: ["($x, $y) => { return $e; }"] },
  { from: "new Set($a)", to: ["[...new Set($a)]"], weight: 0.5 },
  {
    from: "$a.sort(($x, $y) => $x > $y)",
    to: ["$a.sort(($x, $y) => ($x > $y ? 1 : $x < $y ? -1 : 0))"],
  },
  {
    from: "$a.sort(($x, $y) => $x < $y)",
    to: ["$a.sort(($x, $y) => ($x < $y ? 1 : $x > $y ? -1 : 0))"],
  },
  // Loops.
  { from: "for (const $x in $a) $$body;", to: ["for (const $x of $a) $$body;"] },
  {
    from: "for (const $x of $a) $$body;",
    to: ["for (const $x of [...$a].reverse()) $$body;", "for (const $x of [...$a]) $$body;"],
    weight: 0.4,
  },
  {
    from: "for (let $i = 0; $i < $a.length; $i++) $$body;",
    to: ["for (let $i = $a.length - 1; $i >= 0; $i--) $$body;"],
    weight: 0.5,
  },
  { from: "$a.forEach(async ($x) => $f);", to: ["for (const $x of $a) await $f;"] },
  { from: "$a.forEach(async ($x) => { $$body; });", to: ["for (const $x of $a) { $$body; }"] },
  {
    from: "let $m = 0;",
    to: ["let $m = -Infinity;", "let $m = Infinity;", "let $m = null;"],
    weight: 0.4,
  },
  // Dates.
  {
    from: "new Date($y, $m, $d)",
    to: ["new Date(Date.UTC($y, $m, $d))", "new Date($y, $m - 1, $d)"],
  },
  { from: "new Date($y, $m)", to: ["new Date(Date.UTC($y, $m))", "new Date($y, $m - 1)"] },
  { from: "new Date($y, $m, $d).getTime()", to: ["Date.UTC($y, $m, $d)"] },
  {
    from: "new Date($t)",
    to: ["new Date($t * 1000)", "new Date($t + 'Z')", "new Date(Number($t))"],
    weight: 0.5,
  },
  { from: "$d.getMonth()", to: ["$d.getUTCMonth() + 1"], weight: 0.6 },
  { from: "$d.setMonth($m)", to: ["$d.setMonth($m, 1)"] },
  // Answers of servers.
  { from: "$r.status === 200", to: ["$r.status >= 200 && $r.status < 300", "$r.ok"] },
  { from: "$r.status !== 200", to: ["!$r.ok"] },
  {
    from: "$r.status >= 500",
    to: [
      "($r.status >= 500 || $r.status === 429)",
      "($r.status >= 500 || $r.status === 408 || $r.status === 429)",
    ],
  },
  { from: "$r.status === 429", to: ["($r.status === 429 || $r.status >= 500)"] },
  // A promise that is kept fails for everybody who asks later.
  {
    from: "$c.set($k, $p);",
    to: ["{ $c.set($k, $p); $p.catch(() => $c.delete($k)); }"],
    weight: 0.4,
  },
  { from: "Promise.all($p)", to: ["Promise.allSettled($p)"], weight: 0.5 },
  { from: "return $p.then($f);", to: ["return await $p.then($f);"], weight: 0.3 },
];
