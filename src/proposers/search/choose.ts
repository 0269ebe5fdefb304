import type { Rival } from "../../domain/candidate.ts";
import type { Mutation } from "../../ports/editor.ts";
import type { Agreement } from "./agree.ts";
import { differenceOf, type Cluster } from "./clusters.ts";
import { confidences } from "./confidence.ts";
import type { Evidence } from "./evidence.ts";
import { ranked } from "./rank.ts";
import { argumentsText } from "./traits.ts";

/** A plausible edit with how sure it is, and what it was chosen over. */
export type Chosen = {
  readonly mutation: Mutation;
  /** How likely it is the right repair, in (0,1). */
  readonly confidence: number;
  /** Edits that satisfy the same cases and behave otherwise, the surest first. */
  readonly rivals: readonly Rival[];
  /** Plausible edits that behave as it does, itself included. */
  readonly alike: number;
};

/** Edits of one behaviour that are proposed, at most: a second may pass where a gate refuses one. */
const MOST_ALIKE = 3;

/** Rivals that are told, at most. */
const MOST_RIVALS = 4;

/** Plausible edits in the order in which they are to be tried, the surest behaviour first. */
export function chosenOf(
  { questions, clusters, traits }: Agreement,
  evidence: Evidence,
  says: (mutation: Mutation) => string,
): readonly Chosen[] {
  const shares = confidences(traits, evidence);
  const order = clusters
    .map((cluster, at) => ({ cluster, share: shares[at] ?? 0 }))
    .toSorted((a, b) => b.share - a.share);
  return order.flatMap(({ cluster, share }) => {
    const others = order.filter((one) => one.cluster !== cluster).slice(0, MOST_RIVALS);
    const rivals = others.map((other) => ({
      ...rivalOf(cluster, other.cluster, { questions, says }),
      confidence: other.share,
    }));
    const alike = cluster.members.length;
    return ranked(cluster.members)
      .slice(0, MOST_ALIKE)
      .map((mutation) => ({ mutation, confidence: share, rivals, alike }));
  });
}

function rivalOf(
  own: Cluster<Mutation>,
  other: Cluster<Mutation>,
  {
    questions,
    says,
  }: { readonly questions: Agreement["questions"]; readonly says: (one: Mutation) => string },
): Omit<Rival, "confidence"> {
  const [best] = ranked(other.members);
  if (best === undefined) throw new Error("a cluster has members");
  const at = differenceOf(own, other);
  const [question, here, there] = [questions[at], own.behaviours[at], other.behaviours[at]];
  const differsOn =
    question === undefined || here === undefined || there === undefined
      ? null
      : { input: argumentsText(question.args), chosen: here.says, rival: there.says };
  return { operator: best.operator, reason: says(best), differsOn };
}
