import type { Behaviour } from "./behaviour.ts";

/** Something that was asked and what it did, question by question. */
export type Behaved<T> = { readonly member: T; readonly behaviours: readonly Behaviour[] };

/** Members that nobody could tell apart, in the order in which they came. */
export type Cluster<T> = {
  readonly members: readonly T[];
  readonly behaviours: readonly Behaviour[];
};

/**
 * Members that did the same on every question are one cluster: observational equivalence, as in
 * the test-based filtering of SemFix's and CodeT's descendants (Chen et al., CodeT, 2207.10397).
 */
export function clustered<T>(asked: readonly Behaved<T>[]): readonly Cluster<T>[] {
  const groups = Map.groupBy(asked, ({ behaviours }) =>
    JSON.stringify(behaviours.map(({ key }) => key)),
  );
  return [...groups.values()].map((group) => ({
    members: group.map(({ member }) => member),
    behaviours: group[0]?.behaviours ?? [],
  }));
}

/** The first question on which two clusters differ; -1 where they do not. */
export function differenceOf<T>(a: Cluster<T>, b: Cluster<T>): number {
  return a.behaviours.findIndex(({ key }, at) => key !== b.behaviours[at]?.key);
}
