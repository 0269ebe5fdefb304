import { ts } from "ts-morph";
import type { MachineCall, MachineFinding } from "../../domain/machine.ts";
import { nearest } from "../../domain/nearest.ts";
import { lineOf } from "../syntax.ts";
import { nameOf } from "./objects.ts";

/** Places in the source that edits of a machine are made of. */
export type MachinePlaces = {
  /** Literals that name a state, with the state whose transition or beginning it is. */
  readonly targets: readonly {
    readonly node: ts.StringLiteralLike;
    readonly from: readonly string[];
    readonly isInitial: boolean;
  }[];
  /** Literals that name a skill. */
  readonly skills: readonly {
    readonly node: ts.StringLiteralLike;
    readonly as: MachineCall["as"];
  }[];
  /** The object of each state, and the objects of what it invokes. */
  readonly states: readonly {
    readonly node: ts.ObjectLiteralExpression;
    readonly path: readonly string[];
  }[];
  readonly invokes: readonly {
    readonly node: ts.ObjectLiteralExpression;
    readonly from: readonly string[];
  }[];
  /** Lists of transitions on one event. */
  readonly choices: readonly ts.ArrayLiteralExpression[];
  readonly transitions: readonly ts.ObjectLiteralExpression[];
};

/** What is gathered while a configuration is read. */
export type Reading = {
  readonly file: ts.SourceFile;
  readonly calls: MachineCall[];
  readonly findings: MachineFinding[];
  readonly places: { [Key in keyof MachinePlaces]: MachinePlaces[Key][number][] };
};

/** Nothing read yet. */
export function readingOf(file: ts.SourceFile): Reading {
  const places = {
    targets: [],
    skills: [],
    states: [],
    invokes: [],
    choices: [],
    transitions: [],
  };
  return { file, calls: [], findings: [], places };
}

/** Only literals: what is computed cannot be checked before it runs. */
export function requireData(node: ts.Expression, reading: Reading): void {
  if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) {
      const isPlain = ts.isPropertyAssignment(property) && nameOf(property) !== null;
      if (isPlain) requireData(property.initializer, reading);
      else complain(property, "must be written as `name: value`", reading);
    }
  } else if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) requireData(element, reading);
  } else if (!isLiteral(node)) {
    complain(node, "must be plain data: a machine names skills and holds no code", reading);
  }
}

function isLiteral(node: ts.Expression): boolean {
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand);
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword
  );
}

/** Keys that XState does not know are misspelt ones. */
export function requireKnown(
  object: ts.ObjectLiteralExpression,
  known: readonly string[],
  reading: Reading,
): void {
  for (const property of object.properties) {
    const name = nameOf(property);
    if (name === null || known.includes(name)) continue;
    const meant = nearest(name, known);
    const hint = meant === null ? "" : `, did you mean ${meant}?`;
    complain(property, `\`${name}\` means nothing here${hint}`, reading);
  }
}

/** Notes what is wrong with a node. */
export function complain(node: ts.Node, message: string, { file, findings }: Reading): void {
  findings.push({ line: lineOf(file, node.getStart(file)), message });
}
