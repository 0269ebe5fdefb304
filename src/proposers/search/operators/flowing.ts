import { ts } from "ts-morph";
import { replacing, type Change, type Splice } from "../change.ts";
import { isInLoop } from "../places.ts";
import type { Scene } from "../scene.ts";

const SEPARATORS = ['""', '"\\n"', '","', '", "', '" "'];

/** An assignment in a loop that loses what earlier turns assigned: it appends instead. */
export function* accumulations(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return;
  if (!ts.isIdentifier(node.left) || !ts.isExpressionStatement(node.parent) || !isInLoop(node))
    return;
  const [name, value] = [node.left.text, scene.copyOf(node.right)];
  if (value === null || value.startsWith(`${name} `)) return;
  for (const [at, separator] of SEPARATORS.entries()) {
    const joined = separator === '""' ? `${name} + ${value}` : `${name} + ${separator} + ${value}`;
    const weight = at < 2 ? 1 : 0.5;
    yield replacing("accumulate", node.right, `${name} == null ? ${value} : ${joined}`, weight);
    yield replacing("accumulate", node.right, `${name} ? ${joined} : ${value}`, weight * 0.6);
  }
  yield replacing("accumulate", node.right, `${name} ?? ${value}`, 0.6);
  yield replacing("accumulate", node.right, `Math.max(${name}, ${value})`, 0.4);
}

/** `await Promise.all(xs.map(f))` to a loop that waits for each before it starts the next. */
export function* sequences(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isExpressionStatement(node) || !ts.isAwaitExpression(node.expression)) return;
  const all = node.expression.expression;
  if (!ts.isCallExpression(all) || all.expression.getText(scene.file) !== "Promise.all") return;
  const [mapped] = all.arguments;
  if (!mapped || !ts.isCallExpression(mapped) || !ts.isPropertyAccessExpression(mapped.expression))
    return;
  const [work] = mapped.arguments;
  const items = scene.copyOf(mapped.expression.expression);
  const called = work ? scene.copyOf(work) : null;
  if (mapped.expression.name.text !== "map" || items === null || called === null || !work) return;
  const callee = ts.isIdentifier(work) ? called : `(${called})`;
  yield replacing("sequential", node, `for (const item of ${items}) await ${callee}(item);`);
}

/** After `const res = await ….fetch(…)`: what is not 2xx throws; 204 has no content. */
export function* responseGuards(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isVariableStatement(node)) return;
  const [declaration] = node.declarationList.declarations;
  const value = declaration?.initializer;
  if (!declaration || !value || !ts.isAwaitExpression(value) || !ts.isIdentifier(declaration.name))
    return;
  if (!/fetch\(/.test(value.getText(scene.file))) return;
  const name = declaration.name.text;
  const statements: readonly (readonly [string, number])[] = [
    [`if (!${name}.ok) throw new Error("HTTP " + ${name}.status);`, 1],
    [`if (${name}.status === 204) return null;`, 1],
    [`if (${name}.status === 404) return null;`, 0.8],
    [`if (${name}.status === 204) return [];`, 0.4],
    [`if (${name}.status === 204) return;`, 0.4],
  ];
  for (const [text, weight] of statements) {
    const ends = node.getText(scene.file).endsWith(";") ? "" : ";";
    const after = {
      op: "splice",
      start: node.end,
      end: node.end,
      text: `${ends} ${text}`,
    } as const;
    const splices: Splice[] = [after];
    yield { operator: "response-guard", at: node, splices, weight };
  }
}

/** In the branch of an answer that is not 2xx: a throw in the place of a made-up result. */
export function* thrown(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isReturnStatement(node)) return;
  const branch = ts.isBlock(node.parent) ? node.parent.parent : node.parent;
  if (!ts.isIfStatement(branch)) return;
  const name = /(\w+)\.(?:ok|status)\b/.exec(branch.expression.getText(scene.file))?.[1];
  if (name === undefined) return;
  yield replacing("response-guard", node, `throw new Error("HTTP " + ${name}.status);`);
}
