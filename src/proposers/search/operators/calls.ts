import { ts } from "ts-morph";
import { around, exchanging, removing, replacing, type Change } from "../change.ts";
import { isComputed, isValue } from "../places.ts";
import { PRECEDENCE, grown } from "../precedence.ts";
import type { Scene } from "../scene.ts";

/** Arguments that are usual after those that a call already has, by the method's name. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  parseInt: ["10", "2", "16"],
  toString: ["2", "16", "10"],
  toFixed: ["2", "0"],
  join: ['""', '","', '" "', '"\\n"'],
  split: ['""', '" "', '"\\n"', '","', "2"],
  sort: ["(a, b) => a - b", "(a, b) => b - a"],
  toSorted: ["(a, b) => a - b", "(a, b) => b - a"],
  filter: ["Boolean"],
  padStart: ['"0"', '" "'],
  padEnd: ['" "', '"0"'],
  slice: ["0", "1", "-1"],
  substring: ["0", "1"],
  reduce: ["0", "[]", "{}", '""'],
  flat: ["Infinity"],
  stringify: ["null, 2"],
  localeCompare: ['"en"', "undefined, { numeric: true }"],
  toLocaleString: ['"en-US"'],
};

/** Built-in functions that take the same argument. */
const GLOBALS: readonly (readonly string[])[] = [
  ["parseInt", "parseFloat", "Number", "Math.round", "Math.floor", "Math.trunc"],
  ["Math.floor", "Math.ceil", "Math.round", "Math.trunc"],
  ["Math.max", "Math.min"],
  ["Math.sqrt", "Math.cbrt", "Math.abs"],
  ["Math.log", "Math.log2", "Math.log10"],
  ["encodeURIComponent", "encodeURI", "decodeURIComponent"],
  ["decodeURIComponent", "decodeURI", "encodeURIComponent"],
  ["isNaN", "Number.isNaN", "Number.isFinite", "isFinite", "Number.isInteger"],
  ["Number.isInteger", "Number.isSafeInteger", "Number.isFinite"],
  ["Object.keys", "Object.values", "Object.entries"],
  ["Promise.all", "Promise.allSettled", "Promise.any", "Promise.race"],
  ["JSON.stringify", "String"],
  ["String", "JSON.stringify"],
  ["Boolean", "Number"],
  ["Date.parse", "Number"],
  ["String.fromCharCode", "String.fromCodePoint"],
];

const WRAPS: readonly (readonly [string, number])[] = [
  ["Math.abs", 1],
  ["Math.floor", 1],
  ["Math.round", 0.8],
  ["Math.ceil", 0.7],
  ["Math.trunc", 0.5],
  ["Math.sqrt", 0.2],
  ["Number", 0.8],
];

/** Arguments exchanged, dropped or added. */
export function* callArguments(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
  const args = node.arguments ?? [];
  for (const [at, first] of args.entries()) {
    const second = args[at + 1];
    if (second) yield* exchanged(first, second, scene);
    yield removing("drop-argument", node, rangeOf(args, at), at === args.length - 1 ? 1 : 0.3);
  }
  if (ts.isCallExpression(node)) yield* oneMore(node, scene);
}

function* exchanged(first: ts.Expression, second: ts.Expression, scene: Scene): Generator<Change> {
  const [a, b] = [scene.copyOf(first), scene.copyOf(second)];
  if (a === null || b === null || a === b) return;
  yield exchanging("argument-order", [first, second], [b, a]);
}

/** The range of an argument with the comma that goes with it. */
function rangeOf(args: readonly ts.Expression[], at: number): readonly [number, number] {
  const [own, before, after] = [args[at] as ts.Expression, args[at - 1], args[at + 1]];
  if (before) return [before.end, own.end];
  return [own.getStart(), after ? after.getStart() : own.end];
}

function* oneMore(node: ts.CallExpression, scene: Scene): Generator<Change> {
  const name = ts.isPropertyAccessExpression(node.expression)
    ? node.expression.name.text
    : node.expression.getText(scene.file);
  const last = node.arguments.at(-1);
  const at = last ? last.end : node.end - 1;
  const insert = (text: string, weight: number): Change => ({
    operator: "add-argument",
    at: node,
    weight,
    splices: [{ op: "splice", start: at, end: at, text: last ? `, ${text}` : text }],
  });
  if (node.arguments.hasTrailingComma) return;
  for (const text of Object.hasOwn(USUAL, name) ? (USUAL[name] ?? []) : []) yield insert(text, 1);
  for (const known of scene.names(node).slice(0, 8)) {
    if (known !== "ctx" && scene.kindOfName(known) !== "function") yield insert(known, 0.3);
  }
}

/** Another built-in function for the same argument. */
export function* globals(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isCallExpression(node)) return;
  const own = node.expression.getText(scene.file);
  const others = new Set(GLOBALS.filter((family) => family.includes(own)).flat());
  others.delete(own);
  for (const other of others) yield replacing("global", node.expression, other);
}

/** A number passed through a function of Math, or kept within a bound that has a name. */
export function* wraps(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isValue(node) || !isComputed(node) || ts.isLiteralExpression(node)) return;
  if (ts.isParenthesizedExpression(node) || ts.isFunctionLike(node)) return;
  const kind = scene.kindOf(node);
  if (kind === "string" || kind === null) {
    yield around("wrap", node, ["Number(", ")"], 0.5);
    if (isPartOfText(node)) yield around("wrap", node, ["encodeURIComponent(", ")"], 0.5);
  }
  if (kind !== "string") yield around("wrap", node, ["String(", ")"], kind === null ? 0.5 : 0.3);
  if (kind !== "number" && kind !== null) return;
  const doubt = kind === "number" ? 1 : 0.3;
  for (const [name, weight] of WRAPS) {
    yield around("wrap", node, [`${name}(`, ")"], weight * doubt * (isDivided(node) ? 2 : 1));
  }
  yield around("arithmetic", node, grown(node, ["-", ""], PRECEDENCE.unary), 0.15 * doubt);
  for (const bound of ["0", "1", ...scene.names(node).slice(0, 8)]) {
    const other = scene.kindOfName(bound);
    if ((other !== "number" && other !== null) || bound === node.getText(scene.file)) continue;
    yield around("clamp", node, ["Math.max(", `, ${bound})`], doubt);
    yield around("clamp", node, ["Math.min(", `, ${bound})`], doubt * 0.8);
  }
}

/** Whether a value is put into a text that is made of parts, as addresses are. */
function isPartOfText(node: ts.Expression): boolean {
  if (ts.isTemplateSpan(node.parent)) return true;
  return (
    ts.isBinaryExpression(node.parent) &&
    node.parent.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    !ts.isLiteralExpression(node)
  );
}

function isDivided(node: ts.Expression): boolean {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.SlashToken;
}
