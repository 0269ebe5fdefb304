import { ts } from "ts-morph";
import { isComparisonToken } from "./tokens.ts";

/** What a value most likely is. A guess that orders the search and forbids nothing. */
export type Kind = "number" | "string" | "boolean" | "array" | "object" | "function" | "regexp";

export type Kinds = {
  readonly ofNode: (node: ts.Node) => Kind | null;
  readonly ofName: (name: string) => Kind | null;
};

/** Kind of the result of a method, whoever it belongs to. */
const RESULTS: Readonly<Record<Kind, readonly string[]>> = {
  string: [
    ..."charAt join padEnd padStart repeat replace replaceAll substr substring toFixed".split(" "),
    ..."toISOString toLowerCase toUpperCase trim trimEnd trimStart text stringify".split(" "),
    ..."fromCharCode fromCodePoint toString normalize".split(" "),
  ],
  number: [
    ..."abs ceil charCodeAt codePointAt floor indexOf lastIndexOf findIndex max min now".split(" "),
    ..."parseFloat parseInt pow push round search sign sqrt trunc getTime getDate getDay".split(
      " ",
    ),
    ..."getMonth getFullYear getHours getMinutes getSeconds localeCompare log".split(" "),
  ],
  boolean: [
    ..."every endsWith has hasOwn includes isArray isFinite isInteger isNaN some".split(" "),
    ..."startsWith test hasOwnProperty".split(" "),
  ],
  array: "entries filter flat flatMap keys map sort split splice toSorted values from".split(" "),
  object: ["assign", "fromEntries"],
  function: [],
  regexp: [],
};

/** Kind of the receiver of a method or member, where only one has it. */
const RECEIVERS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  string: [
    ..."charAt charCodeAt codePointAt endsWith match padEnd padStart replace split".split(" "),
    ..."startsWith substr substring toLowerCase toUpperCase trim".split(" "),
  ],
  array: [
    ..."every filter find findIndex flat flatMap forEach join map pop push reduce".split(" "),
    ..."reverse shift some sort splice unshift".split(" "),
  ],
  number: ["toFixed", "toPrecision"],
  regexp: ["exec", "lastIndex"],
};

const OF_METHOD = inverted(RESULTS);
const OF_RECEIVER = inverted(RECEIVERS);

/** Guesses the kinds of a file's names from initialisers, annotations, assignments and uses. */
export function kindsOf(file: ts.SourceFile): Kinds {
  const names = new Map<string, Kind>();
  const ofNode = (node: ts.Node): Kind | null => kindOf(node, names);
  const visit = (node: ts.Node): void => {
    const [name, kind] = learn(node, ofNode) ?? [null, null];
    if (name !== null && kind !== null && !names.has(name)) names.set(name, kind);
    ts.forEachChild(node, visit);
  };
  visit(file);
  visit(file);
  return { ofNode, ofName: (name) => names.get(name) ?? null };
}

type Guess = (node: ts.Node) => Kind | null;

/** What a node tells about a name. */
function learn(node: ts.Node, guess: Guess): readonly [string, Kind | null] | null {
  if ((ts.isVariableDeclaration(node) || ts.isParameter(node)) && ts.isIdentifier(node.name)) {
    const annotated = node.type ? ofType(node.type) : null;
    return [node.name.text, annotated ?? (node.initializer ? guess(node.initializer) : null)];
  }
  if (ts.isFunctionDeclaration(node) && node.name) return [node.name.text, "function"];
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    return [node.expression.text, OF_RECEIVER.get(node.name.text) ?? null];
  }
  if (!ts.isBinaryExpression(node) || !ts.isIdentifier(node.left)) return null;
  return [node.left.text, guess(node.right)];
}

function kindOf(node: ts.Node, names: ReadonlyMap<string, Kind>): Kind | null {
  const guess: Guess = (part) => kindOf(part, names);
  if (ts.isIdentifier(node)) return names.get(node.text) ?? null;
  if (ts.isNumericLiteral(node) || ts.isPostfixUnaryExpression(node)) return "number";
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return "string";
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    return "boolean";
  }
  if (ts.isArrayLiteralExpression(node)) return "array";
  if (ts.isObjectLiteralExpression(node)) return "object";
  if (ts.isRegularExpressionLiteral(node)) return "regexp";
  if (ts.isFunctionLike(node)) return "function";
  if (ts.isTypeOfExpression(node)) return "string";
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) {
    return guess(node.expression);
  }
  if (ts.isPrefixUnaryExpression(node)) {
    return node.operator === ts.SyntaxKind.ExclamationToken ? "boolean" : "number";
  }
  if (ts.isBinaryExpression(node)) return ofBinary(node, guess);
  if (ts.isConditionalExpression(node)) return guess(node.whenTrue) ?? guess(node.whenFalse);
  if (ts.isPropertyAccessExpression(node)) {
    return ["length", "size", "lastIndex"].includes(node.name.text) ? "number" : null;
  }
  return ts.isCallExpression(node) ? ofCall(node, guess) : null;
}

function ofBinary(node: ts.BinaryExpression, guess: Guess): Kind | null {
  const { kind } = node.operatorToken;
  const [left, right] = [guess(node.left), guess(node.right)];
  if (isComparisonToken(kind)) return "boolean";
  if (kind === ts.SyntaxKind.PlusToken) {
    if (left === "string" || right === "string") return "string";
    return left === "number" || right === "number" ? "number" : null;
  }
  const { BarBarToken, AmpersandAmpersandToken, QuestionQuestionToken } = ts.SyntaxKind;
  if ([BarBarToken, AmpersandAmpersandToken, QuestionQuestionToken].includes(kind)) {
    return right ?? left;
  }
  if (kind === ts.SyntaxKind.EqualsToken) return right;
  return kind === ts.SyntaxKind.PlusEqualsToken && right === "string" ? "string" : "number";
}

function ofCall({ expression }: ts.CallExpression, guess: Guess): Kind | null {
  if (ts.isIdentifier(expression)) {
    const made = {
      Number: "number",
      String: "string",
      Boolean: "boolean",
      Array: "array",
    } as const;
    if (Object.hasOwn(made, expression.text)) return made[expression.text as keyof typeof made];
    if (expression.text.startsWith("encodeURI") || expression.text.startsWith("decodeURI")) {
      return "string";
    }
    return OF_METHOD.get(expression.text) ?? null;
  }
  if (!ts.isPropertyAccessExpression(expression)) return null;
  const known = OF_METHOD.get(expression.name.text);
  if (known !== undefined) return known;
  const isSame = ["slice", "concat", "reverse", "at"].includes(expression.name.text);
  return isSame ? guess(expression.expression) : null;
}

function ofType(node: ts.TypeNode): Kind | null {
  if (node.kind === ts.SyntaxKind.NumberKeyword) return "number";
  if (node.kind === ts.SyntaxKind.StringKeyword) return "string";
  if (node.kind === ts.SyntaxKind.BooleanKeyword) return "boolean";
  if (ts.isArrayTypeNode(node) || ts.isTupleTypeNode(node)) return "array";
  if (ts.isTypeLiteralNode(node)) return "object";
  if (ts.isFunctionTypeNode(node)) return "function";
  if (ts.isTypeOperatorNode(node)) return ofType(node.type);
  if (ts.isTypeReferenceNode(node) && /^(Record|Map|Set)</.test(node.getText())) return "object";
  return null;
}

function inverted(
  lists: Readonly<Partial<Record<Kind, readonly string[]>>>,
): ReadonlyMap<string, Kind> {
  return new Map(
    Object.entries(lists).flatMap(([kind, names]) => names.map((name) => [name, kind as Kind])),
  );
}
