/**
 * Fits the weights of the search's confidence to what `collect.ts` found, and says how well they
 * choose functions they were not fitted on. `node bench/choice/fit.ts IN.jsonl [stop]`
 */
import { readFileSync } from "node:fs";
import { confidences, type Weights } from "../../src/proposers/search/confidence.ts";
import { TRAIT_NAMES, type Traits } from "../../src/proposers/search/traits.ts";

type Told = { readonly traits: Traits; readonly right: boolean; readonly first: boolean };
type Group = {
  readonly function: number;
  readonly visible: number;
  readonly clusters: readonly Told[];
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

const START: Weights = {
  mass: 1,
  trust: 0,
  size: 0,
  agreement: 0,
  changedPassing: 0,
  changedFailing: 0,
  changedBetween: 0,
  newFaults: 0,
  keptFaults: 0,
  strange: 0,
  literal: 0,
  deletes: 0,
  variety: 0,
  none: 0,
  nonePerCase: 0,
};

const known = new Map<string, Weights>();

const [file = "choice.jsonl", only] = process.argv.slice(2);
const rows = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);
for (const stop of only === undefined ? ["short", "middle", "all"] : [only]) report(stop);

function report(stop: string): void {
  const groups = rows.flatMap(({ function: of, shown, stops }): Group[] => {
    const clusters = stops.find(({ name }) => name === stop)?.clusters ?? [];
    return clusters.length === 0 ? [] : [{ function: of, visible: shown, clusters }];
  });
  const some = groups.filter(({ clusters }) => clusters.some(({ right }) => right));
  const many = some.filter(({ clusters }) => clusters.length > 1);
  const before = groups.filter(({ clusters }) => clusters.find(({ first }) => first)?.right);
  process.stdout.write(
    `${stop}: ${groups.length} faults with plausible edits, ${some.length} with a right one, ${many.length} of these with several behaviours\n`,
  );
  process.stdout.write(`  likelihood alone chooses right: ${before.length}\n`);
  const judged = groups.map((group) => ({
    group,
    best: bestOf(group, fitted(except(groups, group))),
  }));
  process.stdout.write(
    `  the weights, on functions they have not seen: ${judged.filter(({ best }) => best.right).length}\n`,
  );
  for (const [low, high] of [
    [0, 0.2],
    [0.2, 0.4],
    [0.4, 0.6],
    [0.6, 0.8],
    [0.8, 0.9],
    [0.9, 1],
  ] as const) {
    const inside = judged.filter(({ best }) => best.share >= low && best.share < high);
    const right = inside.filter(({ best }) => best.right).length;
    process.stdout.write(`    confidence ${low} to ${high}: ${right} of ${inside.length} right\n`);
  }
  for (const least of [0.2, 0.3, 0.4, 0.5, 0.6, 0.7]) {
    const asked = judged.filter(({ best }) => best.share < least);
    const right = asked.filter(({ best }) => best.right).length;
    process.stdout.write(
      `    asking below ${least}: ${asked.length - right} wrong ones avoided, ${right} right ones lost\n`,
    );
  }
  const weights = fitted(groups);
  process.stdout.write(
    `  ${JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, Number(weights[name].toFixed(2))])))}\n`,
  );
}

/** Groups of the other folds; functions stay together. */
function except(groups: readonly Group[], { function: of }: Group): readonly Group[] {
  return groups.filter((group) => group.function % FOLDS !== of % FOLDS);
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
  for (const { clusters, visible } of groups) {
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
      for (const name of TRAIT_NAMES) slope[name] += (wanted - share) * traits[name];
    }
    const wanted = clusters.some((one) => one.right) ? 0 : 1;
    slope.none += wanted - none;
    slope.nonePerCase += (wanted - none) * Math.log(visible);
  }
  return slope;
}
