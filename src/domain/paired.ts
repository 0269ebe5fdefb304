/** How two versions did on the same questions, each asked once. */
export type Pairs = {
  /** Questions that only the new version satisfies, and those that only the old one does. */
  readonly wins: number;
  readonly losses: number;
};

/** Shares of the stake that are bet on a win; the stake is split evenly among them. */
const BETS = [0.25, 0.5, 0.75, 0.95] as const;

/**
 * The evidence that the new version is better, as an e-value: a bettor's wealth who begins with 1 and
 * bets at even odds that, where the two differ, it is the new one that is right. Were it no better,
 * the wealth would be a supermartingale, which ever reaches 1/alpha with a chance of at most alpha
 * (Ville); one may look after each question and stop when it suits. Testing by betting: Shafer, JRSS-A
 * 2021; Waudby-Smith and Ramdas, JRSS-B 2024; on discordant pairs alone, as McNemar's test (1947).
 */
export function evidenceOf({ wins, losses }: Pairs): number {
  const wealth = BETS.map((bet) => (1 + bet) ** wins * (1 - bet) ** losses);
  return wealth.reduce((sum, one) => sum + one, 0) / BETS.length;
}

/** Questions more that would have to be won, and none lost, before the evidence suffices. */
export function winsWanting(pairs: Pairs, alpha: number): number {
  let more = 0;
  while (evidenceOf({ ...pairs, wins: pairs.wins + more }) < 1 / alpha && more < 1_000) more += 1;
  return more;
}
