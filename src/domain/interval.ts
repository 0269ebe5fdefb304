export type Interval = { readonly low: number; readonly high: number };

/** The normal quantile of a two-sided 95 % interval. */
const Z = 1.959_964;

/**
 * The 95 % score interval of a mean reward in [0,1] (Wilson 1927, "Probable inference, the law of
 * succession, and statistical inference", JASA 22). It is exact in spirit for rewards of 0 and 1; of
 * rewards between them the variance is at most mean × (1 − mean) (Bhatia & Davis 2000), so that it
 * is rather too wide than too narrow. Null where nothing was scored.
 */
export function wilson(mean: number | null, scored: number): Interval | null {
  if (mean === null || scored <= 0) return null;
  const z2 = Z * Z;
  const centre = (mean + z2 / (2 * scored)) / (1 + z2 / scored);
  const spread = Math.sqrt((mean * (1 - mean)) / scored + z2 / (4 * scored * scored));
  const half = (Z * spread) / (1 + z2 / scored);
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
