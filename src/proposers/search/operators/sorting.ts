import { ts } from "ts-morph";
import { around, replacing, type Change } from "../change.ts";
import type { Scene } from "../scene.ts";

/** How values are compared when they are sorted. */
export function* sorting(node: ts.Node, scene: Scene): Generator<Change> {
  if (!isSort(node)) return;
  const [compare] = node.arguments;
  const parentheses = node.end - 1;
  if (!compare) {
    for (const [text, weight] of [
      ["(a, b) => a - b", 1],
      ["(a, b) => b - a", 0.7],
      ["(a, b) => a.localeCompare(b)", 0.4],
      ["(a, b) => a.length - b.length", 0.2],
    ] as const) {
      const splices = [{ op: "splice", start: parentheses, end: parentheses, text }] as const;
      yield { operator: "comparator", at: node, weight, splices };
    }
    return;
  }
  if (ts.isArrowFunction(compare) && !ts.isBlock(compare.body)) yield* body(compare, scene);
}

/** Turned round; by the difference where only a boolean was given; ties by the whole value. */
function* body(compare: ts.ArrowFunction, scene: Scene): Generator<Change> {
  const result = compare.body as ts.Expression;
  const [a, b] = compare.parameters.map(({ name }) => name.getText(scene.file));
  if (a === undefined || b === undefined) return;
  yield around("comparator", result, ["-(", ")"]);
  if (ts.isBinaryExpression(result)) {
    const [left, right] = [scene.copyOf(result.left), scene.copyOf(result.right)];
    if (left === null || right === null) return;
    yield replacing("comparator", result, `${left} - ${right}`);
    yield replacing("comparator", result, `${left} < ${right} ? -1 : ${left} > ${right} ? 1 : 0`);
    yield replacing(
      "comparator",
      result,
      `${left} < ${right} ? 1 : ${left} > ${right} ? -1 : 0`,
      0.5,
    );
    yield replacing("comparator", result, `String(${left}).localeCompare(String(${right}))`, 0.5);
  }
  yield around("comparator", result, ["(", `) || ${a} - ${b}`], 0.5);
  yield around("comparator", result, ["(", `) || ${b} - ${a}`], 0.3);
  yield around("comparator", result, ["(", `) || (${a} < ${b} ? -1 : 1)`], 0.3);
}

function isSort(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return ["sort", "toSorted"].includes(node.expression.name.text);
}
