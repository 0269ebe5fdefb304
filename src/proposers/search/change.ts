import type { Edit } from "../../domain/candidate.ts";
import type { ts } from "ts-morph";
import type { OperatorName } from "./operator-table.ts";
import type { Scene } from "./scene.ts";

export type Splice = Extract<Edit, { op: "splice" }>;

/** One change of a source, as an operator makes it. */
export type Change = {
  readonly operator: OperatorName;
  /** Disjoint, in the order of their positions. Their text is plain JavaScript. */
  readonly splices: readonly Splice[];
  /** What must run for the change to matter. */
  readonly at: ts.Node;
  /** How likely it is among the changes of its operator; 1 is usual. */
  readonly weight: number;
};

/** A family of operators: the changes it can make at one node, and there only. */
export type Family = (node: ts.Node, scene: Scene) => Iterable<Change>;

/** Puts a text in the place of a node. */
export function replacing(operator: OperatorName, node: ts.Node, text: string, weight = 1): Change {
  return {
    operator,
    at: node,
    weight,
    splices: [{ op: "splice", start: node.getStart(), end: node.end, text }],
  };
}

/** Puts texts before and after a node. */
export function around(
  operator: OperatorName,
  node: ts.Node,
  [before, after]: readonly [string, string],
  weight = 1,
): Change {
  const start = node.getStart();
  const splices: Splice[] = [
    { op: "splice", start, end: start, text: before },
    { op: "splice", start: node.end, end: node.end, text: after },
  ];
  return { operator, at: node, weight, splices: splices.filter(({ text }) => text !== "") };
}

/** Removes a range of the source. */
export function removing(
  operator: OperatorName,
  at: ts.Node,
  [start, end]: readonly [number, number],
  weight = 1,
): Change {
  return { operator, at, weight, splices: [{ op: "splice", start, end, text: "" }] };
}

/** Exchanges two nodes, `first` standing before `second`, given the texts that take their places. */
export function exchanging(
  operator: OperatorName,
  [first, second]: readonly [ts.Node, ts.Node],
  [atFirst, atSecond]: readonly [string, string],
  weight = 1,
): Change {
  return {
    operator,
    at: first,
    weight,
    splices: [
      { op: "splice", start: first.getStart(), end: first.end, text: atFirst },
      { op: "splice", start: second.getStart(), end: second.end, text: atSecond },
    ],
  };
}

/** A statement's text that may be followed by another on the same line. */
export function asStatement(text: string): string {
  return /[;}]\s*$/.test(text) ? text : `${text};`;
}

/** Puts statements at the end of a block, ending the one before them where it has no semicolon. */
export function atEndOf(block: ts.Block, text: string): Splice {
  const last = block.statements.at(-1);
  const at = last ? last.end : block.getStart() + 1;
  const ends = !last || /[;}]$/.test(last.getText());
  return { op: "splice", start: at, end: at, text: `${ends ? "" : ";"} ${asStatement(text)}` };
}
