import { ts } from "ts-morph";
import { around, removing, replacing, type Change } from "../change.ts";
import type { Kind } from "../kinds.ts";
import { isCallee, isComputed, isValue } from "../places.ts";
import { PRECEDENCE, grown } from "../precedence.ts";
import type { Scene } from "../scene.ts";

/** Methods that take the same arguments and are mistaken for one another. */
const METHODS: readonly (readonly string[])[] = [
  ["startsWith", "endsWith", "includes"],
  ["indexOf", "lastIndexOf", "search", "includes", "findIndex"],
  ["toLowerCase", "toUpperCase", "toLocaleLowerCase", "toLocaleUpperCase"],
  ["trim", "trimStart", "trimEnd"],
  ["slice", "substring", "substr", "splice"],
  ["replace", "replaceAll"],
  ["charAt", "at", "charCodeAt", "codePointAt"],
  ["padStart", "padEnd"],
  ["match", "matchAll", "search"],
  ["push", "unshift", "concat"],
  ["pop", "shift"],
  ["some", "every", "find", "filter"],
  ["find", "findLast", "filter", "findIndex"],
  ["findIndex", "findLastIndex", "indexOf"],
  ["map", "flatMap", "filter", "forEach"],
  ["reduce", "reduceRight"],
  ["sort", "toSorted", "reverse"],
  ["reverse", "toReversed"],
  ["keys", "values", "entries"],
  ["get", "has"],
  ["has", "hasOwn", "includes"],
  ["set", "add"],
  ["json", "text"],
  ["test", "exec"],
  ["toString", "toISOString", "toJSON", "valueOf"],
  ["getDate", "getDay", "getUTCDate", "getUTCDay"],
  ["getMonth", "getUTCMonth", "getDate"],
  ["getFullYear", "getUTCFullYear", "getYear"],
  ["getHours", "getUTCHours"],
  ["getMinutes", "getUTCMinutes"],
  ["getSeconds", "getUTCSeconds", "getTime"],
  ["setDate", "setUTCDate"],
  ["setMonth", "setUTCMonth"],
  ["setHours", "setUTCHours"],
  ["toFixed", "toPrecision", "toString"],
  ["call", "apply", "bind"],
  ["log", "warn", "error", "info"],
];

/** Calls without arguments that change a value into a near one, by its kind. */
const CALLS: Readonly<
  Record<"string" | "array" | "number", readonly (readonly [string, number])[]>
> = {
  string: [
    [".length", 1],
    [".trim()", 1],
    [".toLowerCase()", 1],
    [".toUpperCase()", 0.6],
    [".normalize()", 0.1],
  ],
  array: [
    [".length", 1],
    [".slice(1)", 0.3],
    [".slice(0, -1)", 0.3],
    [".reverse()", 0.4],
    [".sort()", 0.4],
    [".filter(Boolean)", 0.4],
    [".flat()", 0.3],
    ['.join("")', 0.4],
    ["[0]", 0.4],
    [".at(-1)", 0.3],
  ],
  number: [[".toString()", 0.6]],
};

/** Another method that takes the same arguments. */
export function* methods(node: ts.Node): Generator<Change> {
  if (!ts.isPropertyAccessExpression(node) || !isCallee(node)) return;
  const own = node.name.text;
  const others = new Set(METHODS.filter((family) => family.includes(own)).flat());
  others.delete(own);
  for (const other of others) yield replacing("method", node.name, other);
}

/** Another member name that the file knows. */
export function* members(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isPropertyAccessExpression(node) || isCallee(node)) return;
  for (const other of scene.members.slice(0, 16)) {
    if (other === node.name.text) continue;
    const weight = other === "length" || node.name.text === "length" ? 0.15 : 1;
    yield replacing("member", node.name, other, weight);
  }
}

/** `x.trim()` to `x`, and `f(x)` to `x`. */
export function* fewerCalls(node: ts.Node): Generator<Change> {
  if (!ts.isCallExpression(node) || !isValue(node)) return;
  const { expression, arguments: args } = node;
  if (ts.isPropertyAccessExpression(expression) && !isNamespace(expression.expression)) {
    yield removing("drop-call", node, [expression.expression.end, node.end]);
  }
  const [only] = args;
  if (args.length === 1 && only && !ts.isFunctionLike(only) && !ts.isSpreadElement(only)) {
    const splices = [
      { op: "splice", start: node.getStart(), end: only.getStart(), text: "(" },
      { op: "splice", start: only.end, end: node.end, text: ")" },
    ] as const;
    yield { operator: "drop-call", at: node, splices, weight: 0.8 };
  }
}

/** `x` to `x.trim()`, `x.length` and their like. */
export function* moreCalls(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isValue(node) || !isComputed(node) || ts.isLiteralExpression(node)) return;
  const kind = scene.kindOf(node);
  for (const [kindOfCall, doubt] of likelyKinds(kind)) {
    for (const [text, weight] of CALLS[kindOfCall]) {
      const grownTexts = grown(node, ["", text], PRECEDENCE.member);
      yield around("add-call", node, grownTexts, weight * doubt);
    }
  }
}

function likelyKinds(
  kind: Kind | null,
): readonly (readonly ["string" | "array" | "number", number])[] {
  if (kind === "string" || kind === "array") return [[kind, 1]];
  if (kind === "number") return [[kind, 0.4]];
  return kind === null
    ? [
        ["string", 0.4],
        ["array", 0.15],
      ]
    : [];
}

/** Whether the receiver of a call is no value: `Math.max(x)` is never `Math`. */
function isNamespace(node: ts.Expression): boolean {
  return ts.isIdentifier(node) && (/^[A-Z]/.test(node.text) || node.text === "ctx");
}
