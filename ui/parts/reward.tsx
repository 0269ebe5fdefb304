import type { JSX } from "preact";
import type { Reckoning } from "../api/answers.ts";
import { counted, difference, reward } from "./figures.ts";

/** A mean reward on the scale from 0 to 1, with its 95 % interval. */
export function RewardBar({ of }: { readonly of: Reckoning }): JSX.Element {
  const { meanReward, interval, scored } = of;
  if (meanReward === null) return <span class="muted">no scored run</span>;
  const { low, high } = interval ?? { low: meanReward, high: meanReward };
  const label = `mean reward ${reward(meanReward)} of ${counted(scored, "scored run")}, 95 % between ${reward(low)} and ${reward(high)}`;
  return (
    <span class="reward" title={label}>
      <span class="figure">{reward(meanReward)}</span>
      <svg
        class="interval"
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <rect class="track" x="0" y="4" width="100" height="2" />
        <rect
          class="range"
          x={low * 100}
          y="2"
          width={Math.max(1, (high - low) * 100)}
          height="6"
        />
        <rect class="mean" x={Math.min(98, meanReward * 100)} y="0" width="2" height="10" />
      </svg>
    </span>
  );
}

/** By how much a mean reward rose or fell; nothing where one of the two is not known. */
export function Change({
  from,
  to,
}: {
  readonly from: number | null;
  readonly to: number | null;
}): JSX.Element {
  if (from === null || to === null) return <span class="muted">–</span>;
  const by = to - from;
  const tone = Math.abs(by) < 0.0005 ? "muted" : by > 0 ? "good-text" : "bad-text";
  return <span class={`figure ${tone}`}>{difference(by)}</span>;
}
