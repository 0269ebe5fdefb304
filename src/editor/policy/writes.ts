import { ts } from "ts-morph";
import type { Finding } from "../../ports/editor.ts";
import { findingAt } from "../syntax.ts";
import { builtInAliases, handedPrototypes } from "./aliases.ts";
import { isTypeOnly, memberName } from "./reading.ts";

/** Writes to what all code of the isolate shares: globals, built-ins, prototypes. */
export function globalWrites(file: ts.SourceFile): Finding[] {
  const declared = declaredNames(file);
  const aliases = builtInAliases(file, declared);
  const findings: Finding[] = [...handedPrototypes(file, declared), ...shadowed(file)];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    for (const target of targetsOf(node)) {
      const what = sharedTarget(target, declared) ?? aliasTarget(target, aliases);
      if (what !== null)
        findings.push(findingAt(target, `patched-primordials: a write to ${what}`));
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return findings;
}

/** Built-ins in whose place a declaration of a script would come. */
const BUILT_INS = new Set(
  (
    "Object Function Array String Number Boolean Symbol BigInt JSON Math Reflect Proxy Promise " +
    "Date RegExp Error TypeError RangeError Map Set WeakMap WeakSet Intl globalThis parseInt " +
    "parseFloat isNaN isFinite eval structuredClone"
  ).split(" "),
);

function shadowed(file: ts.SourceFile): Finding[] {
  return file.statements.flatMap((statement) =>
    namesOf(statement)
      .filter((name) => BUILT_INS.has(name))
      .map((name) =>
        findingAt(
          statement,
          `patched-primordials: a declaration in the place of the built-in ${name}`,
        ),
      ),
  );
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    return statement.name === undefined ? [] : [statement.name.text];
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) =>
    ts.isIdentifier(name) ? [name.text] : [],
  );
}

/** Every name that the file binds somewhere; what is none of these is a global. */
function declaredNames(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const binds =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isFunctionExpression(node) ||
      ts.isClassLike(node);
    if (binds && node.name !== undefined && ts.isIdentifier(node.name)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

const DEFINERS = new Set([
  "Object.assign",
  "Object.defineProperty",
  "Object.defineProperties",
  "Object.setPrototypeOf",
  "Reflect.set",
  "Reflect.defineProperty",
  "Reflect.deleteProperty",
  "Reflect.setPrototypeOf",
]);

/** What a node writes to: the target of an assignment or deletion, or the object of a definer. */
function targetsOf(node: ts.Node): readonly ts.Expression[] {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) {
    return leavesOf(node.left);
  }
  if (ts.isDeleteExpression(node)) return [node.expression];
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const { operator } = node;
    const updates =
      operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
    return updates ? [node.operand] : [];
  }
  if (ts.isForOfStatement(node) || ts.isForInStatement(node)) {
    return ts.isVariableDeclarationList(node.initializer) ? [] : leavesOf(node.initializer);
  }
  return definedBy(node);
}

/** A definer writes to its first argument, as if to a member of it. */
function definedBy(node: ts.Node): readonly ts.Expression[] {
  if (!ts.isCallExpression(node) || !DEFINERS.has(node.expression.getText())) return [];
  const [target] = node.arguments;
  if (target === undefined) return [];
  const isShared = rootOf(target) !== target || !ts.isIdentifier(target) || isCapital(target.text);
  return isShared || GLOBALS.has(target.getText()) ? [target] : [];
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** The single targets of a destructuring assignment. */
function leavesOf(target: ts.Expression): readonly ts.Expression[] {
  if (ts.isParenthesizedExpression(target)) return leavesOf(target.expression);
  if (ts.isArrayLiteralExpression(target)) return target.elements.flatMap(leavesOf);
  if (ts.isSpreadElement(target)) return leavesOf(target.expression);
  if (ts.isBinaryExpression(target)) return leavesOf(target.left);
  if (!ts.isObjectLiteralExpression(target)) return [target];
  return target.properties.flatMap((member) => {
    if (ts.isPropertyAssignment(member)) return leavesOf(member.initializer);
    return ts.isShorthandPropertyAssignment(member) ? [member.name] : [];
  });
}

const GLOBALS = new Set(["globalThis", "window", "self", "global"]);

function sharedTarget(target: ts.Expression, declared: ReadonlySet<string>): string | null {
  const root = rootOf(target);
  if (ts.isIdentifier(target)) {
    return declared.has(target.text) ? null : `the global ${target.text}`;
  }
  if (touchesPrototype(target)) return `a prototype: ${target.getText()}`;
  if (!ts.isIdentifier(root) || declared.has(root.text)) return null;
  if (GLOBALS.has(root.text)) return root.text;
  return isCapital(root.text) ? `the built-in ${root.text}` : null;
}

/** A member of what a name of the file stands for: the name itself may be given another value. */
function aliasTarget(target: ts.Expression, aliases: ReadonlySet<string>): string | null {
  const root = rootOf(target);
  const isMember = root !== target && ts.isIdentifier(root) && aliases.has(root.text);
  return isMember ? `the built-in behind ${root.text}` : null;
}

function isCapital(name: string): boolean {
  return /^[A-Z]/.test(name);
}

function rootOf(node: ts.Expression): ts.Expression {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    return rootOf(node.expression);
  }
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node)
  ) {
    return rootOf(node.expression);
  }
  return node;
}

function touchesPrototype(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) {
    return touchesPrototype(node.expression);
  }
  if (ts.isCallExpression(node)) {
    return /^(?:Object|Reflect)\.getPrototypeOf$/.test(node.expression.getText());
  }
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return false;
  const name = memberName(node);
  return name === "prototype" || name === "__proto__" || touchesPrototype(node.expression);
}
