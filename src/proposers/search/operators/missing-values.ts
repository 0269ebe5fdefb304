import { ts } from "ts-morph";
import { around, type Change } from "../change.ts";
import { isCallee, isComputed, isValue } from "../places.ts";
import { PRECEDENCE, grown } from "../precedence.ts";
import type { Scene } from "../scene.ts";

const FALLBACKS: readonly (readonly [string, number])[] = [
  ["[]", 1],
  ['""', 1],
  ["0", 0.8],
  ["null", 0.6],
  ["{}", 0.6],
  ["false", 0.4],
];

/** `||` to `??` and back. */
export function* nullish(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isBinaryExpression(node) || scene.kindOf(node.left) === "boolean") return;
  const { kind } = node.operatorToken;
  const { BarBarToken, QuestionQuestionToken } = ts.SyntaxKind;
  if (kind === BarBarToken && !isMixed(node)) yield atOperator(node, "??");
  if (kind === QuestionQuestionToken) yield atOperator(node, "||");
}

/** `a.b` to `a?.b`. */
export function* optionalChains(node: ts.Node): Generator<Change> {
  if (ts.isPropertyAccessExpression(node) && !node.questionDotToken && isReadable(node)) {
    const dot = node.name.getStart() - 1;
    yield insertion(node, [dot, dot + 1], "?.");
  }
  if (ts.isElementAccessExpression(node) && !node.questionDotToken && isReadable(node)) {
    yield insertion(node, [node.expression.end, node.expression.end], "?.");
  }
  if (ts.isCallExpression(node) && !node.questionDotToken && ts.isIdentifier(node.expression)) {
    yield insertion(node, [node.expression.end, node.expression.end], "?.");
  }
}

/** A default for a value that may be missing: `x` to `x ?? []`. */
export function* fallbacks(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isValue(node) || isCallee(node) || !isFallible(node)) return;
  if (!isComputed(node) && !isIterated(node)) return;
  const { parent } = node;
  if (ts.isBinaryExpression(parent) && /[|&?]{2}/.test(parent.operatorToken.getText())) return;
  const kind = scene.kindOf(node);
  const fit: Readonly<Record<string, string>> = {
    number: "0",
    string: '""',
    array: "[]",
    object: "{}",
  };
  for (const [text, weight] of FALLBACKS) {
    const doubt = kind === null ? 0.6 : fit[kind] === text ? 1 : 0.1;
    const order = isIterated(node) && text === "[]" ? 2 : 1;
    yield around(
      "fallback",
      node,
      grown(node, ["", ` ?? ${text}`], PRECEDENCE.or),
      weight * doubt * order,
    );
  }
  yield* chainedFallbacks(node, scene);
  for (const text of scene.strings.filter((one) => one !== '""').slice(0, 4)) {
    const texts = grown(node, ["", ` ?? ${text}`], PRECEDENCE.or);
    yield around("fallback", node, texts, kind === "string" || kind === null ? 0.3 : 0.05);
  }
  for (const [text, weight] of FALLBACKS.slice(0, 3)) {
    const grownTexts = grown(node, ["", ` || ${text}`], PRECEDENCE.or);
    yield around("fallback", node, grownTexts, weight * 0.3);
  }
}

/** `a.b` to `a?.b ?? ""`: both the object and the member may be missing. */
function* chainedFallbacks(node: ts.Expression, scene: Scene): Generator<Change> {
  if (!ts.isPropertyAccessExpression(node) || node.questionDotToken || !isReadable(node)) return;
  const dot = node.name.getStart() - 1;
  for (const [text, weight] of FALLBACKS.slice(0, 4)) {
    const [first, ...rest] = around(
      "fallback",
      node,
      grown(node, ["", ` ?? ${text}`], PRECEDENCE.or),
    ).splices;
    const splices = [
      first,
      { op: "splice", start: dot, end: dot + 1, text: "?." } as const,
      ...rest,
    ]
      .filter((splice) => splice !== undefined)
      .toSorted((a, b) => a.start - b.start);
    yield {
      operator: "fallback",
      at: node,
      weight: weight * (scene.kindOf(node) ? 0.2 : 0.4),
      splices,
    };
  }
}

function atOperator({ operatorToken, parent }: ts.BinaryExpression, text: string): Change {
  const [start, end] = [operatorToken.getStart(), operatorToken.end];
  return insertion(parent, [start, end], text, "nullish");
}

function insertion(
  at: ts.Node,
  [start, end]: readonly [number, number],
  text: string,
  operator: "nullish" | "optional-chain" = "optional-chain",
): Change {
  return { operator, at, weight: 1, splices: [{ op: "splice", start, end, text }] };
}

/** `??` must not stand beside `||` or `&&` without parentheses. */
function isMixed(node: ts.BinaryExpression): boolean {
  return [node.left, node.right, node.parent].some(
    (part) =>
      ts.isBinaryExpression(part) &&
      [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken].includes(
        part.operatorToken.kind,
      ),
  );
}

/** Whether a chain is only read and starts at a value, not at a global's name. */
function isReadable(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): boolean {
  if (!isValue(node) && !isCallee(node)) return false;
  return !(ts.isIdentifier(node.expression) && /^[A-Z]|^ctx$/.test(node.expression.text));
}

function isFallible(node: ts.Expression): boolean {
  return (
    ts.isIdentifier(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isAwaitExpression(node)
  );
}

/** Whether a value is gone through by a loop, a spread or a method. */
function isIterated(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isForOfStatement(parent) || ts.isSpreadElement(parent)) return true;
  return ts.isPropertyAccessExpression(parent) && parent.expression === node;
}
