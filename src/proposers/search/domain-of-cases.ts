import type { Json } from "../../domain/json.ts";
import { likelyPairRelations } from "./relation-pairs.ts";
import { likelyShapes } from "./relation-shapes.ts";
import { variablesOf, type Variables } from "./variables.ts";

/** Cases that must speak for a relation of arguments before it counts as a condition of asking. */
const LEAST_SUPPORT = 3;

/**
 * Whether arguments look like those that the skill is asked with: they keep what all cases keep, and
 * enough of them speak for. Likely preconditions, after Daikon (Ernst et al., TSE 2001): a list that
 * always comes in order is not to be asked about out of order.
 */
export function usualArguments(
  cases: readonly { readonly args: readonly Json[] }[],
): (args: readonly Json[]) => boolean {
  const known = cases.map(({ args }) => argumentsIn(args));
  const relations = [...likelyShapes(known), ...likelyPairRelations(known)].filter(({ holds }) => {
    const said = known.map((one) => holds(one));
    return !said.includes(false) && said.filter((one) => one).length >= LEAST_SUPPORT;
  });
  return (args) => {
    const asked = argumentsIn(args);
    return relations.every(({ holds }) => holds(asked) !== false);
  };
}

/** Arguments stand for results here, and for what results are held against. */
function argumentsIn(args: readonly Json[]): Variables {
  const { inputs } = variablesOf(args, null);
  return { inputs, results: inputs };
}
