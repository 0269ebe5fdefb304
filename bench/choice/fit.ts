/**
 * Fits the weights of the search's confidence to what `collect.ts` found, and says how well they
 * choose and how sure they are, on functions they were not fitted on.
 * `node bench/choice/fit.ts IN.jsonl[,IN.jsonl] [stop] [without=trait,trait]`
 */
import { readFileSync } from "node:fs";
import {
  againstAll,
  confidences,
  EVIDENCE_NAMES,
  type Weights,
} from "../../src/proposers/search/confidence.ts";
import type { Evidence } from "../../src/proposers/search/evidence.ts";
import { OPERATORS, isOperatorName } from "../../src/proposers/search/operator-table.ts";
import { TRAIT_NAMES, type Traits } from "../../src/proposers/search/traits.ts";

type Told = {
  readonly traits: Traits;
  readonly right: boolean;
  readonly first: boolean;
  readonly mixed: boolean;
  readonly operator: string;
};
type Group = {
  readonly function: number;
  readonly evidence: Evidence;
  readonly clusters: readonly Told[];
  /** How much it counts. */
  readonly weight: number;
};
type Stop = {
  readonly name: string;
  readonly evidence: Evidence;
  readonly clusters: readonly Told[];
};
type Row = {
  readonly function: number;
  readonly stops: readonly Stop[];
};
type Judged = Group & { readonly share: number; readonly right: boolean; readonly loss: number };

const NAMES = [...TRAIT_NAMES, ...EVIDENCE_NAMES] as const;
type Name = (typeof NAMES)[number];
const FOLDS = 6;

/** Strength of the pull of all weights to where they started. */
const PULL = 2;
const STEPS = 300;

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
  shape: -1.5,
  link: -1.5,
  natural: 0.2,
  orphans: -0.5,
  adopts: 0.5,
  idle: -0.5,
  cures: 0.5,
  none: -0.7,
  noneVisible: -0.5,
  noneFailing: -0.3,
  noneBits: -0.3,
  noneFirst: 0.2,
  nonePromise: -0.2,
  noneMany: 0.2,
};

const [file = "choice.jsonl", ...options] = process.argv.slice(2);
const only = options.find((option) => !option.includes("="));
const without = new Set(
  options.flatMap((option) => (option.startsWith("without=") ? option.slice(8).split(",") : [])),
);
const rows = file.split(",").flatMap((name) =>
  readFileSync(name, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row),
);

function report(stop: string): void {
  const groups = groupsAt(stop);
  const some = groups.filter(hasRight);
  const many = some.filter(({ clusters }) => clusters.length > 1);
  const mixed = groups.flatMap(({ clusters }) => clusters).filter((one) => one.mixed).length;
  say(
    `${stop}: ${groups.length} choices, ${some.length} with a right edit, ${many.length} of them`,
  );
  say(`  with several behaviours; ${mixed} behaviours hold right and wrong edits`);
  const first = some.filter(({ clusters }) => clusters.find((one) => one.first)?.right);
  say(`  likelihood alone chooses right: ${first.length}`);
  const judged = groups.map((group) => judgedBy(group, fitted(except(groups, group))));
  say(`as it is:\n${figures(groups.map((group) => judgedBy(group)))}`);
  say(`fitted, on functions it was not fitted on:\n${figures(judged)}`);
  const weights = fitted(groups);
  const rounded = NAMES.map((name) => [name, Number(weights[name].toFixed(2))] as const);
  say(`  ${JSON.stringify(Object.fromEntries(rounded))}`);
}

/** All figures count a choice as often as published fixes are of its kind. */
function figures(judged: readonly Judged[]): string {
  const all = sum(judged);
  const right = judged.filter((one) => one.right);
  const percent = (of: readonly Group[], among = all): string =>
    ((100 * sum(of)) / among).toFixed(1);
  const loss = judged.reduce((total, one) => total + one.weight * one.loss, 0) / all;
  const chosen = sum(right) / sum(judged.filter(hasRight));
  const lines = [
    `  chosen right: ${right.length}; ${(100 * chosen).toFixed(1)} % where some edit is right; log loss ${loss.toFixed(4)}`,
  ];
  for (let low = 0; low < 10; low += 1) {
    const inside = judged.filter(({ share }) => Math.min(9, Math.floor(share * 10)) === low);
    if (inside.length === 0) continue;
    const rate = percent(
      inside.filter((one) => one.right),
      sum(inside),
    );
    const mean = inside.reduce((total, one) => total + one.weight * one.share, 0) / sum(inside);
    lines.push(
      `    confidence ${(low / 10).toFixed(1)}: says ${(100 * mean).toFixed(0)} %, is ${rate} %, ${percent(inside)} % of all`,
    );
  }
  for (const least of [0, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6]) {
    const released = judged.filter(({ share }) => share >= least);
    const good = released.filter((one) => one.right);
    const lost = judged.filter((one) => one.share < least && one.right);
    lines.push(
      `    asking below ${least}: ${percent(good)} released right, ${percent(released.filter((one) => !one.right))} wrong, ${percent(lost)} right wait`,
    );
  }
  return lines.join("\n");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function groupsAt(stop: string): readonly Group[] {
  const groups = rows.flatMap(({ function: of, stops }): readonly Group[] => {
    const found = stops.find(({ name }) => name === stop);
    if (found === undefined || found.clusters.length === 0) return [];
    const { clusters, evidence } = found;
    return withoutRight({ function: of, evidence, clusters, weight: weightOf(clusters) });
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
  return isMixed ? [group, { ...group, clusters: wrong, weight: group.weight / 2 }] : [group];
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

function sharesOf({ clusters, evidence }: Group, weights?: Weights): readonly number[] {
  const traits = clusters.map((one) => one.traits);
  return confidences(traits, evidence, ...(weights === undefined ? [] : [weights]));
}

function judgedBy(group: Group, weights?: Weights): Judged {
  const shares = sharesOf(group, weights);
  const share = Math.max(...shares);
  const none = 1 - shares.reduce((total, one) => total + one, 0);
  const isRight = (at: number): boolean => group.clusters[at]?.right === true;
  const likely = hasRight(group)
    ? shares.reduce((total, one, at) => total + (isRight(at) ? one : 0), 0)
    : none;
  const loss = -Math.log(Math.max(1e-9, likely));
  return { ...group, share, right: isRight(shares.indexOf(share)), loss };
}

const known = new Map<string, Weights>();

/** The most likely weights, by gradient ascent with momentum, each scaled by its trait. */
function fitted(groups: readonly Group[]): Weights {
  const folds = new Set(groups.map((group) => group.function % FOLDS));
  const key = [...folds].toSorted((a, b) => a - b).join();
  const done = known.get(key);
  if (done !== undefined) return done;
  const weights: Record<Name, number> = { ...START };
  for (const name of NAMES) if (without.has(name)) weights[name] = 0;
  const used = NAMES.filter((name) => !without.has(name));
  const scale = scalesOf(groups);
  const speed = Object.fromEntries(NAMES.map((name) => [name, 0])) as Record<Name, number>;
  for (let step = 0; step < STEPS; step += 1) {
    const slope = slopeOf(groups, weights);
    for (const name of used) {
      const pull = PULL * (weights[name] - START[name]);
      speed[name] = 0.9 * speed[name] + (0.2 * (slope[name] - pull)) / scale[name];
    }
    for (const name of used) weights[name] += speed[name];
  }
  known.set(key, weights);
  return weights;
}

function scalesOf(groups: readonly Group[]): Record<Name, number> {
  const scale = Object.fromEntries(NAMES.map((name) => [name, PULL])) as Record<Name, number>;
  for (const { clusters, evidence, weight } of groups) {
    const against = againstAll(evidence, clusters.length);
    for (const name of EVIDENCE_NAMES) scale[name] += weight * against[name] ** 2;
    for (const { traits } of clusters) {
      for (const name of TRAIT_NAMES) scale[name] += weight * traits[name] ** 2;
    }
  }
  return scale;
}

function slopeOf(groups: readonly Group[], weights: Weights): Record<Name, number> {
  const slope = Object.fromEntries(NAMES.map((name) => [name, 0])) as Record<Name, number>;
  for (const group of groups) {
    const { clusters, evidence, weight } = group;
    const shares = sharesOf(group, weights);
    const none = 1 - shares.reduce((total, share) => total + share, 0);
    const right = clusters.reduce(
      (total, one, at) => total + (one.right ? (shares[at] ?? 0) : 0),
      0,
    );
    for (const [at, { traits, right: isRight }] of clusters.entries()) {
      const share = shares[at] ?? 0;
      const wanted = right === 0 ? 0 : isRight ? share / right : 0;
      for (const name of TRAIT_NAMES) slope[name] += weight * (wanted - share) * traits[name];
    }
    const wanted = hasRight(group) ? 0 : 1;
    const against = againstAll(evidence, clusters.length);
    for (const name of EVIDENCE_NAMES) slope[name] += weight * (wanted - none) * against[name];
  }
  return slope;
}

for (const stop of only === undefined ? ["short", "far", "all"] : [only]) {
  known.clear();
  report(stop);
}
