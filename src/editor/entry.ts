import { ts } from "ts-morph";
import type { Program } from "../domain/skill.ts";
import type { Finding, SourceText } from "../ports/editor.ts";
import { findingAt } from "./syntax.ts";

/** A function with a name of its own or of the variable that holds it. */
export type EntryNode = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction;

/** The function of a skill. */
export type Entry = { readonly name: string; readonly node: EntryNode };

/** The skill's function, or everything that is wrong with what the source exports. */
export function entryOf(
  file: ts.SourceFile,
  source: SourceText,
): { readonly entry: Entry | null; readonly findings: readonly Finding[] } {
  const findings = [...importFindings(file), ...exportFormFindings(file)];
  const declared = namedValues(file);
  const exported = declared.filter(({ isExported }) => isExported);
  const candidates = isModule(file, source) ? exported : declared;
  const chosen = choose(file, source.entry, candidates);
  if (source.entry === null) findings.push(...surplusFindings(exported));
  if ("line" in chosen) return { entry: null, findings: [...findings, chosen] };
  const node = functionIn(chosen.node);
  if (node === null) {
    return { entry: null, findings: [...findings, findingAt(chosen.node, notAFunction(chosen))] };
  }
  findings.push(...shapeFindings(chosen, node, declared));
  return { entry: { name: chosen.name, node }, findings };
}

/** The names of the functions, classes and variables that a source exports. */
export function exportedNames(file: ts.SourceFile): string[] {
  return namedValues(file).flatMap(({ name, isExported }) => (isExported ? [name] : []));
}

/** Whether a source exports from where it declares: TypeScript always must, a plain script need not. */
export function isModule(file: ts.SourceFile, { language }: SourceText): boolean {
  return language !== "js" || ts.isExternalModule(file);
}

type NamedValue = {
  readonly name: string;
  readonly node: ts.Node;
  readonly isExported: boolean;
};

/** Functions, classes and variables of the top level; a name that is assigned to counts in a script. */
function namedValues(file: ts.SourceFile): NamedValue[] {
  return file.statements.flatMap((statement): NamedValue[] => {
    const isExported = hasModifier(statement, ts.SyntaxKind.ExportKeyword);
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      const name = statement.name?.text ?? "default";
      return [{ name, node: statement, isExported }];
    }
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap((declaration) =>
        boundNames(declaration.name).map((name) => ({ name, node: declaration, isExported })),
      );
    }
    return assignedValue(statement);
  });
}

function assignedValue(statement: ts.Statement): NamedValue[] {
  if (!ts.isExpressionStatement(statement)) return [];
  const { expression } = statement;
  if (!ts.isBinaryExpression(expression) || !ts.isIdentifier(expression.left)) return [];
  if (expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return [];
  return [{ name: expression.left.text, node: expression, isExported: false }];
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? boundNames(element.name) : [],
  );
}

function choose(
  file: ts.SourceFile,
  wanted: string | null,
  candidates: readonly NamedValue[],
): NamedValue | Finding {
  const fitting = candidates.filter(({ name }) => wanted === null || name === wanted);
  const chosen = fitting.find(({ node }) => isImplementation(node)) ?? fitting[0];
  if (chosen !== undefined) return chosen;
  const what = wanted === null ? "no function is exported" : `nothing named ${wanted} is exported`;
  const seen = candidates.map(({ name }) => name).join(", ");
  const message = seen === "" ? what : `${what}, only ${seen}`;
  return file.statements[0] === undefined
    ? { line: 1, message }
    : findingAt(file.statements[0], message);
}

function isImplementation(node: ts.Node): boolean {
  return functionIn(node)?.body !== undefined;
}

/** The function that a declaration holds, parentheses aside. */
function functionIn(node: ts.Node): EntryNode | null {
  if (ts.isFunctionDeclaration(node)) return node;
  const value = ts.isVariableDeclaration(node)
    ? node.initializer
    : ts.isBinaryExpression(node)
      ? node.right
      : undefined;
  const bare = value === undefined ? undefined : ts.skipPartiallyEmittedExpressions(unwrap(value));
  if (bare === undefined) return null;
  return ts.isArrowFunction(bare) || ts.isFunctionExpression(bare) ? bare : null;
}

function unwrap(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node)
    ? unwrap(node.expression)
    : node;
}

function notAFunction({ name }: NamedValue): string {
  return `${name} must be declared as a function, or as a const that holds one`;
}

function importFindings(file: ts.SourceFile): Finding[] {
  return file.statements.flatMap((statement) => {
    const isImport =
      ts.isImportDeclaration(statement) ||
      ts.isImportEqualsDeclaration(statement) ||
      (ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined);
    return isImport ? [findingAt(statement, "a skill imports nothing")] : [];
  });
}

function exportFormFindings(file: ts.SourceFile): Finding[] {
  return file.statements.flatMap((statement) => {
    if (ts.isExportAssignment(statement) || hasModifier(statement, ts.SyntaxKind.DefaultKeyword)) {
      return [findingAt(statement, "a default export has no name; export the function by name")];
    }
    if (ts.isExportDeclaration(statement) && statement.moduleSpecifier === undefined) {
      return [findingAt(statement, "export the function where it is declared")];
    }
    return [];
  });
}

function surplusFindings(exported: readonly NamedValue[]): Finding[] {
  const names = [...new Set(exported.map(({ name }) => name))];
  if (names.length < 2) return [];
  const message = `exactly one function is exported, here are ${names.length}: ${names.join(", ")}`;
  return exported.slice(1, 2).map(({ node }) => findingAt(node, message));
}

function shapeFindings(
  { name }: NamedValue,
  node: EntryNode,
  declared: readonly NamedValue[],
): Finding[] {
  const findings: Finding[] = [];
  if (node.asteriskToken !== undefined) {
    findings.push(findingAt(node, `${name} is a generator; a skill returns its result`));
  }
  const functions = declared.filter((value) => value.name === name).map((value) => value.node);
  if (functions.filter((value) => ts.isFunctionDeclaration(value)).length > 1) {
    findings.push(findingAt(node, `${name} is declared more than once`));
  }
  return findings;
}

/** Whether a statement carries a modifier such as `export`. */
export function hasModifier(statement: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some((modifier) => modifier.kind === kind)
  );
}

/** A blanked text as the program of its source, as far as the entry can be made out. */
export function programWith(
  text: string,
  file: ts.SourceFile,
  source: SourceText,
  entry: Entry | null,
): Program {
  const parameters = entry?.node.parameters ?? [];
  const takesCtx = parameters.at(-1)?.name.getText(file) === "ctx";
  return {
    text,
    entry: entry?.name ?? source.entry ?? "",
    strict: isModule(file, source),
    takesCtx,
    ...(takesCtx ? { ctxAt: parameters.length - 1 } : {}),
  };
}
