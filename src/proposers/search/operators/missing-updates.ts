import { ts } from "ts-morph";
import { atEndOf, type Change } from "../change.ts";
import { freeNames } from "../atoms.ts";
import { isInLoop } from "../places.ts";
import type { Scene } from "../scene.ts";
import { isAssignmentToken } from "../tokens.ts";
import { walk } from "../walk.ts";

/** Values that a missing statement is made of, at most: names first, then what stands in the loop. */
const MOST_NAMES = 8;
const MOST_PARTS = 8;

/** Longest part of the loop that is used again, in characters. */
const LONGEST_PART = 24;

/** Methods by which a container is filled. */
const FILLS = new Set(["push", "unshift", "add", "set", "splice", "append"]);

/**
 * In a loop, the statement that somebody forgot: a variable that is read later but keeps its first
 * value, or one that the loop waits for and nothing in it changes, is changed at the end of a block.
 */
export function* missingUpdates(node: ts.Node, scene: Scene): Generator<Change> {
  if (!ts.isBlock(node) || !isInLoop(node)) return;
  const last = node.statements.at(-1);
  if (last && (ts.isReturnStatement(last) || ts.isBreakOrContinueStatement(last))) return;
  const within = outermostFunction(node) ?? scene.file;
  const names = scene.names(last ?? node);
  const parts = partsOf(node, names, scene);
  for (const name of names) {
    const declaration = declarationOf(name, within);
    if (!declaration) continue;
    const awaited = isAwaited(name, node);
    if (!awaited && !isStale(declaration, within)) continue;
    const values = [...names.filter((other) => other !== name).slice(0, MOST_NAMES), ...parts];
    for (const [text, weight] of updatesOf(name, declaration, { values, awaited, scene })) {
      const splices = [atEndOf(node, text)];
      yield { operator: "missing-update", at: last ?? node, weight, splices };
    }
  }
}

type Means = {
  readonly values: readonly string[];
  readonly awaited: boolean;
  readonly scene: Scene;
};

function* updatesOf(
  name: string,
  { initializer }: Declaration,
  { values, awaited, scene }: Means,
): Generator<readonly [text: string, weight: number]> {
  const made = initializer && ts.isNewExpression(initializer) ? initializer.expression : null;
  const kind = scene.kindOfName(name);
  const holds = (value: string): string | null => scene.kindOfName(value);
  if (kind === "boolean") {
    yield [`${name} = true;`, 1];
    yield [`${name} = false;`, 1];
  }
  if (kind === "number") {
    yield [`${name}++;`, 1];
    yield [`${name}--;`, awaited ? 1 : 0.4];
  }
  for (const value of values) {
    const other = holds(value);
    const isNumber = other === "number" || other === null;
    if (kind === "array") yield [`${name}.push(${value});`, 1];
    if (made?.getText(scene.file) === "Set") yield [`${name}.add(${value});`, 1];
    if (kind === "string" && other !== "array" && other !== "object") {
      yield [`${name} += ${value};`, 1];
      if (isNumber) yield [`${name} += String.fromCharCode(${value});`, 0.5];
    }
    if (kind === "number" && isNumber) {
      yield [`${name} += ${value};`, 1];
      if (awaited) {
        yield [`${name} -= ${value};`, 1];
        yield [`${name} %= ${value};`, 1];
        yield [`${name} = Math.floor(${name} / ${value});`, 1];
      }
    }
    if (other === kind || kind === null || other === null) yield [`${name} = ${value};`, 0.5];
  }
}

type Declaration = ts.VariableDeclaration | ts.ParameterDeclaration;

function outermostFunction(node: ts.Node): ts.Node | null {
  let found: ts.Node | null = null;
  for (let at: ts.Node = node; at; at = at.parent) if (ts.isFunctionLike(at)) found = at;
  return found;
}

/** The variable or parameter of a name; null where none or more than one has it. */
function declarationOf(name: string, within: ts.Node): Declaration | null {
  const found: Declaration[] = [];
  walk(within, (node) => {
    if (!ts.isVariableDeclaration(node) && !ts.isParameter(node)) return;
    if (ts.isIdentifier(node.name) && node.name.text === name) found.push(node);
  });
  const [only] = found;
  return only && found.length === 1 ? only : null;
}

/** Whether a variable is read and keeps what its declaration gave it. */
function isStale(declaration: Declaration, within: ts.Node): boolean {
  const { name, initializer, parent } = declaration;
  if (ts.isParameter(declaration) || !ts.isIdentifier(name)) return false;
  if (!initializer || !isEmpty(initializer)) return false;
  if (ts.isForOfStatement(parent.parent) || ts.isForInStatement(parent.parent)) return false;
  let reads = 0;
  let writes = 0;
  walk(within, (node) => {
    if (!ts.isIdentifier(node) || node.text !== name.text || node === name) return;
    if (isWritten(node)) writes += 1;
    else reads += 1;
  });
  return reads > 0 && writes === 0;
}

/** What something that is filled or counted begins with. */
function isEmpty(value: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0;
  if (ts.isNewExpression(value)) return !value.arguments?.length;
  const { TrueKeyword, FalseKeyword } = ts.SyntaxKind;
  return (
    ts.isNumericLiteral(value) ||
    ts.isStringLiteral(value) ||
    ts.isPrefixUnaryExpression(value) ||
    value.kind === TrueKeyword ||
    value.kind === FalseKeyword
  );
}

/** Whether the test of a `while` or `for` around a block reads a name that nothing in the loop changes. */
function isAwaited(name: string, block: ts.Block): boolean {
  for (let at: ts.Node = block.parent; at && !ts.isFunctionLike(at); at = at.parent) {
    const test =
      ts.isWhileStatement(at) || ts.isDoStatement(at)
        ? at.expression
        : ts.isForStatement(at)
          ? at.condition
          : undefined;
    if (test && freeNames(test).includes(name)) return !isWrittenIn(at, name);
  }
  return false;
}

function isWrittenIn(loop: ts.Node, name: string): boolean {
  let isFound = false;
  walk(loop, (node) => {
    if (ts.isIdentifier(node) && node.text === name && isWritten(node)) isFound = true;
  });
  return isFound;
}

/** Whether an identifier is assigned to, counted up or down, filled, or written into. */
function isWritten(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    return parent.left === node && isAssignmentToken(parent.operatorToken.kind);
  }
  if (ts.isPostfixUnaryExpression(parent)) return true;
  if (ts.isPrefixUnaryExpression(parent)) {
    const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind;
    return parent.operator === PlusPlusToken || parent.operator === MinusMinusToken;
  }
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
    return FILLS.has(parent.name.text);
  }
  return ts.isElementAccessExpression(parent) && parent.expression === node && isTarget(parent);
}

function isTarget(node: ts.ElementAccessExpression): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    isAssignmentToken(parent.operatorToken.kind)
  );
}

/** Elements and members that the loop around a block reads, all of whose names can be read there. */
function partsOf(block: ts.Block, names: readonly string[], scene: Scene): readonly string[] {
  const known = new Set(names);
  const found = new Set<string>();
  walk(loopAround(block), (node) => {
    if (!ts.isElementAccessExpression(node) && !ts.isPropertyAccessExpression(node)) return;
    const text = scene.copyOf(node);
    if (text === null || text.length > LONGEST_PART || ts.isCallExpression(node.parent)) return;
    if (freeNames(node).every((name) => known.has(name))) found.add(text);
  });
  return [...found].slice(0, MOST_PARTS);
}

function loopAround(block: ts.Block): ts.Node {
  let outer: ts.Node = block;
  for (let at: ts.Node = block.parent; at && !ts.isFunctionLike(at); at = at.parent) {
    if (ts.isIterationStatement(at, false)) outer = at;
  }
  return outer;
}
