import { ts } from "ts-morph";

/** The object that `export const machine` is, without `as const` and `satisfies`. */
export function machineObject(file: ts.SourceFile): ts.ObjectLiteralExpression | null {
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isExported = statement.modifiers?.some(
      ({ kind }) => kind === ts.SyntaxKind.ExportKeyword,
    );
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name) || name.text !== "machine" || isExported !== true) continue;
      const value = initializer === undefined ? null : bare(initializer);
      return value !== null && ts.isObjectLiteralExpression(value) ? value : null;
    }
  }
  return null;
}

/** An expression without what only types it. */
export function bare(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isParenthesizedExpression(node)
    ? bare(node.expression)
    : node;
}

/** The value of a member, by its name. */
export function member(
  object: ts.ObjectLiteralExpression,
  name: string,
): ts.Expression | undefined {
  return membersOf(object).find(([key]) => key === name)?.[1];
}

/** The members of an object by their names. */
export function membersOf(
  object: ts.ObjectLiteralExpression | null,
): readonly (readonly [string, ts.Expression])[] {
  return (object?.properties ?? []).flatMap((property) => {
    const name = nameOf(property);
    return name !== null && ts.isPropertyAssignment(property)
      ? [[name, property.initializer] as const]
      : [];
  });
}

/** The name of a member; null where it is computed, or none. */
export function nameOf({ name }: ts.ObjectLiteralElementLike): string | null {
  if (name === undefined) return null;
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)
    ? name.text
    : null;
}

/** An object that is written down; null for anything else. */
export function objectOf(node: ts.Expression | undefined): ts.ObjectLiteralExpression | null {
  const value = node === undefined ? undefined : bare(node);
  return value !== undefined && ts.isObjectLiteralExpression(value) ? value : null;
}

/** The elements of a list, or the one thing that stands in its place. */
export function listOf(node: ts.Expression): readonly ts.Expression[] {
  const value = bare(node);
  return ts.isArrayLiteralExpression(value) ? value.elements : [value];
}

/** A text that is written down; null for anything else. */
export function textOf(node: ts.Expression | undefined): string | null {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : null;
}
