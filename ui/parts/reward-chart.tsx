import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Reckoning, ReleaseEffect } from "../api/answers.ts";
import { colours } from "../state/theme.ts";

export type ChartInput = {
  readonly points: readonly (Reckoning & { readonly at: number })[];
  readonly releases: readonly ReleaseEffect[];
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
};

/** Reward over time, with releases and rollbacks marked. The chart's code is loaded with the first. */
export function RewardChart({ input }: { readonly input: ChartInput }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const drawn = colours.value;
  const key = JSON.stringify([input.points, input.releases.length, input.stepMs, drawn]);
  useEffect(() => {
    const target = place.current;
    if (target === null) return;
    let destroy = (): void => undefined;
    let isGone = false;
    void import("./draw-rewards.ts").then(({ drawRewards }) => {
      if (!isGone) destroy = drawRewards(target, input);
    });
    return () => {
      isGone = true;
      destroy();
    };
  }, [key]);
  return (
    <figure class="chart">
      <div ref={place} class="plot" role="img" aria-label={told(input)} />
      <figcaption class="legend">
        <span class="key line">mean reward</span>
        <span class="key bars">runs</span>
        <span class="key release">release</span>
        <span class="key rollback">rollback</span>
      </figcaption>
    </figure>
  );
}

function told({ points, releases }: ChartInput): string {
  const means = points.flatMap(({ meanReward }) => (meanReward === null ? [] : [meanReward]));
  const last = means.at(-1);
  const rollbacks = releases.filter(({ reverts }) => reverts !== null).length;
  const ends =
    last === undefined ? "no scored runs" : `from ${means[0]?.toFixed(3)} to ${last.toFixed(3)}`;
  return `Mean reward over time: ${ends}; ${releases.length - rollbacks} releases and ${rollbacks} rollbacks are marked`;
}
