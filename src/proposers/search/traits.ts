import { canonical, isJsonObject, type Json } from "../../domain/json.ts";
import type { JudgedCase } from "../../domain/incident.ts";
import type { Mutation } from "../../ports/editor.ts";
import { kindOf, type Behaviour, type ValueKind } from "./behaviour.ts";
import { breachesOf, NO_BREACH } from "./breaches.ts";
import type { Cluster } from "./clusters.ts";
import { literalsOf } from "./inputs.ts";
import { textTraitsOf } from "./naturalness.ts";
import { OPERATORS, isOperatorName } from "./operator-table.ts";
import { promiseOf, sizeOf } from "./rank.ts";

/** Where a question lies by the path that the faulty program takes on it. */
export type Region = "failing" | "passing" | "between";

export type Plausible = Omit<Mutation, "program">;

/** What is known of one incident's questions before any cluster is looked at. */
export type Scene = {
  readonly source: string;
  readonly judged: readonly JudgedCase[];
  /** The arguments of each question. */
  readonly asked: readonly (readonly Json[])[];
  /** What the faulty program did on each question. */
  readonly original: readonly Behaviour[];
  readonly regions: readonly Region[];
};

/** What speaks for and against a cluster; every trait is 0 where it says nothing. */
export const TRAIT_NAMES = [
  "mass",
  "trust",
  "size",
  "agreement",
  "changedPassing",
  "changedFailing",
  "changedBetween",
  "newFaults",
  "keptFaults",
  "strange",
  "literal",
  "deletes",
  "variety",
  "shape",
  "link",
  "natural",
  "orphans",
  "adopts",
  "idle",
  "cures",
] as const;
export type Traits = Readonly<Record<(typeof TRAIT_NAMES)[number], number>>;

/** The traits of each cluster among the others. */
export function traitsOf(clusters: readonly Cluster<Plausible>[], scene: Scene): readonly Traits[] {
  const masses = clusters.map(massOf);
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const shares = masses.map((mass) => mass / total);
  const known = expectedKinds(scene.judged);
  const literals = visibleLiterals(scene);
  const breaches = breachesOf(clusters, scene);
  return clusters.map((cluster, at) => {
    const [best] = cluster.members.toSorted((a, b) => promiseOf(b) - promiseOf(a));
    if (best === undefined) throw new Error("a cluster has members");
    return {
      mass: Math.log(shares[at] ?? 1),
      trust: Math.log(trustIn(best)),
      size: -Math.log1p(sizeOf(best.edits) / 60),
      agreement: agreementOf(at, clusters, shares),
      ...changes(cluster, scene),
      strange: rootShareOf(cluster.behaviours, ({ kind }) => kind !== "fault" && !known.has(kind)),
      literal: cluster.members.every((member) => usesLiteral(member, literals)) ? 1 : 0,
      deletes: cluster.members.every((member) => isDeletion(member)) ? 1 : 0,
      variety: Math.log(distinct(cluster.behaviours) / distinct(scene.original)),
      ...(breaches[at] ?? NO_BREACH),
      ...textTraitsOf(scene.source, best.edits),
    };
  });
}

/** How much a further way to say the same counts, against the one before. */
const NEXT = 0.5;

/**
 * How much likelihood the members have together: several ways to say one thing speak for it, but a
 * great many are ways to say nothing.
 */
function massOf({ members }: Cluster<Plausible>): number {
  return members
    .map(promiseOf)
    .toSorted((a, b) => b - a)
    .reduce((sum, promise, at) => sum + promise * NEXT ** at, 0);
}

function trustIn({ operator }: Plausible): number {
  return isOperatorName(operator) ? OPERATORS[operator].trust : 0.5;
}

/**
 * The share of likelihood that does the same, on average over the questions on which clusters
 * differ; 1 where none do. What most repairs agree on is most likely meant.
 */
function agreementOf(
  at: number,
  clusters: readonly Cluster<Plausible>[],
  shares: readonly number[],
): number {
  const own = clusters[at]?.behaviours ?? [];
  let asked = 0;
  let agreed = 0;
  for (const [question, { key }] of own.entries()) {
    const same = clusters.map(({ behaviours }) => behaviours[question]?.key === key);
    if (same.every(Boolean)) continue;
    asked += 1;
    agreed += same.reduce((sum, isSame, other) => sum + (isSame ? (shares[other] ?? 0) : 0), 0);
  }
  return asked === 0 ? 1 : agreed / asked;
}

/**
 * What a cluster changes, by region: a right repair changes what fails and keeps what passes
 * (Xiong et al., "Identifying patch correctness in test-based program repair", ICSE 2018).
 */
function changes(
  { behaviours }: Cluster<Plausible>,
  { original, regions }: Scene,
): Pick<
  Traits,
  "changedPassing" | "changedFailing" | "changedBetween" | "newFaults" | "keptFaults"
> {
  const isChanged = (one: Behaviour, at: number): boolean => one.key !== original[at]?.key;
  const within = (region: Region): number => {
    const inside = behaviours.filter((_, at) => regions[at] === region);
    const changed = behaviours.filter((one, at) => regions[at] === region && isChanged(one, at));
    return inside.length === 0 ? 0 : changed.length / inside.length;
  };
  const faults = (wasFault: boolean): number =>
    rootShareOf(
      behaviours,
      ({ kind }, at) => kind === "fault" && (original[at]?.kind === "fault") === wasFault,
    );
  return {
    changedPassing: within("passing"),
    changedFailing: within("failing"),
    changedBetween: within("between"),
    newFaults: faults(false),
    keptFaults: faults(true),
  };
}

/** The root of a share: one question tells much, each more tells less. */
function rootShareOf(
  behaviours: readonly Behaviour[],
  holds: (one: Behaviour, at: number) => boolean,
): number {
  const share = behaviours.filter(holds).length / Math.max(1, behaviours.length);
  return Math.sqrt(share);
}

function distinct(behaviours: readonly Behaviour[]): number {
  return 1 + new Set(behaviours.map(({ key }) => key)).size;
}

function expectedKinds(judged: readonly JudgedCase[]): ReadonlySet<ValueKind> {
  const kinds = judged.flatMap(({ case: { expectation } }) =>
    expectation.kind === "value" ? [kindOf(expectation.value)] : [],
  );
  return new Set(kinds);
}

/** Numbers and texts of the visible cases that the source does not have already. */
function visibleLiterals({ source, judged }: Scene): ReadonlySet<Json> {
  const found = new Set<Json>();
  const visit = (value: Json): void => {
    if (typeof value === "number" && Math.abs(value) > 2) found.add(value);
    else if (typeof value === "string" && value.length > 1) found.add(value);
    else if (Array.isArray(value)) (value as readonly Json[]).forEach(visit);
    else if (isJsonObject(value)) Object.values(value).forEach(visit);
  };
  for (const { case: one } of judged) {
    one.args.forEach(visit);
    if (one.expectation.kind === "value") visit(one.expectation.value);
  }
  for (const literal of literalsOf(source)) found.delete(literal);
  return found;
}

function usesLiteral({ edits }: Plausible, literals: ReadonlySet<Json>): boolean {
  const text = edits.map((edit) => (edit.op === "splice" ? edit.text : edit.code)).join("\n");
  return literalsOf(text).some((literal) => literals.has(literal));
}

function isDeletion({ edits, operator }: Plausible): boolean {
  if (operator === "delete-statement") return true;
  return edits.every((edit) => edit.op === "splice" && edit.text === "" && edit.end > edit.start);
}

/** Canonical text of a question's arguments, for sentences. */
export function argumentsText(args: readonly Json[]): string {
  const text = args.map((value) => canonical(value)).join(", ");
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
