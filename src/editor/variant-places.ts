import { ts } from "ts-morph";
import { inPlaceOf, precedenceOf, PRECEDENCE } from "../proposers/search/precedence.ts";
import { expressionFrom, statementsFrom, type Surroundings } from "./fragment.ts";
import { directivesOf } from "./fuel.ts";
import { declaresInBlock, hoistedNames } from "./hoisted.ts";
import { isLooseBody, isValue } from "./sites.ts";
import { splice, type Splice } from "./splices.ts";

/** What may stand for a range of the program: an expression, or statements. */
export type Place = {
  readonly kind: "expression" | "statements";
  readonly start: number;
  readonly end: number;
  /** What stands there in the variant. */
  readonly text: string;
};

type Range = { readonly start: number; readonly end: number };

/**
 * The places that a change of a program comes down to, each to be chosen by a switch while the rest
 * of the program stays; null where there is no such place, as for a change of a declaration.
 *
 * A place is an expression of which only the value counts, or statements that declare nothing for
 * what is around them; what the change makes of it must stand for itself, in the same way.
 */
export function placesOf(splices: readonly Splice[], file: ts.SourceFile): readonly Place[] | null {
  const whole = placeOf(splices, file);
  if (whole !== null && (splices.length === 1 || whole.kind === "expression")) return [whole];
  const apart = splices.map((one) => placeOf([one], file)).filter((place) => place !== null);
  const isApart = apart.length === splices.length && areApart(apart);
  return isApart ? apart : whole === null ? null : [whole];
}

function areApart(places: readonly Place[]): boolean {
  return places
    .toSorted((a, b) => a.start - b.start)
    .every(({ end }, at, all) => end <= (all[at + 1]?.start ?? Infinity));
}

function placeOf(splices: readonly Splice[], file: ts.SourceFile): Place | null {
  const range: Range = {
    start: Math.min(...splices.map(({ start }) => start)),
    end: Math.max(...splices.map(({ end }) => end)),
  };
  for (let node = smallest(range, file); !ts.isSourceFile(node); node = node.parent) {
    const found = placeAt(node, { splices, range, file });
    if (found !== null) return found;
    if (isOfAnotherScope(node)) return null;
  }
  return inList(file, { splices, range, file });
}

type Asked = {
  readonly splices: readonly Splice[];
  readonly range: Range;
  readonly file: ts.SourceFile;
};

/** The innermost node around a range; one that only touches an insertion is around it too. */
function smallest({ start, end }: Range, file: ts.SourceFile): ts.Node {
  let node: ts.Node = file;
  for (;;) {
    const inner: ts.Node | undefined = ts.forEachChild(node, (child) =>
      child.getStart(file) <= start && child.end >= end ? child : undefined,
    );
    if (inner === undefined) return node;
    node = inner;
  }
}

/** What a parameter or a name of a class declares is seen by all of it. */
function isOfAnotherScope(node: ts.Node): boolean {
  return ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node);
}

function placeAt(node: ts.Node, asked: Asked): Place | null {
  if (isValue(node)) return asExpression(node, asked);
  if (ts.isBlock(node) || ts.isCaseOrDefaultClause(node)) return inList(node, asked);
  if (!isAlone(node)) return null;
  return asStatements([node], { start: node.getStart(asked.file), end: node.end }, asked);
}

/** A statement that can be exchanged without a look at those beside it. */
function isAlone(node: ts.Node): node is ts.Statement {
  if (!ts.isStatement(node) || ts.isBlock(node) || declaresInBlock([node])) return false;
  return "statements" in node.parent || isLooseBody(node);
}

function asExpression(node: ts.Expression, { splices, file }: Asked): Place | null {
  const [start, end] = [node.getStart(file), node.end];
  const found = expressionFrom(changed({ start, end }, splices, file), surroundingsOf(node));
  if (found === null) return null;
  const precedence = precedenceIn(found.parsed);
  const isTorn = precedence === PRECEDENCE.comma || inPlaceOf(node, "x", precedence) !== "x";
  if (isTorn || (ts.isArrowFunction(node.parent) && /^\s*\{/.test(found.text))) return null;
  return { kind: "expression", start, end, text: found.text };
}

/** A function binds as weakly as an assignment where something follows it. */
function precedenceIn(node: ts.Node): number {
  return ts.isFunctionExpression(node) || ts.isClassExpression(node)
    ? PRECEDENCE.assignment
    : precedenceOf(node);
}

/** The statements of a list that a change touches, or where it puts others between them. */
function inList(
  list: ts.Block | ts.CaseOrDefaultClause | ts.SourceFile,
  asked: Asked,
): Place | null {
  const { range, file } = asked;
  const [statements, start] = [list.statements, ts.isSourceFile(list) ? 0 : startOf(list, file)];
  if (range.start < start || range.end > (ts.isBlock(list) ? list.end - 1 : list.end)) return null;
  if ((directivesOf(statements).at(-1)?.end ?? 0) > range.start) return null;
  const touched = statements.filter(
    (statement) => statement.getStart(file) < range.end && statement.end > range.start,
  );
  const near = asStatements(touched, rangeOf(touched, range, file), asked, list);
  if (near !== null || !ts.isBlock(list) || statements.length === touched.length) return near;
  if (directivesOf(statements).length > 0) return null;
  return asStatements(statements, rangeOf(statements, range, file), asked, list, true);
}

function startOf(list: ts.Block | ts.CaseOrDefaultClause, file: ts.SourceFile): number {
  return ts.isBlock(list) ? list.getStart(file) + 1 : list.statements.pos;
}

function rangeOf(statements: readonly ts.Node[], range: Range, file: ts.SourceFile): Range {
  const [first, last] = [statements[0], statements.at(-1)];
  if (first === undefined || last === undefined) return range;
  return {
    start: Math.min(first.getStart(file), range.start),
    end: Math.max(last.end, range.end),
  };
}

// oxlint-disable-next-line max-params
function asStatements(
  statements: readonly ts.Statement[],
  range: Range,
  { splices, file }: Asked,
  list: ts.Node = statements[0] as ts.Node,
  isWhole = statements.length > 0 && "statements" in list && list.statements === statements,
): Place | null {
  const found = statementsFrom(changed(range, splices, file), surroundingsOf(list));
  if (found === null || directivesOf(found.parsed.statements).length > 0) return null;
  if (!isWhole && (declaresInBlock(statements) || declaresInBlock(found.parsed.statements))) {
    return null;
  }
  if (/\b(?:var|function)\b/.test(file.text.slice(range.start, range.end) + found.text)) {
    const before = hoistedNames(statements, file);
    if (before !== hoistedNames(found.parsed.statements, found.file)) return null;
  }
  if (!isEnded(found.text, range.end, file)) return null;
  return { kind: "statements", ...range, text: found.text };
}

/** Whether what follows a text could not go on with it where it ends without a semicolon. */
function isEnded(text: string, end: number, { text: all }: ts.SourceFile): boolean {
  return /(?:^|[;}])\s*$/.test(text) || !/^\s*[([`+\-/*.,?&|=<>%^]/.test(all.slice(end));
}

function changed({ start, end }: Range, splices: readonly Splice[], file: ts.SourceFile): string {
  const moved = splices.map((one) => ({ ...one, start: one.start - start, end: one.end - start }));
  return splice(file.text.slice(start, end), moved);
}

function surroundingsOf(node: ts.Node): Surroundings {
  for (let at = node.parent; at !== undefined && !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    const flags = ts.getCombinedModifierFlags(at);
    const isGenerator = "asteriskToken" in at && at.asteriskToken !== undefined;
    return { isAsync: (flags & ts.ModifierFlags.Async) !== 0, isGenerator };
  }
  return { isAsync: false, isGenerator: false };
}
