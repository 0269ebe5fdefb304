import { drawBeta, uniformFrom } from "./beta.ts";

/** One try of one of several ways to do a thing, and what it came to. */
export type Pull = {
  readonly arm: string;
  /** In [0,1]. */
  readonly reward: number;
  /** What it took, in a unit that all arms share, such as tokens; zero or more. */
  readonly cost: number;
};

/** What is asked of a bandit. */
export type ArmChoice = {
  /** Arms are good at one kind of thing and bad at another: each class learns for itself. */
  readonly failureClass: string;
  /** Those that there are now; others that were pulled once are left out. */
  readonly arms: readonly string[];
  readonly count: number;
  readonly seed: number;
};

/** What is known of an arm: a Beta distribution of its reward, and its mean cost. */
type Belief = {
  readonly arm: string;
  readonly a: number;
  readonly b: number;
  /** Null: it was never pulled. */
  readonly cost: number | null;
};

/**
 * A pull counts for this much less with each later one, so that what has changed is noticed. The price:
 * some pulls go on being spent on looking around, about one in twenty where arms differ clearly.
 */
const DISCOUNT = 0.995;

/** Pulls further back than this say nothing any more: 0.995^1000 is less than a hundredth. */
export const MOST_PULLS = 1_000;

/** Of a pull's price, what every arm costs alike: its place in the group, and its verification. */
const FIXED_COST = 0.5;

/**
 * The arms to pull next, all at once, by Thompson sampling (Chapelle and Li, NIPS 2011; Russo et al.,
 * "A tutorial on Thompson sampling", 2018): each place goes to the arm whose draw is best by its cost
 * (budgeted Thompson sampling: Xia et al., IJCAI 2015). Earlier pulls are discounted by their age (Raj
 * and Kalyani, arXiv 1707.09727). `pulls` are the class's, the latest first. The same pulls and the
 * same seed give the same choice.
 */
export function chooseArms(
  { arms, count, seed }: Omit<ArmChoice, "failureClass">,
  pulls: readonly Pull[],
): readonly string[] {
  const uniform = uniformFrom(seed);
  const beliefs = arms.map((arm) => beliefOf(arm, pulls));
  const priceOf = pricesOf(beliefs);
  return Array.from({ length: arms.length === 0 ? 0 : count }, () => {
    const worths = beliefs.map((belief) => drawBeta(belief.a, belief.b, uniform) / priceOf(belief));
    return arms[worths.indexOf(Math.max(...worths))] as string;
  });
}

/** From what nobody knows (Beta(1, 1)), and each pull as so much success and so much failure. */
function beliefOf(arm: string, pulls: readonly Pull[]): Belief {
  let [won, lost, spent] = [0, 0, 0];
  for (const [age, pull] of pulls.slice(0, MOST_PULLS).entries()) {
    if (pull.arm !== arm) continue;
    const weight = DISCOUNT ** age;
    won += weight * pull.reward;
    lost += weight * (1 - pull.reward);
    spent += weight * pull.cost;
  }
  const seen = won + lost;
  return { arm, a: 1 + won, b: 1 + lost, cost: seen === 0 ? null : spent / seen };
}

/** Prices in [FIXED_COST, 1]: 1 for the dearest arm, and the mean for one that nobody knows. */
function pricesOf(beliefs: readonly Belief[]): (belief: Belief) => number {
  const known = beliefs.flatMap(({ cost }) => cost ?? []);
  const most = Math.max(0, ...known);
  const mean = known.reduce((sum, cost) => sum + cost, 0) / Math.max(1, known.length);
  return ({ cost }) => (most === 0 ? 1 : FIXED_COST + (1 - FIXED_COST) * ((cost ?? mean) / most));
}
