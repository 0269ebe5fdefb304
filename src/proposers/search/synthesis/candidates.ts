import type { Noted } from "../../../ports/editor.ts";
import type { Scene } from "../scene.ts";
import { guardsBefore } from "./guard-changes.ts";
import type { Hole } from "./holes.ts";
import { hasValues, leavesOf, membersSeen, type Ingredients } from "./leaves.ts";
import { promiseOf, type Filling, type MadeChange } from "./made-change.ts";
import { OPERATIONS } from "./operations.ts";
import { connected, replacements, unlessGiven } from "./replacements.ts";
import { Terms, type TermLimits } from "./terms.ts";

/** Bounds of one hole's expressions; the work, in values computed, is the caller's. */
const LIMITS: Omit<TermLimits, "work"> = { cost: 12, classes: 6_000 };

/** Changes of one hole at most: guards fit easily, and are seldom right. */
const MOST = { condition: 400, value: 400, guard: 60 } as const;

/** Changes for one hole from what was noted there, the likeliest first. */
export function candidatesFor(
  hole: Hole,
  noted: Noted,
  { scene, work }: { readonly scene: Scene; readonly work: number },
): readonly MadeChange[] {
  const { node, atoms } = hole;
  const own = node.getText(scene.file);
  const { numbers, strings, members } = scene;
  const ingredients: Ingredients = { atoms, own, numbers, strings, members };
  const contexts = noted.contexts.map((context) => context.atoms);
  const leaves = leavesOf(ingredients, contexts);
  if (contexts.length === 0 || !hasValues(leaves)) return [];
  const operations = [...membersSeen(ingredients, contexts), ...OPERATIONS];
  const terms = new Terms(leaves, operations, { ...LIMITS, work }, (term) => promiseOf(own, term));
  const made = madeFor({ hole, terms, noted, scene });
  return made.toSorted((a, b) => b.prior - a.prior).slice(0, MOST[hole.kind]);
}

function madeFor(filling: Filling): readonly MadeChange[] {
  switch (filling.hole.kind) {
    case "condition":
      return [...replacements(filling), ...connected(filling)];
    case "value":
      return [...replacements(filling), ...unlessGiven(filling)];
    case "guard":
      return guardsBefore(filling);
  }
}
