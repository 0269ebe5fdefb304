import type { Json } from "../../domain/json.ts";
import { likelyPairRelations } from "./relation-pairs.ts";
import { likelyShapes } from "./relation-shapes.ts";
import { variablesOf, type Variables } from "./variables.ts";

/** What a skill was asked and gave back. */
export type Example = { readonly args: readonly Json[]; readonly value: Json };

/** Something that holds of a value alone, or of a value and what was asked. */
export type Relation = {
  /** `shape`: of the value alone; `link`: between the value and the arguments. */
  readonly about: "shape" | "link";
  /** In words: `result.items has no more members than argument 1`. */
  readonly says: string;
  /** Whether it holds; null where the example says nothing about it. */
  readonly holds: (example: Variables) => boolean | null;
};

/** A relation that no visible case breaks, with the number of different cases that speak for it. */
export type LikelyRelation = Relation & { readonly support: number };

/**
 * What is most likely true of every right result, from the results that are known to be right:
 * templates that hold in all of them, after Daikon (Ernst et al., "Dynamically discovering likely
 * program invariants", TSE 2001), with its variables (arguments, their members and lengths) and its
 * rule that a template without examples is not reported. Results come as plain JSON.
 */
export function likelyRelations(examples: readonly Example[]): readonly LikelyRelation[] {
  const known = examples.map(({ args, value }) => variablesOf(args, value));
  const [first] = known;
  if (first === undefined) return [];
  const all = [...likelyShapes(known), ...likelyPairRelations(known)];
  return all.flatMap((relation) => {
    const said = known.map((one) => relation.holds(one));
    if (said.includes(false)) return [];
    const support = said.filter((one) => one === true).length;
    return support === 0 ? [] : [{ ...relation, support }];
  });
}

/** The relations that an example breaks, of those that say anything about it. */
export function brokenBy(
  relations: readonly LikelyRelation[],
  { args, value }: Example,
): readonly LikelyRelation[] {
  const variables = variablesOf(args, value);
  return relations.filter((relation) => relation.holds(variables) === false);
}
