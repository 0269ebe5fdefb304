import { ts } from "ts-morph";
import type { Finding } from "../ports/editor.ts";
import { hasModifier } from "./entry.ts";
import { findingAt } from "./syntax.ts";

/** TypeScript that is more than types: it cannot be blanked out, so it would not run. */
export function unerasableFindings(file: ts.SourceFile): Finding[] {
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    const construct = unerasable(node);
    if (construct !== null) {
      findings.push(findingAt(node, `${construct} cannot be erased; write it in plain JavaScript`));
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return findings;
}

function unerasable(node: ts.Node): string | null {
  if (ts.isTypeAssertionExpression(node)) return "the assertion <T>value (use `value as T`)";
  if (ts.isDecorator(node)) return "a decorator";
  if (ts.isParameter(node)) {
    return ts.isParameterPropertyDeclaration(node, node.parent) ? "a parameter property" : null;
  }
  if (hasModifier(node, ts.SyntaxKind.DeclareKeyword)) return null;
  if (ts.isEnumDeclaration(node)) return `enum ${node.name.text}`;
  if (ts.isModuleDeclaration(node) && isInstantiated(node)) return `namespace ${node.name.text}`;
  return null;
}

/** A namespace of types alone is erased. */
function isInstantiated(node: ts.ModuleDeclaration): boolean {
  const { body } = node;
  if (body === undefined || !ts.isModuleBlock(body)) return body !== undefined;
  return body.statements.some(
    (statement) => !ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement),
  );
}
