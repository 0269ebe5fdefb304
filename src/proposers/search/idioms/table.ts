import type { Kind } from "../kinds.ts";

/** A piece of code that often is a mistake, and what was often meant. */
export type Idiom = {
  /** What stands there; `$x` is any expression. */
  readonly from: string;
  /** What may be meant, the likeliest first. */
  readonly to: readonly string[];
  /** What a hole holds, where that can be told. */
  readonly kinds?: Readonly<Record<string, Kind>>;
  /** How likely among idioms; 1 is usual. */
  readonly weight?: number;
};

/**
 * Pitfalls of JavaScript as linters and manuals list them: ESLint's core rules, eslint-plugin-unicorn,
 * SonarJS, and the notes of MDN; each is a mistake that many people made before. Nothing here comes
 * of one program.
 */
export const IDIOMS: readonly Idiom[] = [
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
  { from: "JSON.parse($s)", to: ["JSON.parse($s || 'null')"], weight: 0.4 },
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
  { from: "Promise.all($p)", to: ["Promise.allSettled($p)"], weight: 0.5 },
  { from: "return $p.then($f);", to: ["return await $p.then($f);"], weight: 0.3 },
];
