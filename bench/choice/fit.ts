/**
 * Fits the weights of the search's confidence to what `collect.ts` found, and says how well they
 * choose functions they were not fitted on. `node bench/choice/fit.ts IN.jsonl [stop]`
 */
import { readFileSync } from "node:fs";
import { confidences, type Weights } from "../../src/proposers/search/confidence.ts";
import { OPERATORS, isOperatorName } from "../../src/proposers/search/operator-table.ts";
import { TRAIT_NAMES, type Traits } from "../../src/proposers/search/traits.ts";

type Told = {
  readonly traits: Traits;
  readonly right: boolean;
  readonly first: boolean;
  readonly operator: string;
};
type Group = {
  readonly function: number;
  readonly visible: number;
  readonly clusters: readonly Told[];
  /** How much it counts. */
  readonly weight: number;
};
type Row = {
  readonly function: number;
  readonly shown: number;
  readonly stops: readonly { readonly name: string; readonly clusters: readonly Told[] }[];
};

const NAMES = [...TRAIT_NAMES, "none", "nonePerCase"] as const;
const FOLDS = 6;

/** Strength of the pull of all weights to where they started. */
const PULL = 2;

/**
 * How often none of the plausible edits is right: published repair tools are wrong in 25 of 81
 * (TBar, ISSTA 2019, with perfect localisation), 22 of 56 (SimFix, ISSTA 2018), 15 of 41 (ELIXIR,
 * ASE 2017) plausible patches, in some of which a right one was there to be chosen.
 */
const NONE_RIGHT = 0.3;

/** Where the weights start: published priors as they are, and the signs that the literature gives. */
const START: Weights = {
  mass: 0.7,
  trust: 0.5,
  size: 0.3,
  agreement: 1,
  changedPassing: -0.5,
  changedFailing: 0.2,
  changedBetween: 0,
  newFaults: -1,
  keptFaults: 0,
  strange: -1.5,
  literal: -1,
  deletes: -0.5,
  variety: 0.3,
  none: -0.7,
  nonePerCase: -0.5,
};

const known = new Map<string, Weights>();

const [file = "choice.jsonl", only] = process.argv.slice(2);
const rows = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

function report(stop: string): void {
  const groups = groupsAt(stop);
  const some = groups.filter(hasRight);
  const many = some.filter(({ clusters }) => clusters.length > 1);
  const before = some.filter(({ clusters }) => clusters.find(({ first }) => first)?.right);
  say(
    `${stop}: ${some.length} faults with a right edit, ${many.length} of them with several behaviours`,
  );
  say(`  likelihood alone chooses right: ${before.length}`);
  const judged = groups.map((group) => ({
    ...group,
    ...bestOf(group, fitted(except(groups, group))),
  }));
  const now = judged.filter(({ right }) => right);
  say(`  the weights, on functions they were not fitted on: ${now.length}`);
  say("  in percent of all, as often as published fixes are of their kind:");
  const percent = (of: readonly Group[]): string => ((100 * sum(of)) / sum(judged)).toFixed(1);
  for (const [low, high] of BANDS) {
    const inside = judged.filter(({ share }) => share >= low && share < high);
    const right = (100 * sum(inside.filter((one) => one.right))) / sum(inside);
    say(`    confidence ${low} to ${high}: ${right.toFixed(0)} % right of ${percent(inside)}`);
  }
  for (const least of [0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6]) {
    const asked = judged.filter(({ share }) => share < least);
    const [lost, avoided] = [asked.filter((one) => one.right), asked.filter((one) => !one.right)];
    say(
      `    asking below ${least}: ${percent(avoided)} wrong avoided, ${percent(lost)} right lost`,
    );
  }
  const weights = fitted(groups);
  const rounded = NAMES.map((name) => [name, Number(weights[name].toFixed(2))] as const);
  say(`  ${JSON.stringify(Object.fromEntries(rounded))}`);
}

const BANDS = [
  [0, 0.2],
  [0.2, 0.4],
  [0.4, 0.6],
  [0.6, 0.8],
  [0.8, 0.9],
  [0.9, 1],
] as const;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function groupsAt(stop: string): readonly Group[] {
  const groups = rows.flatMap(({ function: of, shown, stops }): readonly Group[] => {
    const clusters = stops.find(({ name }) => name === stop)?.clusters ?? [];
    return clusters.length === 0
      ? []
      : withoutRight({ function: of, visible: shown, clusters, weight: weightOf(clusters) });
  });
  return rebalanced(groups);
}

/** Groups of the other folds; functions stay together. */
function except(groups: readonly Group[], { function: of }: Group): readonly Group[] {
  return groups.filter((group) => group.function % FOLDS !== of % FOLDS);
}

/** A fault's group, and the same as it would be if its repair were out of reach. */
function withoutRight(group: Group): readonly Group[] {
  const wrong = group.clusters.filter(({ right }) => !right);
  const isMixed = wrong.length > 0 && wrong.length < group.clusters.length;
  return isMixed ? [group, { ...group, clusters: wrong }] : [group];
}

/** Faults count as often as published fixes are of the kind that mends them. */
function weightOf(clusters: readonly Told[]): number {
  const [right] = clusters.filter((one) => one.right).map(({ operator }) => operator);
  return right !== undefined && isOperatorName(right) ? OPERATORS[right].prior : 0.3;
}

/** The same groups, counted so that in the wanted share of them none is right. */
function rebalanced(groups: readonly Group[]): readonly Group[] {
  const right = sum(groups.filter(hasRight));
  const none = sum(groups) - right;
  return groups.map((group) => {
    const share = hasRight(group) ? (1 - NONE_RIGHT) / right : NONE_RIGHT / none;
    return { ...group, weight: group.weight * share * groups.length };
  });
}

function hasRight({ clusters }: Group): boolean {
  return clusters.some(({ right }) => right);
}

function sum(groups: readonly Group[]): number {
  return groups.reduce((all, { weight }) => all + weight, 0);
}

function bestOf(
  { clusters, visible }: Group,
  weights: Weights,
): { readonly share: number; readonly right: boolean } {
  const shares = confidences(
    clusters.map(({ traits }) => traits),
    visible,
    weights,
  );
  const share = Math.max(...shares);
  return { share, right: clusters[shares.indexOf(share)]?.right === true };
}

/** The most likely weights, by gradient ascent. */
function fitted(groups: readonly Group[]): Weights {
  const key = groups
    .map(({ function: of, visible, clusters }) => [of, visible, clusters.length].join())
    .join(";");
  const done = known.get(key);
  if (done !== undefined) return done;
  let weights: Record<(typeof NAMES)[number], number> = { ...START };
  let speed: Record<string, number> = Object.fromEntries(NAMES.map((name) => [name, 0]));
  for (let step = 0; step < 600; step += 1) {
    const slope = slopeOf(groups, weights);
    const next = { ...weights };
    for (const name of NAMES) {
      const pull = PULL * (weights[name] - START[name]);
      speed = {
        ...speed,
        [name]: 0.9 * (speed[name] ?? 0) + (0.3 * (slope[name] - pull)) / groups.length,
      };
      next[name] += speed[name] ?? 0;
    }
    weights = next;
  }
  known.set(key, weights);
  return weights;
}

function slopeOf(
  groups: readonly Group[],
  weights: Weights,
): Record<(typeof NAMES)[number], number> {
  const slope = Object.fromEntries(NAMES.map((name) => [name, 0])) as Record<
    (typeof NAMES)[number],
    number
  >;
  for (const { clusters, visible, weight } of groups) {
    const shares = confidences(
      clusters.map(({ traits }) => traits),
      visible,
      weights,
    );
    const none = 1 - shares.reduce((sum, share) => sum + share, 0);
    const right = clusters.reduce((sum, one, at) => sum + (one.right ? (shares[at] ?? 0) : 0), 0);
    for (const [at, { traits, right: isRight }] of clusters.entries()) {
      const share = shares[at] ?? 0;
      const wanted = right === 0 ? 0 : isRight ? share / right : 0;
      for (const name of TRAIT_NAMES) slope[name] += weight * (wanted - share) * traits[name];
    }
    const wanted = clusters.some((one) => one.right) ? 0 : 1;
    slope.none += weight * (wanted - none);
    slope.nonePerCase += weight * (wanted - none) * Math.log(visible);
  }
  return slope;
}

for (const stop of only === undefined ? ["short", "middle", "all"] : [only]) report(stop);
