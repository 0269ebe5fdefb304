import { ts } from "ts-morph";
import { documentedTexts } from "./documented.ts";
import { kindsOf, type Kind } from "./kinds.ts";
import { visibleNames } from "./scope.ts";
import { isComparisonToken } from "./tokens.ts";

/** What operators know about the file around a node. */
export type Scene = {
  readonly file: ts.SourceFile;
  /** Distinct member names of the file, the most frequent first. */
  readonly members: readonly string[];
  /** Distinct string literals of the file, then those its comments quote, in double quotes. */
  readonly strings: readonly string[];
  /** Distinct numeric literals of the file, as source text. */
  readonly numbers: readonly string[];
  /** Small expressions that some `return` of the file gives back, as source text. */
  readonly returned: readonly string[];
  /** Messages of errors that failing cases want. */
  readonly wantedErrors: readonly string[];
  /** Comparisons and other conditions of the file that could be asked elsewhere. */
  readonly conditions: readonly ts.Expression[];
  /** What a name or an expression most likely holds; null where nothing tells. */
  kindOf(node: ts.Node): Kind | null;
  /** Kind of a name of the file. */
  kindOfName(name: string): Kind | null;
  /** Names that may be read at a node, the nearest declaration first. */
  names(node: ts.Node): readonly string[];
  /** The text of a node where it can be copied as plain JavaScript; null if it has types in it. */
  copyOf(node: ts.Node): string | null;
};

/** Reads a parsed file once, for all operators. */
export function sceneOf(file: ts.SourceFile, wantedErrors: readonly string[] = []): Scene {
  const kinds = kindsOf(file);
  const found = collect(file);
  return {
    file,
    wantedErrors,
    members: byFrequency(found.members),
    strings: [...new Set([...byFrequency(found.strings), ...documented(file)])],
    numbers: byFrequency(found.numbers),
    returned: byFrequency(found.returned),
    conditions: distinctTexts(found.conditions, file),
    kindOf: kinds.ofNode,
    kindOfName: kinds.ofName,
    names: (node) => visibleNames(node),
    copyOf: (node) => (hasTypes(node) ? null : node.getText(file)),
  };
}

/** Texts that the comments quote, as source text. */
function documented({ text }: ts.SourceFile): readonly string[] {
  return documentedTexts(text).map((one) => JSON.stringify(one));
}

/** Whether some part of a node is erased before the program runs. */
function hasTypes(node: ts.Node): boolean {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return true;
  if (ts.isNonNullExpression(node) || ts.isTypeParameterDeclaration(node)) return true;
  return ts.forEachChild(node, (child) => hasTypes(child) || undefined) ?? false;
}

type Found = {
  readonly members: string[];
  readonly strings: string[];
  readonly numbers: string[];
  readonly returned: string[];
  readonly conditions: ts.Expression[];
};

function collect(file: ts.SourceFile): Found {
  const found: Found = { members: [], strings: [], numbers: [], returned: [], conditions: [] };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && !isCalled(node)) found.members.push(node.name.text);
    if (isNamedMember(node)) found.members.push(node.name.text);
    if (ts.isStringLiteral(node)) found.strings.push(JSON.stringify(node.text));
    if (ts.isNumericLiteral(node)) found.numbers.push(node.text);
    if (ts.isReturnStatement(node) && isSmall(node.expression)) {
      found.returned.push(node.expression.getText(file));
    }
    if (isCondition(node) && !hasTypes(node)) found.conditions.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isCalled(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && node.parent.expression === node;
}

function isNamedMember(
  node: ts.Node,
): node is (ts.PropertyAssignment | ts.PropertySignature) & { name: ts.Identifier } {
  return (
    (ts.isPropertyAssignment(node) || ts.isPropertySignature(node)) && ts.isIdentifier(node.name)
  );
}

function isSmall(node: ts.Expression | undefined): node is ts.Expression {
  return node !== undefined && node.end - node.getStart() <= 12 && !hasTypes(node);
}

/** Comparisons, and what stands as a test or as an operand of a logical operator. */
function isCondition(node: ts.Node): node is ts.Expression {
  const { parent } = node;
  if (ts.isBinaryExpression(node) && isComparisonToken(node.operatorToken.kind)) return true;
  if (!parent || node.end - node.getStart() > 60 || !ts.isExpression(node)) return false;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  return false;
}

function byFrequency(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value);
}

function distinctTexts(nodes: readonly ts.Expression[], file: ts.SourceFile): ts.Expression[] {
  return [...new Map(nodes.map((node) => [node.getText(file), node])).values()];
}
