import { ts } from "ts-morph";
import type { Finding } from "../../ports/editor.ts";
import { findingAt } from "../syntax.ts";
import { isBound } from "./bound.ts";
import { constantText, isRead, isTypeOnly, memberName } from "./reading.ts";

/** Constructs that no candidate may bring in, by what they are for. */
export function forbiddenConstructs(file: ts.SourceFile): Finding[] {
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    const outer = reachingType(node) ?? ambient(node);
    if (outer !== null) findings.push(findingAt(node, outer));
    if (isTypeOnly(node)) return ts.forEachChild(node, visitTypes);
    const message = forbidden(node);
    if (message !== null) findings.push(findingAt(node, message));
    ts.forEachChild(node, visit);
  };
  const visitTypes = (node: ts.Node): void => {
    const outer = reachingType(node);
    if (outer !== null) findings.push(findingAt(node, outer));
    ts.forEachChild(node, visitTypes);
  };
  ts.forEachChild(file, visit);
  return findings;
}

/** A type from elsewhere: the type check would read another file for it. */
function reachingType(node: ts.Node): string | null {
  return ts.isImportTypeNode(node) ? "a type import reaches out of the skill" : null;
}

/** A declaration without a body vouches to the compiler for what is not there. */
function ambient(node: ts.Node): string | null {
  if (ts.isNamespaceExportDeclaration(node)) return "a declaration for all modules";
  if (ts.isModuleDeclaration(node) || !ts.canHaveModifiers(node)) return null;
  const isDeclared = ts
    .getModifiers(node)
    ?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword);
  const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  return isDeclared === true && !isType ? "declare vouches for what is not there" : null;
}

function forbidden(node: ts.Node): string | null {
  if (ts.isIdentifier(node)) return isRead(node) ? forbiddenName(node) : null;
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    return forbiddenMember(node);
  }
  if (ts.isBindingElement(node)) return forbiddenPart(node);
  if (ts.isCallExpression(node)) return forbiddenCall(node);
  return forbiddenStatement(node);
}

function forbiddenStatement(node: ts.Node): string | null {
  if (ts.isWithStatement(node)) return "with changes what names mean";
  if (ts.isDebuggerStatement(node)) return "debugger";
  if (ts.isModuleDeclaration(node)) return "a declaration for all modules";
  if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) {
    return "import.meta reaches out of the skill";
  }
  const imports =
    ts.isImportDeclaration(node) ||
    ts.isImportEqualsDeclaration(node) ||
    (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined);
  return imports ? "an import reaches out of the skill" : null;
}

const CODE_MAKERS = new Set(["eval", "Function", "AsyncFunction", "GeneratorFunction"]);
const OUTSIDE = new Set([
  "require",
  "process",
  "module",
  "__filename",
  "__dirname",
  "importScripts",
]);
const GLOBALS = new Set(["globalThis", "window", "self", "global"]);

function forbiddenName(node: ts.Identifier): string | null {
  const { text, parent } = node;
  if (text === "Function" && isInstanceTest(node)) return null;
  if (CODE_MAKERS.has(text)) return `${text} makes code from text`;
  if (ts.isTypeOfExpression(parent)) return null;
  if (OUTSIDE.has(text)) return isBound(node) ? null : `${text} reaches out of the skill`;
  if (!GLOBALS.has(text) || isBound(node)) return null;
  const reads = ts.isPropertyAccessExpression(parent) && parent.expression === node;
  return reads && !CODE_MAKERS.has(parent.name.text) ? null : `${text} is handed on as a value`;
}

function isInstanceTest({ parent }: ts.Identifier): boolean {
  return (
    ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
  );
}

/** Members by which a function finds its callers, or the constructor of functions. */
function forbiddenMember(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
): string | null {
  const name = memberName(node);
  const holder = node.expression.getText();
  if (name === "constructor")
    return isHarmlessConstructor(node) ? null : "constructor leads to Function";
  if (name === "callee" || (name === "caller" && holder === "arguments")) {
    return `${holder}.${name} finds the caller`;
  }
  if (name !== null && ACCESSOR_TOOLS.test(name)) return `${name} hides code behind a member`;
  if (name === "prepareStackTrace" || name === "captureStackTrace") {
    return `${name} reads the stack of callers`;
  }
  if (name === "stack" && isError(node.expression))
    return "the stack of an error names the callers";
  return name === null && GLOBALS.has(holder) ? `a computed member of ${holder}` : null;
}

/** `x.constructor.name` and comparisons tell kinds of values apart. */
function isHarmlessConstructor({ parent }: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === "name";
  return ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText());
}

function isError(node: ts.Expression): boolean {
  const bare =
    ts.isParenthesizedExpression(node) || ts.isAsExpression(node) ? node.expression : node;
  if (bare !== node) return isError(bare);
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
    return node.expression.getText().endsWith("Error");
  }
  if (!ts.isIdentifier(node)) return false;
  for (let scope: ts.Node = node.parent; scope !== undefined; scope = scope.parent) {
    if (ts.isCatchClause(scope) && scope.variableDeclaration?.name.getText() === node.text)
      return true;
  }
  return /^(?:e|ex|err|error|cause|thrown)$/i.test(node.text);
}

function forbiddenPart(node: ts.BindingElement): string | null {
  const key = node.propertyName ?? node.name;
  const name = ts.isIdentifier(key) || ts.isStringLiteral(key) ? key.text : null;
  return name === "constructor" || name === "callee" || name === "prepareStackTrace"
    ? `${name} leads out of the function`
    : null;
}

const ACCESSOR_TOOLS = /^__(?:define|lookup)[GS]etter__$/;

const LATER = /^(?:globalThis\.)?set(?:Timeout|Interval|Immediate)$/;

const REFLECTING = new Set([
  "Reflect.get",
  "Reflect.getOwnPropertyDescriptor",
  "Object.getOwnPropertyDescriptor",
]);

function forbiddenCall(node: ts.CallExpression): string | null {
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return "import() reaches out of the skill";
  const [first, key] = node.arguments;
  if (first !== undefined && LATER.test(node.expression.getText()) && constantText(first) !== null)
    return "a timer makes code from text";
  if (key === undefined || !REFLECTING.has(node.expression.getText())) return null;
  return constantText(key) === "constructor" ? "constructor leads to Function" : null;
}
