import { ts } from "ts-morph";
import { fuelFor } from "./fuel.ts";
import { parserFaults } from "./syntax.ts";
import { wrapped } from "./wrapping.ts";

/** In what kind of function a piece of code stands; it decides what `await` and `yield` mean. */
export type Surroundings = { readonly isAsync: boolean; readonly isGenerator: boolean };

/** A piece of code that stands for itself, with fuel in its loops and functions. */
export type Fragment<T extends ts.Node> = {
  readonly text: string;
  /** The parsed expression, or the block of the statements, in `file`. */
  readonly parsed: T;
  readonly file: ts.SourceFile;
};

/** An expression, as far as the text is exactly one; null where it is not. */
export function expressionFrom(text: string, around: Surroundings): Fragment<ts.Expression> | null {
  const head = `${headOf(around)}return(`;
  const file = parseWhole(`${head}${text}\n)}`);
  const block = blockOf(file);
  const only = block?.statements.length === 1 ? block.statements[0] : undefined;
  const held = only !== undefined && ts.isReturnStatement(only) ? only.expression : undefined;
  const isWhole =
    held !== undefined &&
    ts.isParenthesizedExpression(held) &&
    held.end === head.length + text.length + 2;
  if (file === null || !isWhole) return null;
  const parsed = held.expression;
  return { text: fueled(text, head, parsed), parsed, file };
}

/** Statements, as far as the text is whole ones; null where it is not. */
export function statementsFrom(text: string, around: Surroundings): Fragment<ts.Block> | null {
  const head = headOf(around);
  const file = parseWhole(`${head}${text}\n}`);
  const block = blockOf(file);
  if (file === null || block?.end !== head.length + text.length + 2) return null;
  return { text: fueled(text, head, block), parsed: block, file };
}

function headOf({ isAsync, isGenerator }: Surroundings): string {
  return `${isAsync ? "async " : ""}function${isGenerator ? "*" : ""} _(){`;
}

/** The tree of a text without a finding; null where there are some. */
function parseWhole(text: string): ts.SourceFile | null {
  const file = ts.createSourceFile("f.js", text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  return parserFaults(file).length === 0 ? file : null;
}

function blockOf(file: ts.SourceFile | null): ts.Block | null {
  const [only, more] = file?.statements ?? [];
  if (only === undefined || more !== undefined) return null;
  return ts.isFunctionDeclaration(only) ? (only.body ?? null) : null;
}

function fueled(text: string, head: string, root: ts.Node): string {
  if (!/\b(?:for|while|do|function)\b|=>|\)\s*\{/.test(text)) return text;
  const file = { text: head + text } as ts.SourceFile;
  const placed = fuelFor(root, file).map((one) => ({
    ...one,
    start: one.start - head.length,
    end: one.end - head.length,
  }));
  return wrapped(text, placed);
}
