import { ts } from "ts-morph";
import type { Moved } from "../../../domain/drift.ts";
import { segmentChanges, type SegmentChange } from "../path-changes.ts";
import {
  nodesOf,
  ordered,
  splice,
  type DriftEdit,
  type DriftScene,
  type Splice,
} from "./drift-scene.ts";

/** A piece of text in the source, between its quotes or the holes of its template. */
type Piece = { readonly start: number; readonly text: string };

/**
 * Rewrites those string literals and template pieces that hold the segments of a URL path which
 * changed; everything else of the URL, parameters included, stays as it is.
 */
export function* movedEndpoint({ file, evidence }: DriftScene): Generator<DriftEdit> {
  const pieces = nodesOf(file)
    .flatMap(pieceOf)
    .filter(({ text }) => text !== "");
  for (const move of evidence.moved) {
    for (const edits of rewritesOf(segmentChanges(move), pieces)) {
      yield { edits, operator: "moved-endpoint", reason: reasonOf(move) };
    }
  }
}

function reasonOf({ from, to, source }: Moved): string {
  const path = /^https?:/.test(to) ? from : (URL.parse(from)?.pathname ?? from);
  return `${path} moved to ${to}, as ${source} says`;
}

function pieceOf(node: ts.Node): Piece[] {
  if (
    !ts.isStringLiteralLike(node) &&
    !ts.isTemplateHead(node) &&
    !ts.isTemplateMiddleOrTemplateTail(node)
  ) {
    return [];
  }
  if (ts.isLiteralTypeNode(node.parent)) return [];
  const start = node.getStart() + 1;
  const isOpen = ts.isTemplateHead(node) || ts.isTemplateMiddle(node);
  const text = node.getSourceFile().text.slice(start, node.end - (isOpen ? 2 : 1));
  return [{ start, text }];
}

/** Every change in every place that holds it; first all in one piece, then spread over pieces. */
function* rewritesOf(
  ways: readonly (readonly SegmentChange[])[],
  pieces: readonly Piece[],
): Generator<readonly Splice[]> {
  for (const changes of ways) {
    const splices = changes.map((change) => pieces.flatMap((piece) => placed(change, piece)));
    if (splices.length > 0 && splices.every((some) => some.length > 0)) {
      yield ordered(splices.flat());
    }
  }
}

/** The change inside a piece, if the piece holds the old segments as whole segments. */
function placed({ before, after }: SegmentChange, { start, text }: Piece): Splice[] {
  const path = text.replace(/[?#].*$/s, "");
  for (let at = path.indexOf(before); at !== -1; at = path.indexOf(before, at + 1)) {
    const end = at + before.length;
    const isWhole =
      (before.startsWith("/") || at === 0 || path[at - 1] === "/") &&
      (before.endsWith("/") || end === path.length || path[end] === "/");
    if (isWhole) return [splice(start + at, start + end, after)];
  }
  return [];
}
