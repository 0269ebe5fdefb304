import { ts } from "ts-morph";
import { isTypeOnly } from "./reading.ts";

/** What tells a run from the next one: the time of day, or chance. */
export type Changing = "time" | "random";

const CLOCKS = /^(?:globalThis\.)?(?:Date\.now|performance\.now|Date)$|\bclock\??\.now$/;
const DICE =
  /^(?:globalThis\.)?(?:Math\.random|crypto\.randomUUID|crypto\.getRandomValues)$|^ctx\??\.random$/;

/** Tells of each expression whether its value comes from the clock or from chance. */
export function changingValues(file: ts.SourceFile): (node: ts.Node) => Changing | null {
  const known = new Map<string, Changing>();
  const kindOf = (node: ts.Node): Changing | null => {
    if (isTypeOnly(node) || ts.isFunctionLike(node)) return null;
    const own = ownKind(node, known);
    return own ?? ts.forEachChild(node, (child) => kindOf(child) ?? undefined) ?? null;
  };
  // Names may be used above where they are given a value: twice over is enough for chains of two.
  for (let round = 0; round < 2; round += 1) {
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
        const kind = kindOf(node.initializer);
        if (kind !== null && ts.isIdentifier(node.name)) known.set(node.name.text, kind);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return kindOf;
}

function ownKind(node: ts.Node, known: ReadonlyMap<string, Changing>): Changing | null {
  if (ts.isIdentifier(node)) {
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
    return isMember || isKey ? null : (known.get(node.text) ?? null);
  }
  if (ts.isNewExpression(node)) {
    const isNow = node.expression.getText() === "Date" && (node.arguments ?? []).length === 0;
    return isNow ? "time" : null;
  }
  if (!ts.isCallExpression(node)) return null;
  const callee = node.expression.getText();
  if (CLOCKS.test(callee)) return "time";
  return DICE.test(callee) ? "random" : null;
}
