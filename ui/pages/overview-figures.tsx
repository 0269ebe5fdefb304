import type { JSX } from "preact";
import type { Activity } from "../api/answers.ts";
import { count, reward } from "../parts/figures.ts";
import { Change } from "../parts/reward.tsx";

/** The figures of the period, each beside that of the period before it. */
export function Figures({
  counts,
  open,
}: {
  readonly counts: Activity["counts"];
  readonly open: number;
}): JSX.Element {
  const { before } = counts;
  return (
    <dl class="figures">
      <div>
        <dt>Mean reward</dt>
        <dd>
          {reward(counts.meanReward)}{" "}
          {before.meanReward === null ? null : (
            <Change from={before.meanReward} to={counts.meanReward} />
          )}
        </dd>
      </div>
      <Figure name="Runs" now={counts.runs} before={before.runs} />
      <Figure name="Releases" now={counts.releases} before={before.releases} />
      <Figure name="Rollbacks" now={counts.rollbacks} before={before.rollbacks} />
      <Figure name="Refused" now={counts.refused} before={before.refused} />
      <div>
        <dt>Open incidents</dt>
        <dd>
          {count(open)} <span class="was">{count(counts.incidents)} new</span>
        </dd>
      </div>
    </dl>
  );
}

function Figure({
  name,
  now,
  before,
}: {
  readonly name: string;
  readonly now: number;
  readonly before: number;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {count(now)}{" "}
        <span class="was" title="in the period before">
          was {count(before)}
        </span>
      </dd>
    </div>
  );
}
