import type { RewardAnswer } from "../../src/domain/reward-function.ts";

/** The mean of the parts that apply (null: does not apply); null where none does. */
export function meanOf(parts: Readonly<Record<string, number | null>>): RewardAnswer {
  const applying = Object.entries(parts).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  if (applying.length === 0) return null;
  const sum = applying.reduce((total, [, value]) => total + value, 0);
  return { score: sum / applying.length, components: Object.fromEntries(applying) };
}

/** How many of the items are so, in [0,1]; null without items. */
export function share<T>(items: readonly T[], isSo: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(isSo).length / items.length;
}

/** 1 within the limit, then falling in proportion: 0.5 at twice the limit. */
export function within(limit: number, used: number): number {
  return used <= limit ? 1 : limit / used;
}
