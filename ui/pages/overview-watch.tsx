import type { JSX } from "preact";
import type { Status } from "../api/answers.ts";
import { Badge } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { counted, reward } from "../parts/figures.ts";
import { Commit, SkillLink } from "../parts/link.tsx";
import { Change } from "../parts/reward.tsx";
import { Time } from "../parts/time.tsx";

/** What no case shows and nobody asked about: rewards that fall, an upstream that moved. */
export function Alarms({ alarms }: Pick<Status, "alarms">): JSX.Element | null {
  if (alarms.length === 0) return null;
  return (
    <Card title="Alarms" flush>
      <ul class="rows">
        {alarms.map(({ kind, skill, cause, text, raisedAt }) => (
          <li key={`${kind} ${skill} ${cause}`} class="row">
            <span class="row-head">
              <SkillLink name={skill} />
              <Badge tone="warn">{kind}</Badge>
              <span class="push muted">
                <Time at={raisedAt} />
              </span>
            </span>
            <span class="row-text wrap">{text}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Releases that are held against the version before them, and the share of the work that each has. */
export function UnderWatch({ canaries }: Pick<Status, "canaries">): JSX.Element | null {
  if (canaries.length === 0) return null;
  return (
    <Card title="Under watch" flush>
      <ul class="rows">
        {canaries.map((each) => (
          <li key={each.commit} class="row">
            <span class="row-head">
              <SkillLink name={each.skill} />
              <Badge tone="accent">{Math.round(each.share * 100)} % of its calls</Badge>
              <span class="push">
                <Commit id={each.commit} />
              </span>
            </span>
            <span class="row-text clamp">{each.reason}</span>
            <span class="row-foot">
              <span class="figure muted">{reward(each.meanBefore)}</span>
              <span aria-hidden="true">→</span>
              <span class="figure">{reward(each.meanReward)}</span>
              <Change from={each.meanBefore} to={each.meanReward} />
              <span class="push muted">
                {counted(each.runs, "run")}
                {each.shadows === 0
                  ? ""
                  : `, ${each.shadowsDiffer} of ${each.shadows} repeated runs differ`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
