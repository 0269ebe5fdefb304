import type { Region } from "./traits.ts";

/**
 * Where each question lies: nearer to a failing or to a passing case by the path that the faulty
 * program takes, as the likeness of the sets of passed sites (Jaccard); `between` where neither is
 * nearer. After PATCH-SIM (Xiong et al., ICSE 2018), which compares executions in this way.
 */
export function regionsOf(
  paths: readonly (readonly number[])[],
  known: readonly { readonly path: readonly number[]; readonly passed: boolean }[],
): readonly Region[] {
  const sets = known.map(({ path, passed }) => ({ path: new Set(path), passed }));
  return paths.map((path) => {
    const own = new Set(path);
    const nearest = (passed: boolean): number =>
      Math.max(
        0,
        ...sets.filter((one) => one.passed === passed).map((one) => likeness(own, one.path)),
      );
    const [failing, passing] = [nearest(false), nearest(true)];
    if (failing === passing) return "between";
    return failing > passing ? "failing" : "passing";
  });
}

function likeness(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const shared = [...a].filter((site) => b.has(site)).length;
  const together = a.size + b.size - shared;
  return together === 0 ? 1 : shared / together;
}
