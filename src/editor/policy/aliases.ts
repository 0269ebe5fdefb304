import { ts } from "ts-morph";
import type { Finding } from "../../ports/editor.ts";
import { findingAt } from "../syntax.ts";
import { isTypeOnly, memberName } from "./reading.ts";

/** What may be asked about a prototype without changing it. */
const ASKING =
  /^(?:Object\.(?:create|keys|hasOwn|getOwnProperty\w+|getPrototypeOf|is|isFrozen)|Reflect\.(?:has|ownKeys|getPrototypeOf|getOwnPropertyDescriptor))$|\.(?:isPrototypeOf|hasOwnProperty)$/;

/** Whose values are prototypes, of built-ins as a rule. */
const FAMILY = /^(?:Object|Reflect)\.getPrototypeOf$/;

/** Names that stand for a built-in or for its prototype: what is written to them, all code sees. */
export function builtInAliases(
  file: ts.SourceFile,
  declared: ReadonlySet<string>,
): ReadonlySet<string> {
  const aliases = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      if (isBuiltIn(node.initializer, declared)) {
        for (const name of aliasesIn(node)) aliases.add(name);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return aliases;
}

/** A prototype of a built-in that is handed to somebody who could change it. */
export function handedPrototypes(file: ts.SourceFile, declared: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    if (ts.isCallExpression(node) && !ASKING.test(node.expression.getText())) {
      for (const argument of node.arguments) {
        if (!isPrototype(argument, declared)) continue;
        const what = `the prototype ${argument.getText()} is handed on`;
        findings.push(findingAt(argument, `patched-primordials: ${what}`));
      }
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return findings;
}

/** The name itself, or, of a pattern, the names bound to `prototype`. */
function aliasesIn({ name }: ts.VariableDeclaration): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => {
    if (!ts.isBindingElement(element) || !ts.isIdentifier(element.name)) return [];
    const key = element.propertyName ?? element.name;
    return ts.isIdentifier(key) && key.text === "prototype" ? [element.name.text] : [];
  });
}

function isBuiltIn(node: ts.Expression, declared: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(node)) return /^[A-Z]/.test(node.text) && !declared.has(node.text);
  if (ts.isCallExpression(node)) return FAMILY.test(node.expression.getText());
  return isPrototype(node, declared);
}

function isPrototype(node: ts.Expression, declared: ReadonlySet<string>): boolean {
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return false;
  return (
    memberName(node) === "prototype" &&
    ts.isIdentifier(node.expression) &&
    /^[A-Z]/.test(node.expression.text) &&
    !declared.has(node.expression.text)
  );
}
