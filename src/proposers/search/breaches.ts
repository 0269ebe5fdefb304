import type { JudgedCase } from "../../domain/incident.ts";
import type { Json } from "../../domain/json.ts";
import type { Behaviour } from "./behaviour.ts";
import { brokenBy, likelyRelations, type LikelyRelation } from "./relations.ts";

type Asked = {
  readonly judged: readonly JudgedCase[];
  /** The arguments of each question. */
  readonly asked: readonly (readonly Json[])[];
  /** What the faulty program did on each question. */
  readonly original: readonly Behaviour[];
};

/**
 * On how many of the questions relations are broken, by what they are about: the root of the share,
 * since one breach tells much and each more tells less.
 */
export type Breach = Readonly<Record<"shape" | "link", number>>;

export const NO_BREACH: Breach = { shape: 0, link: 0 };

/** Cases that must speak for a relation: what two have in common, most others have not. */
const LEAST_SUPPORT = 3;

/**
 * How much each cluster breaks a relation that all results which are known
 * to be right keep. One that the faulty program and all clusters break on a question does not hold
 * there.
 */
export function breachesOf(
  clusters: readonly { readonly behaviours: readonly Behaviour[] }[],
  { judged, asked, original }: Asked,
): readonly Breach[] {
  const examples = judged.flatMap(({ case: { args, expectation } }) =>
    expectation.kind === "value" ? [{ args, value: expectation.value }] : [],
  );
  const relations = likelyRelations(examples).filter(({ support }) => support >= LEAST_SUPPORT);
  const known = new Map<string, readonly LikelyRelation[]>();
  const brokenAt = ({ key, value }: Behaviour, at: number): readonly LikelyRelation[] => {
    const place = `${at}:${key}`;
    const broken =
      known.get(place) ??
      (value === undefined ? [] : brokenBy(relations, { args: asked[at] ?? [], value }));
    known.set(place, broken);
    return broken;
  };
  const broken = [original, ...clusters.map(({ behaviours }) => behaviours)].map((behaviours) =>
    behaviours.map(brokenAt),
  );
  const [before = [], ...after] = broken;
  return after.map((of) => {
    const own = of.map((some, at) =>
      some.filter((one) => !broken.every((other) => other[at]?.includes(one))),
    );
    const rootShare = (about: LikelyRelation["about"]): number => {
      const breaks = own.filter((some) => some.some((one) => one.about === about));
      return Math.sqrt(breaks.length / Math.max(1, before.length));
    };
    return { shape: rootShare("shape"), link: rootShare("link") };
  });
}
