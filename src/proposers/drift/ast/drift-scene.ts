import { ts } from "ts-morph";
import type { Edit } from "../../../domain/candidate.ts";
import type { DriftEvidence } from "../../../domain/drift.ts";
import type { DriftRepair } from "../../../ports/editor.ts";

export type Splice = Extract<Edit, { op: "splice" }>;

/** One repair that a template makes of the evidence. */
export type DriftEdit = DriftRepair & { readonly edits: readonly Splice[] };

/** A parsed source with what is known about the vendor's changes. */
export type DriftScene = { readonly file: ts.SourceFile; readonly evidence: DriftEvidence };

/** The repairs of one kind, the likeliest first. */
export type Template = (scene: DriftScene) => Iterable<DriftEdit>;

/** All nodes of a file, outermost first. */
export function nodesOf(file: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return nodes;
}

/** Splices in the order of their positions, as an edit needs them. */
export function ordered(splices: readonly Splice[]): readonly Splice[] {
  return splices.toSorted((a, b) => a.start - b.start);
}

/** Puts a text in the place of a range. */
export function splice(start: number, end: number, text: string): Splice {
  return { op: "splice", start, end, text };
}
