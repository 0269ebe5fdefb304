import type { Idiom } from "./idiom.ts";

/** Pitfalls with texts and numbers. */
export const VALUE_IDIOMS: readonly Idiom[] = [
  // Characters: code units, code points, bytes.
  { from: "$s.split('')", to: ["[...$s]"], kinds: { $s: "string" } },
  {
    from: "$s.length",
    to: ["[...$s].length", "new TextEncoder().encode($s).length", "$s.trim().length"],
    kinds: { $s: "string" },
    weight: 0.4,
  },
  { from: "$s.length", to: ["$s.size"], weight: 0.2 },
  { from: "$s.size", to: ["$s.length"], weight: 0.5 },
  {
    from: "$s.slice(0, $n)",
    to: ["[...$s].slice(0, $n).join('')"],
    kinds: { $s: "string" },
    weight: 0.4,
  },
  { from: "$s.charAt($i)", to: ["[...$s][$i]"], kinds: { $s: "string" }, weight: 0.3 },
  { from: "$s.slice($i, $n)", to: ["$s.slice($i, $i + $n)"] },
  { from: "$s.substring($i, $n)", to: ["$s.substring($i, $i + $n)"] },
  { from: "$s.slice(0, $n) + $t", to: ["($s.length > $n ? $s.slice(0, $n) + $t : $s)"] },
  // Comparison of texts.
  {
    from: "$s === $t",
    to: ["$s.toLowerCase() === $t.toLowerCase()"],
    kinds: { $s: "string", $t: "string" },
    weight: 0.6,
  },
  {
    from: "$s.includes($w)",
    to: ["$s.split(' ').includes($w)", "$s.toLowerCase().includes($w.toLowerCase())"],
    kinds: { $s: "string" },
    weight: 0.5,
  },
  {
    from: "$s.startsWith($p)",
    to: ["($s === $p || $s.startsWith($p + '/'))"],
    kinds: { $s: "string" },
    weight: 0.5,
  },
  {
    from: "$s.endsWith($p)",
    to: ["($s === $p || $s.endsWith('.' + $p))"],
    kinds: { $s: "string" },
    weight: 0.5,
  },
  { from: "$s.indexOf($w)", to: ["($s.indexOf($w) !== -1)", "$s.lastIndexOf($w)"], weight: 0.5 },
  { from: "$s.match($r)[0]", to: ["($s.match($r)?.[0] ?? null)", "($s.match($r)?.[0] ?? '')"] },
  { from: "$s.match($r)[1]", to: ["($s.match($r)?.[1] ?? null)", "($s.match($r)?.[1] ?? '')"] },
  { from: "$s.match($r)", to: ["($s.match($r) ?? [])"], weight: 0.6 },
  // Dividing and joining.
  {
    from: "$s.split($p)",
    to: [
      "$s.split($p).map((part) => part.trim())",
      "$s.split($p).map((part) => part.trim()).filter(Boolean)",
      "$s.split($p).filter(Boolean)",
    ],
    weight: 0.6,
  },
  {
    from: "const [$a, $b] = $s.split($p);",
    to: [
      "const $a = $s.slice(0, $s.indexOf($p)), $b = $s.slice($s.indexOf($p) + $p.length);",
      "const [$a, ...others] = $s.split($p), $b = others.join($p);",
    ],
  },
  {
    from: "$s.split($p)[1]",
    to: ["$s.slice($s.indexOf($p) + $p.length)", "$s.split($p).slice(1).join($p)"],
  },
  { from: "$s.split($p)[0]", to: ["$s.slice(0, $s.lastIndexOf($p))"], weight: 0.5 },
  { from: "decodeURIComponent($s)", to: ["decodeURIComponent($s.replaceAll('+', ' '))"] },
  { from: "btoa($s)", to: ["btoa(String.fromCharCode(...new TextEncoder().encode($s)))"] },
  {
    from: "atob($s)",
    to: ["new TextDecoder().decode(Uint8Array.from(atob($s), (c) => c.charCodeAt(0)))"],
  },
  {
    from: "JSON.parse($s)",
    to: [
      "JSON.parse($s || 'null')",
      // Digits beyond 2^53: the third argument of a reviver (TC39, JSON.parse source text access).
      "JSON.parse($s, function (_, value) { return Number.isInteger(value) && !Number.isSafeInteger(value) ? arguments[2].source : value; })",
    ],
    weight: 0.4,
  },
  { from: "JSON.stringify($v)", to: ["JSON.stringify($v) ?? 'null'"], weight: 0.4 },
  { from: "return JSON.parse($s);", to: ["try { return JSON.parse($s); } catch { return null; }"] },
  { from: "String($n)", to: ["String($n).padStart(2, '0')"] },
  { from: "'0' + $n.toString(16)", to: ["$n.toString(16).padStart(2, '0')"] },
  { from: "$n.toString(16)", to: ["$n.toString(16).padStart(2, '0')"] },
  { from: "$n.toString(2)", to: ["$n.toString(2).padStart(8, '0')"], weight: 0.5 },
  // Numbers.
  { from: "$a % $n", to: ["(($a % $n) + $n) % $n"], kinds: { $a: "number" } },
  { from: "$x | 0", to: ["Math.trunc($x)", "Math.floor($x)"] },
  { from: "~~$x", to: ["Math.trunc($x)", "Math.floor($x)"] },
  { from: "$x === NaN", to: ["Number.isNaN($x)"] },
  { from: "$x !== NaN", to: ["!Number.isNaN($x)"] },
  {
    from: "$a === $b",
    to: ["Math.abs($a - $b) < 1e-9"],
    kinds: { $a: "number", $b: "number" },
    weight: 0.3,
  },
  { from: "$a / $b", to: ["($b === 0 ? 0 : $a / $b)", "($b === 0 ? null : $a / $b)"], weight: 0.6 },
  {
    from: "$a * $b",
    to: ["Math.round($a * $b * 100) / 100"],
    kinds: { $a: "number" },
    weight: 0.3,
  },
  { from: "Number($x.toFixed($n))", to: ["Math.round($x * 10 ** $n) / 10 ** $n"] },
  { from: "parseInt($x, 10)", to: ["Number($x)", "parseFloat($x)", "Math.trunc(Number($x))"] },
  { from: "parseInt($x)", to: ["Number($x)", "parseFloat($x)"] },
  {
    from: "Number($x)",
    to: ["Number($x.replace(/[^0-9.-]/g, ''))", "($x === '' ? NaN : Number($x))"],
    weight: 0.5,
  },
  { from: "$x > $a && $x < $b", to: ["$x >= $a && $x <= $b", "$x > $a && $x <= $b"] },
  { from: "$x >= $a && $x <= $b", to: ["$x > $a && $x < $b"] },
  { from: "$a < $b < $c", to: ["$a < $b && $b < $c"] },
  { from: "$a <= $b <= $c", to: ["$a <= $b && $b <= $c"] },
  { from: "$a === $b === $c", to: ["$a === $b && $b === $c"] },
  {
    from: "Math.max(...$a)",
    to: [
      "($a.length === 0 ? null : Math.max(...$a))",
      "($a.length === 0 ? 0 : Math.max(...$a))",
      "$a.reduce((most, one) => Math.max(most, one), -Infinity)",
    ],
  },
  {
    from: "Math.min(...$a)",
    to: [
      "($a.length === 0 ? null : Math.min(...$a))",
      "($a.length === 0 ? 0 : Math.min(...$a))",
      "$a.reduce((least, one) => Math.min(least, one), Infinity)",
    ],
  },
  { from: "$p * $n", to: ["($p - 1) * $n"], weight: 0.4 },
];
