import { ts } from "ts-morph";
import { declarationOf } from "./declaration.ts";
import { isTypeOnly } from "./reading.ts";

/** What tells a run from the next one: the time of day, chance, or a number that is drawn of ctx. */
export type Changing = "time" | "random" | "drawn";

const CLOCKS = /^(?:globalThis\.)?(?:Date\.now|performance\.now|Date)$|\bclock\??\.now$/;
const DICE = /^(?:globalThis\.)?(?:Math\.random|crypto\.randomUUID|crypto\.getRandomValues)$/;
const DRAWS = /^ctx\??\.random$/;

/** Tells of each expression whether its value comes from the clock or from chance. */
export function changingValues(file: ts.SourceFile): (node: ts.Node) => Changing | null {
  const known: Known = { byName: new Map(), byDeclaration: new Map() };
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
        if (kind !== null && ts.isIdentifier(node.name)) {
          known.byDeclaration.set(node, kind);
          known.byName.set(node.name.text, kind);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return kindOf;
}

type Known = {
  /** For names whose declaration is not found. */
  readonly byName: Map<string, Changing>;
  readonly byDeclaration: Map<ts.Node, Changing>;
};

function ownKind(node: ts.Node, known: Known): Changing | null {
  if (ts.isIdentifier(node)) {
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
    return isMember || isKey || !known.byName.has(node.text) ? null : kindOfName(node, known);
  }
  if (ts.isNewExpression(node)) {
    const isNow = node.expression.getText() === "Date" && (node.arguments ?? []).length === 0;
    return isNow ? "time" : null;
  }
  if (!ts.isCallExpression(node)) return null;
  const callee = node.expression.getText();
  if (CLOCKS.test(callee)) return "time";
  if (DRAWS.test(callee)) return "drawn";
  return DICE.test(callee) ? "random" : null;
}

function kindOfName(node: ts.Identifier, { byName, byDeclaration }: Known): Changing | null {
  const declared = declarationOf(node);
  if (declared === null) return byName.get(node.text) ?? null;
  return byDeclaration.get(declared) ?? null;
}
