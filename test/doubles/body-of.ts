import { ts } from "ts-morph";
import type { Edit } from "../../src/domain/candidate.ts";
import type { Skill } from "../../src/domain/skill.ts";

/** The skill's function in its source; null where there is none of that name. */
export function functionOf({
  source,
  language,
  signature,
}: Skill): ts.FunctionLikeDeclaration | null {
  const file = ts.createSourceFile(`s.${language}`, source, ts.ScriptTarget.Latest, true);
  let found: ts.FunctionLikeDeclaration | null = null;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name?.text === signature.name && node.body)
      found = node;
    const value = valueNamed(node, signature.name);
    if (value !== null && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)))
      found = value;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function valueNamed(node: ts.Node, name: string): ts.Expression | null {
  if (ts.isVariableDeclaration(node) && node.name.getText() === name)
    return node.initializer ?? null;
  return ts.isBinaryExpression(node) && node.left.getText() === name ? node.right : null;
}

/** Edits that put statements before the body of the skill's function. */
export function before(skill: Skill, code: string): readonly Edit[] {
  const body = functionOf(skill)?.body;
  if (body === undefined) return [];
  if (ts.isBlock(body)) {
    const at = body.getStart() + 1;
    return [{ op: "splice", start: at, end: at, text: `\n  ${code}\n` }];
  }
  const [start, end] = [body.getStart(), body.end];
  const text = `{\n  ${code}\n  return ${body.getText()};\n}`;
  return [{ op: "splice", start, end, text }];
}

/** Edits that put statements in the place of that body. */
export function inPlace(skill: Skill, code: string): readonly Edit[] {
  const body = functionOf(skill)?.body;
  if (body === undefined) return [];
  const [start, end] = [body.getStart(), body.end];
  return [{ op: "splice", start, end, text: `{\n  ${code}\n}` }];
}
