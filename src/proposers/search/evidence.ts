import type { JudgedCase } from "../../domain/incident.ts";
import { canonical, isJsonObject, type Json } from "../../domain/json.ts";

/** What is known of a search as a whole; it tells how likely it is that nothing it found is right. */
export type Evidence = {
  /** Visible cases. */
  readonly visible: number;
  /** Those of them that fail. */
  readonly failing: number;
  /** How much those that fail tell, in bits: `true` is told by chance, a long text is not. */
  readonly bits: number;
  /** How many programs were looked at until the first that satisfies all cases. */
  readonly first: number;
  /** What the plausible edits promise together. */
  readonly promise: number;
};

/** The evidence that the visible cases give. */
export function evidenceOf(
  judged: readonly JudgedCase[],
  { first, promise }: Pick<Evidence, "first" | "promise">,
): Evidence {
  const failing = judged.filter(({ passed }) => !passed);
  const expected = failing.map(({ case: { expectation } }) =>
    expectation.kind === "value" ? expectation.value : null,
  );
  const distinct = new Map(expected.map((value) => [canonical(value), value]));
  // What was expected before tells little once more.
  const repeated = expected.length - distinct.size;
  const bits = [...distinct.values()].reduce<number>((sum, value) => sum + bitsOf(value), repeated);
  return { visible: judged.length, failing: failing.length, bits, first, promise };
}

/** Roughly how many bits it takes to say a value among those that one would expect. */
function bitsOf(value: Json): number {
  if (typeof value === "number") return 2 + Math.log2(1 + Math.abs(value));
  if (typeof value === "string") return 2 + 2 * value.length;
  if (Array.isArray(value)) {
    return (value as readonly Json[]).reduce<number>((sum, one) => sum + bitsOf(one), 2);
  }
  if (!isJsonObject(value)) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + bitsOf(one), 2);
}
