import { ts } from "ts-morph";
import type { Suspicion } from "../../domain/incident.ts";

/** What code at the top of a file is held for: it runs whenever the skill does. */
const TOP_LEVEL = 0.5;

/**
 * How suspicious a node is: as much as the smallest place around it, or as its most suspicious part
 * where it is larger than any place. 1 everywhere where nothing was localised.
 */
export function suspicionOf(
  node: ts.Node,
  suspicions: readonly Suspicion[],
  file: ts.SourceFile,
): number {
  if (suspicions.length === 0) return 1;
  const [start, end] = [node.getStart(file), node.end];
  let around: Suspicion | null = null;
  let within = 0;
  for (const place of suspicions) {
    if (place.start <= start && place.end >= end) {
      if (around === null || place.end - place.start < around.end - around.start) around = place;
    } else if (place.start >= start && place.end <= end) {
      within = Math.max(within, place.score);
    }
  }
  if (around) return around.score;
  return within > 0 || isInFunction(node) ? within : TOP_LEVEL;
}

function isInFunction(node: ts.Node): boolean {
  for (let at = node.parent; at; at = at.parent) if (ts.isFunctionLike(at)) return true;
  return false;
}
