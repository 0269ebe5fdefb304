/** Numbers in [0,1) that look random and are the same for the same seed (mulberry32). */
export function uniformFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A draw from Beta(a, b), as the share of one Gamma variate in two; `a` and `b` are at least 1. */
export function drawBeta(a: number, b: number, uniform: () => number): number {
  const x = drawGamma(a, uniform);
  return x / (x + drawGamma(b, uniform));
}

/**
 * A draw from Gamma(shape, 1) for a shape of at least 1, by rejection (Marsaglia and Tsang, "A simple
 * method for generating gamma variables", ACM TOMS 26(3), 2000).
 */
function drawGamma(shape: number, uniform: () => number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(uniform);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** A draw from the standard normal distribution (Box and Muller 1958). */
function drawNormal(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
