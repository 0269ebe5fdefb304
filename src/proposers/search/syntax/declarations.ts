import { ts } from "ts-morph";
import { RESERVED } from "./single-tokens.ts";
import { inserting, putting, quoted, type Faulty, type TokenEdit } from "./token-edit.ts";

/**
 * Early errors (ECMA-262, 17): what a parser of TypeScript lets through and no engine does. A name
 * declared twice, a constant without a value, `await` outside of an async function, `yield` outside
 * of a generator, a jump to nowhere.
 */
export function* earlyErrorEdits({ text, at }: Faulty): Generator<TokenEdit> {
  const file = ts.createSourceFile("f.ts", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const node = nodeAt(file, at);
  yield* functionWords(node, text);
  if (ts.isIdentifier(node)) yield* declaredTwice(node, file);
  yield* withoutValue(node);
  const statement = ts.findAncestor(node, ts.isBreakOrContinueStatement);
  if (statement !== undefined) {
    const range = [statement.getStart(file), statement.end] as const;
    yield putting(range, "", 1.8, `${quoted(statement.getText(file))} has nothing to leave`);
    yield putting(range, "return;", 1.4, `${quoted(statement.getText(file))} should be \`return\``);
  }
  yield* loneDeclaration(node, file);
}

/** The smallest node that begins at or holds an offset. */
function nodeAt(file: ts.SourceFile, at: number): ts.Node {
  let found: ts.Node = file;
  const visit = (node: ts.Node): void => {
    if (node.getStart(file) > at || node.end <= at) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found;
}

/** `async` and `*` for the functions around, the nearest first. */
function* functionWords(node: ts.Node, text: string): Generator<TokenEdit> {
  let cost = 0.8;
  for (let around: ts.Node | undefined = node; around !== undefined; around = around.parent) {
    if (!ts.isFunctionLike(around)) continue;
    const isAsync = ts
      .getModifiers(around as ts.FunctionDeclaration)
      ?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    const word = around.getChildren().find(({ kind }) => kind === ts.SyntaxKind.FunctionKeyword);
    const at = word?.getStart() ?? around.getStart();
    if (!isAsync && /\bawait\b/.test(around.getText())) {
      yield inserting(at, "async ", cost, "`async` is missing before a function that awaits");
    }
    if (word !== undefined && /\byield\b/.test(text)) {
      yield inserting(word.end, "*", cost + 0.4, "a function that yields is written `function*`");
    }
    cost += 0.4;
  }
}

/** The second of two declarations assigns, goes, or gets a name of its own; or the first goes. */
function* declaredTwice(name: ts.Identifier, file: ts.SourceFile): Generator<TokenEdit> {
  const { text } = name;
  const all = declarationsOf(text, file);
  if (all.length < 2) return;
  const says = `\`${text}\` is declared twice`;
  const fresh = freshName(text, file);
  for (const declaration of all) {
    const isSecond = declaration.name === name;
    const further = isSecond ? 0 : 0.6;
    const list = declaration.parent;
    if (ts.isVariableDeclarationList(list) && list.declarations.length === 1) {
      yield* withoutWord(list, all, { file, cost: 0.5 + further, says });
      const statement = list.parent;
      if (ts.isVariableStatement(statement)) {
        const twin = all.some((one) => one !== declaration && sameText(one, declaration));
        const range = [statement.getFullStart(), statement.end] as const;
        yield putting(range, "", (twin ? 0.4 : 2) + further, says);
      }
    }
    const uses = usesOf(declaration, all, file);
    const splices = [declaration.name, ...uses].map((use) => {
      const start = use.getStart(file);
      const isShort = ts.isShorthandPropertyAssignment(use.parent);
      return { start, end: use.end, text: isShort ? `${text}: ${fresh}` : fresh };
    });
    yield { splices, cost: 1.2 + further, says };
  }
}

type NamedDeclaration = (
  | ts.VariableDeclaration
  | ts.ParameterDeclaration
  | ts.FunctionDeclaration
) & {
  readonly name: ts.Identifier;
};

function declarationsOf(text: string, file: ts.SourceFile): readonly NamedDeclaration[] {
  const found: NamedDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    const declares =
      ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isFunctionDeclaration(node);
    if (declares && node.name !== undefined && ts.isIdentifier(node.name)) {
      if (node.name.text === text) found.push(node as NamedDeclaration);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `const x = 1` becomes `x = 1`, which a constant declared before does not bear. */
function* withoutWord(
  list: ts.VariableDeclarationList,
  all: readonly NamedDeclaration[],
  {
    file,
    cost,
    says,
  }: { readonly file: ts.SourceFile; readonly cost: number; readonly says: string },
): Generator<TokenEdit> {
  const [declaration] = list.declarations;
  if (declaration === undefined) return;
  const dropped = { start: list.getStart(file), end: declaration.getStart(file), text: "" };
  const constants = all.flatMap(({ parent }) => {
    const isOther = parent !== list && ts.isVariableDeclarationList(parent);
    if (!isOther || (parent.flags & ts.NodeFlags.Const) === 0) return [];
    const start = parent.getStart(file);
    return start < dropped.start ? [{ start, end: start + "const".length, text: "let" }] : [];
  });
  yield { splices: [...constants, dropped], cost: cost + constants.length * 0.1, says };
}

function sameText(a: ts.Node, b: ts.Node): boolean {
  return a.getText().replace(/\s+/g, " ") === b.getText().replace(/\s+/g, " ");
}

/** Uses of a name from its declaration up to the next one of it. */
function usesOf(
  declaration: NamedDeclaration,
  all: readonly NamedDeclaration[],
  file: ts.SourceFile,
): readonly ts.Identifier[] {
  const next = all.find(({ name }) => name.getStart(file) > declaration.name.getStart(file));
  const until = next?.getStart(file) ?? file.end;
  const uses: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === declaration.name.text && node !== declaration.name) {
      const { parent } = node;
      const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
      const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
      const start = node.getStart(file);
      if (start > declaration.name.end && start < until && !isMember && !isKey) uses.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return uses;
}

function freshName(text: string, file: ts.SourceFile): string {
  for (let number = 2; ; number += 1) {
    const name = `${text}${number}`;
    if (
      !new RegExp(`\\b${name.replaceAll("$", "\\$")}\\b`).test(file.text) &&
      !RESERVED.has(name)
    ) {
      return name;
    }
  }
}

/** `const x;` */
function* withoutValue(node: ts.Node): Generator<TokenEdit> {
  const list = ts.findAncestor(node, ts.isVariableDeclarationList);
  if (list === undefined || (list.flags & ts.NodeFlags.Const) === 0) return;
  if (list.declarations.every(({ initializer }) => initializer !== undefined)) return;
  const start = list.getStart();
  yield putting([start, start + 5], "let", 0.5, "a `const` has no value; `let` needs none");
}

/** `if (a) let x = 1;`: a declaration needs a block around it. */
function* loneDeclaration(node: ts.Node, file: ts.SourceFile): Generator<TokenEdit> {
  const statement = ts.findAncestor(node, ts.isVariableStatement);
  if (statement === undefined || ts.isBlock(statement.parent)) return;
  const [start, end] = [statement.getStart(file), statement.end];
  yield {
    splices: [
      { start, end: start, text: "{ " },
      { start: end, end, text: " }" },
    ],
    cost: 1.2,
    says: "a declaration needs braces around it",
  };
}
