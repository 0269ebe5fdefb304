import type { JSX } from "preact";
import type { Activity, GateCount, Waiting } from "../api/answers.ts";
import { Badge, State } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { count, counted, reward } from "../parts/figures.ts";
import { Commit, SkillLink } from "../parts/link.tsx";
import { Empty } from "../parts/loaded.tsx";
import { Change, RewardBar } from "../parts/reward.tsx";
import { Time } from "../parts/time.tsx";

/** What nobody but the reader can decide. */
export function WaitingForYou({
  waiting,
}: {
  readonly waiting: readonly Waiting[];
}): JSX.Element | null {
  if (waiting.length === 0) return null;
  return (
    <Card title="Waits for you" aside={<a href="/review">Review all</a>} flush>
      <ul class="rows">
        {waiting.slice(0, 5).map(({ candidate, skill, change, reason }) => (
          <li key={candidate}>
            <a class="row" data-row href={`/review/${encodeURIComponent(candidate)}`}>
              <span class="row-head">
                <strong>{skill}</strong>
                <Badge tone="warn">waits</Badge>
              </span>
              <span class="row-text clamp">{change}</span>
              <span class="row-text muted clamp">{reason}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Releases, those that were taken back among them, with the live reward before and since. */
export function Released({ releases }: Pick<Activity, "releases">): JSX.Element {
  const made = releases.filter(({ reverts }) => reverts === null);
  return (
    <Card title="What was released" aside={<span class="muted">{count(made.length)}</span>} flush>
      {made.length === 0 ? (
        <Empty>Nothing was released. That is no failure: most days need no change.</Empty>
      ) : (
        <ul class="rows">
          {made.slice(0, 8).map((each) => (
            <li key={each.commit} class="row">
              <span class="row-head">
                <SkillLink name={each.skill} />
                <State of={each.state} />
                <span class="push muted">
                  <Time at={each.releasedAt} />
                </span>
              </span>
              <span class="row-text clamp">{each.reason}</span>
              <span class="row-foot">
                <span class="figure muted">{reward(each.before.meanReward)}</span>
                <span aria-hidden="true">→</span>
                <RewardBar of={each.after} />
                <Change from={each.before.meanReward} to={each.after.meanReward} />
                <span class="push">
                  <Commit id={each.commit} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Groups from which nothing was released, and the gates that said no. */
export function Refused({
  refusals,
  refusedBy,
}: Pick<Activity, "refusals" | "refusedBy">): JSX.Element {
  return (
    <Card title="What was refused, and why" aside={<Gates of={refusedBy} />} flush>
      {refusals.length === 0 ? (
        <Empty>No group of candidates was refused as a whole.</Empty>
      ) : (
        <ul class="rows">
          {refusals.slice(0, 8).map((each) => (
            <li key={each.id}>
              <a class="row" data-row href={`/incidents/${encodeURIComponent(each.incidentId)}`}>
                <span class="row-head">
                  <strong>{each.skill}</strong>
                  <span class="muted">{counted(each.tried, "program")} tried</span>
                  <span class="push muted">
                    <Time at={each.at} />
                  </span>
                </span>
                <span class="row-text clamp">{each.reason}</span>
                <span class="row-foot">
                  {each.gates.length === 0 ? <Badge>no candidate</Badge> : null}
                  <Gates of={each.gates} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Gates({ of }: { readonly of: readonly GateCount[] }): JSX.Element {
  return (
    <span class="gates">
      {of.slice(0, 4).map(({ gate, candidates }) => (
        <Badge key={gate} tone="bad">
          {gate} {candidates}
        </Badge>
      ))}
    </span>
  );
}

/** Skills that ran, those that got worse first. */
export function Trends({ trends }: Pick<Activity, "trends">): JSX.Element {
  return (
    <Card title="Skills, those that fell first" aside={<a href="/skills">All skills</a>} flush>
      {trends.length === 0 ? (
        <Empty>No skill ran in this period.</Empty>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Skill</th>
                <th scope="col" class="num">
                  Runs
                </th>
                <th scope="col" class="num optional">
                  Reward before
                </th>
                <th scope="col" class="num">
                  Reward now
                </th>
                <th scope="col" class="num">
                  Change
                </th>
              </tr>
            </thead>
            <tbody>
              {trends.map(({ skill, runs, meanReward, before }) => (
                <tr key={skill}>
                  <th scope="row">
                    <SkillLink name={skill} />
                  </th>
                  <td class="num">{count(runs)}</td>
                  <td class="num muted optional">{reward(before.meanReward)}</td>
                  <td class="num">{reward(meanReward)}</td>
                  <td class="num">
                    <Change from={before.meanReward} to={meanReward} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
